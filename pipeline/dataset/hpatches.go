package dataset

import (
	"slices"
	"strings"

	"descbench/eval/scope"
)

// hpatchesImages is the number of images of a scene of HPatches.
const hpatchesImages = 6

// HPatchesScenes is the number of scenes in HPatches.
const HPatchesScenes = 116

// hpatches lists the 116 scenes of the full HPatches sequences, with the spelling
// of their folders, sorted. It does not include the Oxford scenes that are often
// stored next to them, such as i_oxleuven.
var hpatches = strings.Fields(`
	i_ajuntament i_autannes i_bologna i_books i_boutique i_bridger i_brooklyn
	i_castle i_chestnuts i_contruction i_crownday i_crownnight i_dc i_dome
	i_duda i_fenis i_fog i_fruits i_gonnenberg i_greenhouse i_greentea
	i_indiana i_kions i_ktirio i_kurhaus i_leuven i_lionday i_lionnight
	i_londonbridge i_melon i_miniature i_nescafe i_nijmegen i_nuts i_objects
	i_parking i_partyfood i_pencils i_pinard i_pool i_porta i_resort i_salon
	i_santuario i_school i_ski i_smurf i_steps i_table i_tools i_toy i_troulos
	i_veggies i_village i_whitebuilding i_yellowtent i_zion
	v_abstract v_adam v_apprentices v_artisans v_astronautis v_azzola v_bark
	v_bees v_beyus v_bip v_bird v_birdwoman v_blueprint v_boat v_bricks
	v_busstop v_calder v_cartooncity v_charing v_churchill v_circus
	v_coffeehouse v_colors v_courses v_dirtywall v_dogman v_eastsouth v_feast
	v_fest v_gardens v_grace v_graffiti v_home v_laptop v_london v_machines
	v_man v_maskedman v_pomegranate v_posters v_samples v_soldiers v_strand
	v_sunseason v_tabletop v_talent v_tempera v_there v_underground v_vitro
	v_wall v_wapping v_war v_weapons v_woman v_wormhole v_wounded v_yard v_yuri`)

// dropped108 lists the scenes that the usual subset of 108 scenes omits because
// their images are larger than 1600×1200 px (Dusmanu et al., D2-Net, CVPR 2019).
var dropped108 = strings.Fields(`
	i_contruction i_crownnight i_dc i_pencils i_whitebuilding
	v_artisans v_astronautis v_talent`)

// IsHPatches reports whether name is one of the 116 HPatches scenes, with or without a group.
func IsHPatches(name string) bool {
	_, found := slices.BinarySearch(hpatches, scope.WithoutGroup(name))
	return found
}

// HPatchesNames returns the names of the HPatches scenes, sorted.
func HPatchesNames() []string { return slices.Clone(hpatches) }

// In108 reports whether a scene is in the subset of 108 HPatches scenes. It is
// also true for scenes that are not from HPatches.
func In108(name string) bool { return !slices.Contains(dropped108, scope.WithoutGroup(name)) }

// InScope reports whether the metrics of a scope cover images of a scene.
func InScope(scene, of string) bool {
	id := scope.Parse(of)
	return (id.Subset != scope.Subset108 || In108(scene)) && (id.Scene == "" || id.Scene == scene) && (id.Group == "" || id.Group == scope.Group(scene)) && (id.Category == "" || id.Category == scope.Category(scene))
}

// subsets maps the values of dataset.subset to the scenes that they select.
var subsets = map[string]func(name string) bool{
	"all":              func(string) bool { return true },
	"108":              In108,
	scope.Viewpoint:    func(name string) bool { return scope.Category(name) == scope.Viewpoint },
	scope.Illumination: func(name string) bool { return scope.Category(name) == scope.Illumination },
}

// SubsetOfHPatches returns the names of the HPatches scenes in a subset, as Find.
func SubsetOfHPatches(subset string) []string {
	return slices.DeleteFunc(HPatchesNames(), func(name string) bool { return !subsets[subset](name) })
}
