package dataset

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/files"
	"descbench/pipeline/store"
)

// Find returns the scenes that are in the subset (all, 108,
// viewpoint, illumination), sorted by name, and the names of the
// folders that do not contain any of a scene's files. All scenes have homographies, or all cameras. If names is not empty, it returns only
// scenes with these names. Find reads folders but no files. It returns a folder that has
// some but not all of a scene's files with a Fault, so that a run can report it. It returns
// a *store.Fault if a named scene does not exist, if root is not a folder of scenes, or if
// the result is empty.
func (s Source) Find(names []string, subset string) (found []Ref, notScenes []string, err error) {
	var all []Ref
	if s.Pairs != "" {
		all, err = s.pairs("")
	} else {
		all, notScenes, err = s.scan()
	}
	if err == nil {
		err = s.group(all)
	}
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(all, func(a, b Ref) int { return strings.Compare(a.Name, b.Name) })
	wanted, err := choose(s.Root, all, names)
	if err != nil {
		return nil, nil, err
	}
	found = slices.DeleteFunc(slices.Clone(wanted), func(r Ref) bool { return !subsets[subset](r.Name) })
	if len(found) == 0 {
		return nil, nil, store.Faultf(s.Root, "none of the %d scenes is in the subset %q", len(wanted), subset)
	}
	posed, broken := 0, false
	for _, r := range found {
		if broken = broken || r.Fault != nil; r.HasCameras() {
			posed++
		}
	}
	if posed > 0 && posed < len(found) && !broken {
		return nil, nil, store.Faultf(s.Root, "%d scenes have cameras and %d have homographies, want scenes of one kind; choose some by dataset.scenes", posed, len(found)-posed)
	}
	return found, notScenes, nil
}

// scan lists the scenes and the other folders in the root.
func (s Source) scan() (scenes []Ref, others []string, err error) {
	root := s.Root
	entries, err := os.ReadDir(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, store.Faultf(root, "no such folder, want a folder of scenes%s%s", files.Meant(root), howToFetch(root))
	case err != nil:
		if info, statErr := os.Stat(root); statErr == nil && !info.IsDir() {
			return nil, nil, store.Faultf(root, "is a file, want a folder of scenes; unpack an archive first")
		}
		return nil, nil, &store.Fault{Where: root, Err: err}
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue // hidden, such as an unfinished scene of a killed `dataset synth`
		}
		dir := filepath.Join(root, e.Name())
		info, err := os.Stat(dir) // follows symbolic links
		if err == nil && !info.IsDir() {
			continue
		}
		if views := s.views(e.Name()); views != nil {
			scenes = append(scenes, views...)
			continue
		}
		// A folder that cannot be read may be a scene: keep it as a broken one.
		ref, files := look(dir, e.Name())
		if files == 0 && ref.Fault == nil {
			others = append(others, e.Name())
		} else {
			scenes = append(scenes, ref)
		}
	}
	if len(scenes) > 0 {
		// A folder with the name of a scene is one that lacks its files.
		others = slices.DeleteFunc(others, func(name string) bool {
			ref := Ref{Name: name, Dir: filepath.Join(root, name), Fault: store.Faultf(name, noFiles)}
			if scope.Category(name) == scope.Other {
				return false
			}
			scenes = append(scenes, ref)
			return true
		})
		return scenes, others, nil
	}
	if _, files := look(root, root); files > 0 || s.views(".") != nil {
		return nil, nil, store.Faultf(root, "is a scene, want the folder that contains it")
	}
	groups := make([]string, 0, len(others))
	for _, name := range others {
		if in := scenesIn(root, name); len(in) > 0 {
			scenes, groups = append(scenes, in...), append(groups, name)
		}
	}
	// One folder of scenes, or that of HPatches beside others, is a root by itself.
	release := slices.IndexFunc(scenes, func(r Ref) bool { return len(groups) == 1 || IsHPatches(filepath.Base(r.Name)) })
	if release >= 0 {
		return nil, nil, store.Faultf(root, "contains no scenes; the scenes are in %s, want that folder", filepath.Dir(scenes[release].Dir))
	} else if len(groups) > 0 {
		return scenes, slices.DeleteFunc(others, func(name string) bool { return slices.Contains(groups, name) }), nil
	}
	return nil, nil, store.Faultf(root, "contains no scenes (folders with images 1, 2, … and homographies H_1_2, …, or with views.txt)")
}

// scenesIn returns the scenes in a folder of the root, which is their group.
func scenesIn(root, group string) (scenes []Ref) {
	entries, err := os.ReadDir(filepath.Join(root, group))
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name := path.Join(group, e.Name())
		if ref, files := look(filepath.Join(root, name), name); files > 0 {
			scenes = append(scenes, ref)
		}
	}
	return scenes
}

// howToFetch says how to get a folder with the name of a release.
func howToFetch(root string) string {
	if filepath.Base(root) != "hpatches-sequences-release" {
		return "; --data DIR, DESCBENCH_DATA or --set dataset.root=DIR names another; in a config, a relative root begins at the folder of the config"
	}
	return "; --data DIR names another; to download it: descbench dataset fetch hpatches-sequences --to " + filepath.Dir(root)
}

// few is how many files a fault names: a stray number stands for hundreds of missing images.
const few = 20

// noFiles is the fault of a folder that is not a scene.
const noFiles = "is not a scene: no images 1, 2, … and homographies H_1_2, …"

// look finds a scene's files in dir and counts them. A folder without any of them
// has no fault.
func look(dir, name string) (ref Ref, files int) {
	ref = Ref{Name: name, Dir: dir, Facts: renamed(name)}
	entries, err := os.ReadDir(dir)
	if err != nil {
		ref.Fault = &store.Fault{Where: name, Err: err}
		return ref, 0
	}
	found, others := make(map[part]filesOf), []string(nil)
	images := scope.MinImages
	if IsHPatches(name) {
		images = hpatchesImages
	}
	for _, e := range entries {
		p, readable := partOf(e.Name())
		if p.k == 0 {
			if meantAsPart(e.Name()) {
				others = append(others, e.Name())
			}
			continue
		}
		n := found[p]
		if readable {
			n.readable = append(n.readable, e.Name())
		} else {
			n.others = append(n.others, e.Name())
		}
		if found[p] = n; readable || p.homography {
			images = max(images, p.k)
		}
	}
	var faults, missing, badImages, badHomographies []string
	if images > scope.MaxImages {
		faults = append(faults, fmt.Sprintf("found image %d, want at most %d images in a scene", images, scope.MaxImages))
		images = scope.MinImages
	}
	pick := func(p part, bad *[]string) string {
		n := found[p]
		switch {
		case len(n.readable) > 1:
			faults = append(faults, fmt.Sprintf("found %s, want one %s", strings.Join(n.readable, " and "), p))
		case len(n.readable) == 0 && len(n.others) > 0:
			*bad = append(*bad, strings.Join(n.others, " and "))
			return ""
		case len(n.readable) == 0:
			missing = append(missing, p.String())
			return ""
		}
		files++
		return n.readable[0]
	}
	for k := 1; k <= images; k++ {
		ref.Images = append(ref.Images, pick(part{k: k}, &badImages))
	}
	ref.Homographies = []string{""}
	for k := 2; k <= images; k++ {
		ref.Homographies = append(ref.Homographies, pick(part{homography: true, k: k}, &badHomographies))
	}
	for _, f := range []struct {
		format string
		of     []string
	}{
		{"missing %s", missing},
		{"cannot read %s, want an image with the extension " + strings.Join(imageExtensions, ", ") + convert, badImages},
		{"cannot read %s, want a name such as H_1_2 or H1to2p", badHomographies},
	} {
		if len(f.of) > 0 {
			faults = append(faults, fmt.Sprintf(f.format, spelling.Few(f.of, few)))
		}
	}
	if others != nil && len(faults) > 0 {
		faults = slices.Insert(faults, 0, fmt.Sprintf("not used: %s; images are numbered from 1, and their homographies are called H_1_2, H_1_3, …", spelling.Few(others, few)))
	} else if others != nil {
		ref.Facts = append(ref.Facts, fact.New(fact.UnreadFiles, name).Naming("files", others...))
	}
	if err := scope.CheckSceneName(name); files > 0 && err != nil {
		ref.Fault = store.Faultf(filepath.Dir(dir), "%w; rename the folder", err)
	} else if files > 0 && len(faults) > 0 {
		ref.Fault = store.Faultf(name, "%s", strings.Join(faults, "; "))
	}
	return ref, files
}

// choose returns the scenes with the given names, sorted, or all scenes if names
// is empty.
func choose(root string, all []Ref, names []string) ([]Ref, error) {
	if len(names) == 0 {
		return all, nil
	}
	var chosen []Ref
	var unknown []string
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		if group := slices.DeleteFunc(slices.Clone(all), func(r Ref) bool { return scope.Group(r.Name) != name }); len(group) > 0 && group[0].Name != name {
			chosen = append(chosen, group...)
			continue
		}
		// The same name may be spelt in two ways in Unicode: macOS decomposes é.
		i := slices.IndexFunc(all, func(r Ref) bool { return r.Name == name })
		if i < 0 {
			i = slices.IndexFunc(all, func(r Ref) bool { return norm.NFC.String(r.Name) == norm.NFC.String(name) })
		}
		if i < 0 {
			i = slices.IndexFunc(all, func(r Ref) bool { return scope.WithoutGroup(r.Name) == name })
		}
		if i < 0 {
			unknown = append(unknown, absent(root, name, all))
			continue
		}
		chosen = append(chosen, all[i])
	}
	if len(unknown) > 0 {
		return nil, store.Faultf(root, "%s", strings.Join(unknown, "; "))
	}
	return chosen, nil
}

// absent returns why there is no scene of the given name.
func absent(root, name string, all []Ref) string {
	if filepath.IsLocal(name) && !strings.ContainsAny(name, `/\`) {
		if info, err := os.Stat(filepath.Join(root, name)); err == nil && info.IsDir() {
			return name + " " + noFiles
		}
	}
	if strings.Contains(name, "*") {
		return fmt.Sprintf("no scene %q: want whole names; dataset.subset takes viewpoint or illumination", name)
	}
	return fmt.Sprintf("no scene %q%s", name, spelling.Hint(name, spelling.Words(all, func(r Ref) string { return r.Name })))
}
