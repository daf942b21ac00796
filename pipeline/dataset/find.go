package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Ref is a scene that was found but not read.
type Ref struct {
	Name     string
	Dir      string
	Category string         // viewpoint, illumination or other
	Images   [images]string // names of the files of images 1 to 6; "" where missing
	Fault    error          // an *Error that says what the folder lacks; nil if it has all files
}

// Find returns the scenes in the folder root, by name: those named, or all if
// none is, as far as subset (all, 108, viewpoint or illumination) admits them.
// Nothing is read but folders. A folder with some but not all of a scene's
// files is returned with its fault, so that a run can report it. Named scenes
// that do not exist, a root that is not a folder of scenes, and an empty
// result are errors, of type *Error.
func Find(root string, names []string, subset string) ([]Ref, error) {
	admits, ok := subsets[subset]
	if !ok {
		return nil, fmt.Errorf("subset is %q, want all, 108, viewpoint or illumination", subset)
	}
	all, _, err := scan(root)
	if err != nil {
		return nil, err
	}
	wanted, err := choose(root, all, names)
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(slices.Clone(wanted), func(r Ref) bool { return !admits(r.Name) })
	if len(found) == 0 {
		return nil, errorf(root, "none of the %d scenes is in the subset %q", len(wanted), subset)
	}
	return found, nil
}

// NotScenes returns the names of the folders in root that have none of a
// scene's files.
func NotScenes(root string) ([]string, error) {
	_, others, err := scan(root)
	return others, err
}

// scan looks into every folder of root.
func scan(root string) (scenes []Ref, others []string, err error) {
	entries, err := os.ReadDir(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, errorf(root, "no such folder, want a folder of scenes")
	case err != nil:
		if info, statErr := os.Stat(root); statErr == nil && !info.IsDir() {
			return nil, nil, errorf(root, "is a file, want a folder of scenes")
		}
		return nil, nil, &Error{root, err}
	}
	for _, e := range entries {
		dir := filepath.Join(root, e.Name())
		info, err := os.Stat(dir) // follows links
		if err == nil && !info.IsDir() {
			continue
		}
		// What cannot be looked into may be a scene: it is kept as a broken one.
		ref, files := look(dir, e.Name())
		if files == 0 && ref.Fault == nil {
			others = append(others, e.Name())
		} else {
			scenes = append(scenes, ref)
		}
	}
	if len(scenes) > 0 {
		return scenes, others, nil
	}
	if _, files := look(root, root); files > 0 {
		return nil, nil, errorf(root, "is a scene, want the folder that contains it")
	}
	return nil, nil, errorf(root, "contains no scenes (folders with images 1 to 6 and homographies H_1_2 to H_1_6)")
}

// noFiles says what is wrong with a folder that is no scene.
const noFiles = "is not a scene: none of the images 1 to 6 and H_1_2 to H_1_6 exist"

// imageExtensions are those of the image files, in any case of letters.
var imageExtensions = []string{".ppm", ".png", ".jpg", ".jpeg"}

// look finds a scene's files in dir and counts them. A folder without any has
// no fault.
func look(dir, name string) (ref Ref, files int) {
	ref = Ref{Name: name, Dir: dir, Category: category(name)}
	entries, err := os.ReadDir(dir)
	if err != nil {
		ref.Fault = &Error{name, err}
		return ref, 0
	}
	candidates := make(map[string][]string) // by what they are of a scene
	for _, e := range entries {
		part, ext := e.Name(), filepath.Ext(e.Name())
		if slices.Contains(imageExtensions, strings.ToLower(ext)) {
			part = strings.TrimSuffix(part, ext)
		} else if !strings.HasPrefix(part, "H_1_") {
			continue
		}
		candidates[part] = append(candidates[part], e.Name())
	}
	var missing []string
	for k := 1; k <= images; k++ {
		part := fmt.Sprint(k)
		switch c := candidates[part]; len(c) {
		case 0:
			missing = append(missing, "image "+part)
		case 1:
			ref.Images[k-1] = c[0]
			files++
		default:
			files++
			ref.Fault = errorf(name, "found %s, want one image %s", strings.Join(c, " and "), part)
		}
	}
	for k := 2; k <= images; k++ {
		part := homographyFile(k)
		if slices.Contains(candidates[part], part) {
			files++
		} else {
			missing = append(missing, part)
		}
	}
	if files > 0 && len(missing) > 0 {
		ref.Fault = errorf(name, "missing %s", strings.Join(missing, ", "))
	}
	return ref, files
}

// choose returns the scenes of the given names, sorted; all if there is none.
func choose(root string, all []Ref, names []string) ([]Ref, error) {
	if len(names) == 0 {
		return all, nil
	}
	var chosen []Ref
	var unknown []string
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		i := slices.IndexFunc(all, func(r Ref) bool { return r.Name == name })
		if i < 0 {
			unknown = append(unknown, absent(root, name, all))
			continue
		}
		chosen = append(chosen, all[i])
	}
	if len(unknown) > 0 {
		return nil, errorf(root, "%s", strings.Join(unknown, "; "))
	}
	return chosen, nil
}

// absent says why a name stands for no scene.
func absent(root, name string, all []Ref) string {
	if filepath.IsLocal(name) && !strings.ContainsAny(name, `/\`) {
		if info, err := os.Stat(filepath.Join(root, name)); err == nil && info.IsDir() {
			return name + " " + noFiles
		}
	}
	if near := nearest(name, all); near != "" {
		return fmt.Sprintf("no scene %q, did you mean %s?", name, near)
	}
	return fmt.Sprintf("no scene %q", name)
}

// nearest returns the name of a scene that is a few typing errors from name,
// or "".
func nearest(name string, all []Ref) string {
	best, least := "", 1+max(2, len(name)/4)
	for _, r := range all {
		if d := editDistance(name, r.Name); d < least {
			best, least = r.Name, d
		}
	}
	return best
}

// editDistance counts the bytes to insert, delete or replace to turn a into b
// (Levenshtein 1966).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
