package dataset

import (
	"os"
	"path/filepath"
	"strings"

	"descbench/eval/scope"
	"descbench/pipeline/store"
)

// sequenceFolders are the folders of a data set in the layout of RDNIM (Pautrat, Larsson,
// Oswald, Pollefeys, ECCV 2020; lisrd/datasets/rdnim.py of rpautrat/LISRD, commit 3ec1c27):
// images/NAME has the images of a sequence, *.jpg, and next to each of them, as *.txt, the
// homography from the reference to it; references/NAME has day.jpg and night.jpg.
var sequenceFolders = []string{"images", "references", "time_stamps"}

// sequencesIn returns the scenes of a folder in the layout of RDNIM, sorted by name:
// NAME_day and NAME_night, whose image 1 is that reference. The others follow by name. It
// returns none if root has another layout.
func sequencesIn(root string) (refs []Ref) {
	sequences, err := os.ReadDir(filepath.Join(root, sequenceFolders[0]))
	if _, missing := os.Stat(filepath.Join(root, sequenceFolders[1])); err != nil || missing != nil {
		return nil
	}
	for _, s := range sequences {
		if dir := filepath.Join(root, sequenceFolders[0], s.Name()); !strings.HasPrefix(s.Name(), ".") && isFolder(dir) {
			refs = append(refs, sequence(root, s.Name(), "day"), sequence(root, s.Name(), "night"))
		}
	}
	return refs
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// sequence returns the scene of a sequence and a reference.
func sequence(root, name, reference string) Ref {
	scene := name + "_" + reference
	ref := Ref{Name: scene, Dir: filepath.Join(root, scene), Category: scope.Category(scene)}
	found := make(map[string]bool)
	var names []string // of images, sorted
	for _, folder := range []string{"references/" + name, "images/" + name} {
		entries, err := os.ReadDir(filepath.Join(root, folder))
		if err != nil {
			ref.Fault = &store.Fault{Where: scene, Err: err}
			return ref
		}
		for _, e := range entries {
			found[folder+"/"+e.Name()] = true
			if image, ok := strings.CutSuffix(e.Name(), ".jpg"); ok && folder == "images/"+name {
				names = append(names, folder+"/"+image)
			}
		}
	}
	var missing []string
	file := func(path string) string { // relative to the folder that the scene does not have
		if !found[path] {
			missing = append(missing, path)
			return ""
		}
		return "../" + path
	}
	ref.Images, ref.Homographies = []string{file("references/" + name + "/" + reference + ".jpg")}, []string{""}
	for _, n := range names {
		ref.Images, ref.Homographies = append(ref.Images, file(n+".jpg")), append(ref.Homographies, file(n+".txt"))
	}
	switch {
	case scope.CheckSceneName(scene) != nil:
		ref.Fault = store.Faultf(root, "%w; rename the folder", scope.CheckSceneName(scene))
	case len(ref.Images) < scope.MinImages || len(ref.Images) > scope.MaxImages:
		ref.Fault = store.Faultf(scene, "found %d images *.jpg in images/%s, want 1 to %d", len(names), name, scope.MaxImages-1)
	case len(missing) > 1:
		ref.Fault = store.Faultf(scene, "missing %s and %d more", missing[0], len(missing)-1)
	case len(missing) == 1:
		ref.Fault = store.Faultf(scene, "missing %s", missing[0])
	}
	return ref
}
