package dataset

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/scope"
	"descbench/pipeline/store"
)

// pairFolders are the folders of a data set of image pairs in the layout of EVD (Mishkin,
// Matas, Perdoch, MODS, CVIU 2015; https://cmp.felk.cvut.cz/wbs): image 1, image 2 and
// the homography from image 1 to image 2, as 1/NAME.png, 2/NAME.png and h/NAME.txt.
var pairFolders = []string{"1", "2", "h"}

// pairsIn returns the scenes of a folder in the layout of EVD, each of one pair, sorted by
// name. It returns none if root has another layout.
func pairsIn(root string) []Ref {
	files := make(map[string][3]string) // by name, relative to the folder that the scene does not have
	for i, folder := range pairFolders {
		entries, err := os.ReadDir(filepath.Join(root, folder))
		if err != nil {
			return nil
		}
		for _, e := range entries {
			extension := filepath.Ext(e.Name())
			if name := strings.TrimSuffix(e.Name(), extension); folder != "h" && slices.Contains(imageExtensions, strings.ToLower(extension)) || folder == "h" && extension == ".txt" {
				parts := files[name]
				parts[i] = "../" + folder + "/" + e.Name()
				files[name] = parts
			}
		}
	}
	var refs []Ref
	for name, f := range files {
		ref := Ref{
			Name: name, Dir: filepath.Join(root, name), Category: scope.Category(name),
			Images: f[:2:2], Homographies: []string{"", f[2]},
		}
		if err := scope.CheckSceneName(name); err != nil {
			ref.Fault = store.Faultf(root, "%w; rename the files", err)
		}
		for i, file := range f {
			if file == "" {
				ref.Fault = store.Faultf(name, "missing, want %s of this name in %s as in the others", [...]string{"an image", "an image", "a homography"}[i], pairFolders[i])
			}
		}
		refs = append(refs, ref)
	}
	slices.SortFunc(refs, func(a, b Ref) int { return strings.Compare(a.Name, b.Name) })
	return refs
}
