package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/scope"
	"descbench/eval/text"
	"descbench/keypoints"
	"descbench/pipeline/files"
	"descbench/pipeline/store"
)

// The files of a scene whose images have cameras: viewsFile has a line NAME R t MODEL WIDTH HEIGHT
// PARAMETERS for each image, as cvg/glue-factory writes it: R by row and t from the world to the
// camera, PINHOLE with fx, fy, cx, cy or SIMPLE_PINHOLE with f, cx, cy. viewPairsFile, if it is
// there, has lines NAME NAME: each is a scene of its own of two images, DIR/A-B. Further words are
// subsets of scenes that it is in.
const (
	viewsFile     = "views.txt"
	viewPairsFile = "pairs.txt"
)

// maxList limits the size of a list of images or of pairs, in bytes.
const maxList = 1 << 28

// views returns the scenes of a folder in the root with a list of cameras, nil without one. If the
// list or that of its pairs is wrong, it is one scene with a fault.
func (s Source) views(folder string) []Ref {
	dir := filepath.Join(s.Root, folder)
	if _, err := os.Stat(filepath.Join(dir, viewsFile)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	whole := Ref{Name: folder, Dir: dir}
	if info, err := os.Stat(filepath.Join(dir, depthFolder)); err == nil {
		whole.depth = info.IsDir()
	}
	all, at, err := s.readViews(folder)
	if err != nil {
		whole.Fault = err
		return []Ref{whole}
	}
	named := make(map[string]string)
	for _, v := range all {
		whole.add(v)
		if of := named[bare(v.image)]; of != "" && whole.depth {
			whole.Fault = store.Faultf(path.Join(folder, viewsFile), "%s and %s have the same name, and so the same file in %s; rename one", of, v.image, depthFolder)
			return []Ref{whole}
		}
		named[bare(v.image)] = v.image
	}
	where, pairs, seen := path.Join(folder, viewPairsFile), []Ref{}, make(map[string]bool)
	err = eachLine(filepath.Join(dir, viewPairsFile), where, func(line string, fields []string) error {
		if len(fields) < 2 {
			return fmt.Errorf("found one name, want two")
		}
		if fields[0] == fields[1] {
			return fmt.Errorf("image %s is paired with itself", shortened(fields[0]))
		}
		scene := pairOf(s.Root, folder, fields[0], fields[1])
		scene.Subsets, scene.depth = fields[2:], whole.depth
		for _, name := range fields[:2] {
			i, known := at[name]
			if !known {
				return fmt.Errorf("%s is not in %s", shortened(name), viewsFile)
			}
			view := all[i]
			view.image = path.Join("../../"+folder, view.image)
			scene.add(view)
		}
		pairs = append(pairs, scene)
		return cmp.Or(once(seen, scene.Name), checkSubsets(scene.Subsets))
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if n := len(whole.Images); n < scope.MinImages || n > scope.MaxImages {
			whole.Fault = store.Faultf(path.Join(folder, viewsFile), "lists %d images, want %d to %d; %s lists pairs of more", n, scope.MinImages, scope.MaxImages, viewPairsFile)
		}
		pairs = []Ref{whole}
	case err != nil:
		whole.Fault = &store.Fault{Where: where, Err: err}
		return []Ref{whole}
	}
	return present(pairs)
}

// readViews returns the images of a list of cameras, and where they are by name.
func (s Source) readViews(folder string) (views []shot, at map[string]int, err error) {
	where := path.Join(folder, viewsFile)
	at = make(map[string]int)
	err = eachLine(filepath.Join(s.Root, folder, viewsFile), where, func(line string, fields []string) error {
		v := shot{image: fields[0], where: line, folder: folder}
		const before = 13 // name, R, t
		if n := len(fields); n <= before || n < 19 && strings.Trim(fields[before], "+-.0123456789e") == "" {
			return fmt.Errorf("found %d fields, want NAME R(9) t(3) PINHOLE WIDTH HEIGHT FX FY CX CY", n)
		}
		want := map[string]int{"PINHOLE": 6, "SIMPLE_PINHOLE": 5}[fields[before]]
		if want == 0 {
			return fmt.Errorf("camera model %s, want PINHOLE or SIMPLE_PINHOLE: undistort the images first", shortened(fields[before]))
		}
		if len(fields) != before+1+want {
			return fmt.Errorf("found %d numbers after %s, want %d", len(fields)-before-1, fields[before], want)
		}
		pose, err := numbers(fields[1:before])
		if err != nil {
			return err
		}
		k, err := numbers(fields[before+1:])
		if err != nil {
			return err
		}
		if v.size = [2]int{int(k[0]), int(k[1])}; float64(v.size[0]) != k[0] || float64(v.size[1]) != k[1] || min(k[0], k[1]) < 1 {
			return fmt.Errorf("an image of %g×%g px, want whole positive numbers", k[0], k[1])
		}
		if want == 5 {
			k = slices.Insert(k, 2, k[2])
		}
		if _, known := at[v.image]; known || !filepath.IsLocal(v.image) {
			return fmt.Errorf("image %s: want the path of an image in this folder, each once", shortened(v.image))
		}
		v.camera = keypoints.Camera{Intrinsics: s.intrinsics([4]float64(k[2:])), Pose: keypoints.Pose{R: [9]float64(pose), T: [3]float64(pose[9:])}}
		at[v.image] = len(views)
		views = append(views, v)
		return v.camera.Check()
	})
	if err != nil {
		return nil, nil, &store.Fault{Where: where, Err: files.Reason(err)}
	}
	return views, at, nil
}

// intrinsics returns those whose principal point is as the source measures it.
func (s Source) intrinsics(k keypoints.Intrinsics) keypoints.Intrinsics {
	if s.Corner {
		return k.Changed(1, 1, -0.5, -0.5)
	}
	return k
}

// eachLine calls do for each line of a file that is neither empty nor a comment, with the name of
// the line. It returns the first error with the number of its line.
func eachLine(file, name string, do func(line string, fields []string) error) error {
	content, err := files.Read(file, maxList)
	if err != nil {
		return err
	}
	n := 0
	for line := range strings.Lines(string(content)) {
		n++
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if err := do(fmt.Sprintf("%s: line %d", name, n), fields); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return nil
}

// numbers parses finite numbers.
func numbers(fields []string) ([]float64, error) {
	out := make([]float64, len(fields))
	for i, field := range fields {
		v, ok := text.Number(field, 64)
		if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("found %q, want a finite decimal number", shortened(field))
		}
		out[i] = v
	}
	return out, nil
}

// pairOf returns the scene of a pair of images, without them: GROUP/A-B, where A and B are the names
// of their files without extension.
func pairOf(root, group, a, b string) Ref {
	name := path.Join(group, bare(a)+"-"+bare(b))
	ref := Ref{Name: name, Dir: filepath.Join(root, name)}
	if err := scope.CheckSceneName(name); err != nil {
		ref.Fault = store.Faultf(root, "%w; rename the files", err)
	}
	return ref
}

// bare returns the name of a file without folders and extension.
func bare(file string) string { return strings.TrimSuffix(path.Base(file), path.Ext(file)) }

// checkSubsets returns an error unless subsets of scenes may have these names.
func checkSubsets(names []string) error {
	for _, name := range names {
		if err := scope.CheckName(name); err != nil || strings.Contains(name, "/") || name == scope.Subset108 {
			return fmt.Errorf("found %q after the pair, want names of subsets, of letters, digits and . _ -", shortened(name))
		}
	}
	return nil
}

// add adds an image to a scene.
func (r *Ref) add(v shot) { r.Images, r.shots = append(r.Images, v.image), append(r.shots, v) }

// once returns an error if a scene was seen before.
func once(seen map[string]bool, scene string) error {
	if seen[scene] {
		return fmt.Errorf("the pair %s is listed twice, or has two images of the same names", scene)
	}
	seen[scene] = true
	return nil
}

// present marks scenes as broken that lack a file.
func present(scenes []Ref) []Ref {
	there := make(map[string]bool)
	for i := range scenes {
		for _, image := range scenes[i].Images {
			file := filepath.Join(scenes[i].Dir, image)
			if _, known := there[file]; !known {
				_, err := os.Stat(file)
				there[file] = err == nil
			}
			if !there[file] && scenes[i].Fault == nil {
				scenes[i].Fault = store.Faultf(scenes[i].Name, "missing %s", path.Join(scenes[i].Name, image))
			}
		}
	}
	return scenes
}
