package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
)

// A run also depends on files that its config only names: models of networks,
// and what other programs found in the images. Their digests are kept with the
// run, which does not go on with others.

// models returns the digests of the networks' models, by descriptor; nil if
// there are none.
func models(cfg *config.Config) (map[string]string, error) {
	var out map[string]string
	for _, d := range cfg.Descriptors {
		if d.ONNX == nil {
			continue
		}
		digest, err := fileDigest(d.ONNX.Model)
		if err != nil {
			return nil, dataErrorf("descriptor %s: model: %w", d.Name, err)
		}
		if out == nil {
			out = make(map[string]string)
		}
		out[d.Name] = digest
	}
	return out, nil
}

// modelDifferences says which models are not those that the run was begun with.
func modelDifferences(begun, now map[string]string) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if was, is := begun[name], now[name]; was != is {
			out = append(out, fmt.Sprintf("descriptors[%s].model: its content has changed (SHA-256 %.12s -> %.12s)", name, was, is))
		}
	}
	return out
}

// loadNetworks loads the networks of a run, so that a model that does not fit its
// descriptor is known before anything is written.
func (p *Plan) loadNetworks(nets *networks) error {
	for _, d := range p.Config.Descriptors {
		if d.ONNX == nil {
			continue
		}
		if _, err := nets.get(*d.ONNX); err != nil {
			return fmt.Errorf("descriptor %s: %w", d.Name, err)
		}
	}
	return nil
}

// An importedFile is one from which the keypoints of an image are read, and
// descriptors may be: those of type file start from an imported set.
type importedFile struct {
	set    *config.KeypointSet
	image  int // from 1
	path   string
	digest string
}

// key names the file by its use: a run may go on with the same files elsewhere.
func (f importedFile) key() string {
	return fmt.Sprintf("keypoint_sets[%s].import, image %d", f.set.Name, f.image)
}

// imports returns the files of a scene that a plan imports. It leaves out those
// that are missing, of which says so whoever needs them.
func (p *Plan) imports(scene *dataset.Scene) ([]importedFile, error) {
	var files []importedFile
	digests := make(map[string]string) // by path: several sets may share a file
	for i := range p.Config.KeypointSets {
		set := &p.Config.KeypointSets[i]
		if set.Import == nil {
			continue
		}
		for i := range scene.Images {
			path, err := importedPath(p.Config.Dataset.Root, scene, i, set.Import)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				return nil, err
			}
			if digests[path] == "" {
				if digests[path], err = fileDigest(path); err != nil {
					return nil, err
				}
			}
			files = append(files, importedFile{set, i + 1, path, digests[path]})
		}
	}
	return files, nil
}

// takeImports returns the digests to keep for a scene, given those that it was
// begun with and the files that are there now. It refuses a file that is not the
// one that results are made of. A file of which there are none, because it was
// at fault, may have changed.
func (r *runner) takeImports(scene string, begun map[string]string, now []importedFile) (map[string]string, error) {
	keep := maps.Clone(begun)
	for _, f := range now {
		was, ok := begun[f.key()]
		if ok && was != f.digest {
			if err := r.forgetImport(scene, f); err != nil {
				return nil, err
			}
		}
		if keep == nil {
			keep = make(map[string]string)
		}
		keep[f.key()] = f.digest
	}
	return keep, nil
}

// forgetImport removes the keypoint sets of a scene that start from a changed
// file, or refuses to if anything has been made of them.
func (r *runner) forgetImport(scene string, f importedFile) error {
	refused := dataErrorf("%s: %s: %s: the imported file is not the one that the run in %s was begun with; --overwrite begins anew",
		scene, f.key(), f.path, r.folder.path)
	for _, d := range r.plan.Config.Descriptors {
		if r.plan.describes(d, f.set) && !missing(r.folder.eval(d.Name, scene)) {
			return refused
		}
	}
	var stale []string
	for i := range r.plan.Config.KeypointSets {
		set := &r.plan.Config.KeypointSets[i]
		if !r.plan.startsFrom(set, f.set) {
			continue
		}
		if total(set) && !missing(r.folder.cut(set.Name)) {
			return refused // the sets of other scenes hang on this one's
		}
		for _, name := range sideNames(set) {
			stale = append(stale, r.folder.set(name, scene), r.folder.before(name, scene))
		}
	}
	for _, path := range stale {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return place(err)
		}
	}
	return nil
}

// startsFrom reports whether a set is made of another, or is it.
func (p *Plan) startsFrom(set, origin *config.KeypointSet) bool {
	if set == origin {
		return true
	}
	return slices.ContainsFunc(parents(set), func(name string) bool {
		parent, _ := p.resolve(name)
		return p.startsFrom(parent, origin)
	})
}

// describes reports whether a descriptor, or a part of it, describes keypoints of
// a set that starts from another.
func (p *Plan) describes(d config.Descriptor, origin *config.KeypointSet) bool {
	if d.Fusion != nil {
		return slices.ContainsFunc(p.parts(d), func(part config.Descriptor) bool { return p.describes(part, origin) })
	}
	set, _ := p.resolve(d.Keypoints)
	return p.startsFrom(set, origin)
}
