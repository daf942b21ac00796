package scope

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// All is the name of the scope that contains all scenes.
const All = "all"

// A Scene holds the tallies of one scene or of some of its image pairs.
type Scene[T any] struct {
	Name  string
	Parts []Part[T] // sorted by K, at least one
}

// A Part is the tally of the pair (image 1, image K), or of the whole scene if K
// is 0.
type Part[T any] struct {
	K     int
	Tally T
}

// A Scope is the set of scenes, or of pairs of them, that metrics are computed over.
type Scope[T any] struct {
	Name   string
	Kind   Kind
	Scenes []Scene[T]
}

// A Kind determines what the scenes of a scope have in common.
type Kind uint8

// The kinds of scopes, in reporting order.
const (
	Everything  Kind = iota
	OneCategory      // "viewpoint", "illumination", "other"
	OneSubset        // "subset:<name>" and "subset:<name>/<category>"
	OneGroup         // "group:<name>"
	OneImage         // "k:2" … "k:20"
	OneScene         // "scene:<name>"
	OnePair          // "pair:<scene>/1_<k>"
	Unknown
)

// An ID is what the name of a scope says.
type ID struct {
	Kind     Kind
	Subset   string // "" without one
	Group    string // of a group
	Category string // that the scope is limited to; "" for none
	Scene    string // of a scene or a pair
	K        int    // of a pair or of an image number
}

// Subset108 is the name of the subset of HPatches without the eight scenes that D2-Net and others
// leave out.
const Subset108 = "108"

// Parse returns the ID of the name of a scope.
func Parse(name string) ID {
	kind, value, _ := strings.Cut(name, ":")
	switch kind {
	case All:
		return ID{Kind: Everything}
	case Viewpoint, Illumination, Other:
		return ID{Kind: OneCategory, Category: kind}
	case "subset":
		subset, category, _ := strings.Cut(value, "/")
		return ID{Kind: OneSubset, Subset: subset, Category: category}
	case "group":
		return ID{Kind: OneGroup, Group: value}
	case "k":
		if k, err := strconv.Atoi(value); err == nil {
			return ID{Kind: OneImage, K: k}
		}
	case "scene":
		return ID{Kind: OneScene, Scene: value}
	case "pair":
		if scene, k, ok := SplitPair(value); ok {
			return ID{Kind: OnePair, Scene: scene, K: k}
		}
	}
	return ID{Kind: Unknown}
}

// IsOne reports whether a scope is a single scene or pair.
func (id ID) IsOne() bool { return id.Kind == OneScene || id.Kind == OnePair }

// A Subset is a set of scenes with separate metrics, such as the 108 scenes of
// HPatches that D2-Net and others evaluate on.
type Subset struct {
	Name     string
	Contains func(scene string) bool
}

// Of returns the scope of all scenes and every other scope that contains scenes,
// ordered by kind. Within a scope, scenes keep the given order. All sums use this
// order.
func Of[T any](scenes []Scene[T], subsets ...Subset) []Scope[T] {
	all := Scope[T]{All, Everything, scenes}
	out := append([]Scope[T]{all}, all.categories("", OneCategory)...)
	for _, subset := range subsets {
		if s := (Scope[T]{"subset:" + subset.Name, OneSubset, all.where(subset.Contains)}); len(s.Scenes) > 0 {
			out = append(append(out, s), s.categories(s.Name+"/", OneSubset)...)
		}
	}
	out = append(out, all.groups()...)
	var ones, pairs []Scope[T]
	byK := make(map[int][]Scene[T])
	for _, s := range scenes {
		ones = append(ones, Scope[T]{"scene:" + s.Name, OneScene, []Scene[T]{s}})
		for _, p := range s.Parts {
			if p.K == 0 {
				continue
			}
			pair := Scene[T]{s.Name, []Part[T]{p}}
			byK[p.K] = append(byK[p.K], pair)
			pairs = append(pairs, Scope[T]{PairName(s.Name, p.K), OnePair, []Scene[T]{pair}})
		}
	}
	for _, k := range slices.Sorted(maps.Keys(byK)) {
		out = append(out, Scope[T]{fmt.Sprintf("k:%d", k), OneImage, byK[k]})
	}
	return slices.Concat(out, ones, pairs)
}

func (s Scope[T]) categories(prefix string, kind Kind) []Scope[T] {
	var out []Scope[T]
	for _, c := range []string{Viewpoint, Illumination, Other} {
		if in := s.In(c); len(in) > 0 {
			out = append(out, Scope[T]{prefix + c, kind, in})
		}
	}
	return out
}

// groups returns the scopes of the groups of scenes, but for one that has all of them.
func (s Scope[T]) groups() (out []Scope[T]) {
	for _, scene := range s.Scenes { // sorted by name, so by group
		g := Group(scene.Name)
		if last := len(out) - 1; last >= 0 && out[last].Name == "group:"+g {
			out[last].Scenes = append(out[last].Scenes, scene)
		} else if g != scene.Name {
			out = append(out, Scope[T]{"group:" + g, OneGroup, []Scene[T]{scene}})
		}
	}
	return slices.DeleteFunc(out, func(g Scope[T]) bool { return len(g.Scenes) == len(s.Scenes) })
}

// In returns the scenes of a category.
func (s Scope[T]) In(category string) []Scene[T] {
	return s.where(func(scene string) bool { return Category(scene) == category })
}

func (s Scope[T]) where(keep func(scene string) bool) []Scene[T] {
	var out []Scene[T]
	for _, scene := range s.Scenes {
		if keep(scene.Name) {
			out = append(out, scene)
		}
	}
	return out
}

// Tallies returns the tallies of all parts, in the order of the scenes.
func (s Scope[T]) Tallies() []T {
	var out []T
	for _, scene := range s.Scenes {
		for _, p := range scene.Parts {
			out = append(out, p.Tally)
		}
	}
	return out
}

// PairName returns the name of the scope of one image pair: "pair:v_wall/1_3".
func PairName(scene string, k int) string { return "pair:" + PairLabel(scene, k) }

// PairLabel names an image pair in messages: "v_wall/1_3".
func PairLabel(scene string, k int) string { return fmt.Sprintf("%s/1_%d", scene, k) }

// SplitPair returns the scene and the image K of a pair that a user names as
// v_wall/3, v_wall/1_3 or pair:v_wall/1_3. It does not check that there is such a pair.
func SplitPair(name string) (scene string, k int, ok bool) {
	name = strings.TrimPrefix(name, "pair:")
	i := strings.LastIndexByte(name, '/')
	if i <= 0 {
		return "", 0, false
	}
	k, err := strconv.Atoi(strings.TrimPrefix(name[i+1:], "1_"))
	return name[:i], k, err == nil
}

// Canonical returns the name of the scope that a user means. The scope of a pair may
// be spelled as SplitPair takes it, that of a scene of a category as its name.
func Canonical(name string) string {
	if strings.HasPrefix(name, "pair:") || !strings.Contains(name, ":") {
		if scene, k, ok := SplitPair(name); ok {
			return PairName(scene, k)
		}
	}
	if Category(name) != Other {
		return "scene:" + name
	}
	return name
}
