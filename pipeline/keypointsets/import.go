package keypointsets

import (
	"context"
	"path/filepath"
	"strings"

	"descbench/descriptors/importer"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/features"
	"descbench/pipeline/plan"
)

// ImportTemplate returns the path, absolute or from {root} on, of the files of a
// set to import, with placeholders for scene and image. A path without any is a
// folder of files <scene>/<image>.<format>; {method} stands for the set's name.
func ImportTemplate(path, name, format string) (string, error) {
	if !strings.Contains(path, "{") {
		path = filepath.Join(path, "{scene}", "{image}."+format)
	}
	path = strings.ReplaceAll(path, "{method}", name)
	if !strings.HasPrefix(path, "{root}") {
		var err error
		if path, err = filepath.Abs(path); err != nil {
			return "", err
		}
	}
	return path, importer.Template(path).Check()
}

// An ImportedFile describes what was found in the file of one image.
type ImportedFile struct {
	Scene     string   `json:"scene"`
	Image     int      `json:"image"` // from 1
	Path      string   `json:"path,omitempty"`
	Keypoints int      `json:"keypoints"`
	Ignored   []string `json:"ignored,omitempty"` // arrays or columns that do not belong to keypoints
	Fault     string   `json:"fault,omitempty"`
}

// Import checks the files of the set name, which must have an import as its only
// step. It reports the content of each file, in order, and stores the set if all
// files are valid. It returns the number of invalid files.
func (k *Sets) Import(ctx context.Context, name string, report func(ImportedFile) error) (faults int, err error) {
	set, _ := k.config.Graph().Find(name)
	for _, scene := range k.scenes {
		for i := range scene.Images {
			if err := ctx.Err(); err != nil {
				return faults, err
			}
			found, err := features.ReadImported(k.config.Dataset.Root, scene, i, set.Import)
			file := ImportedFile{Scene: scene.Name, Image: i + 1, Path: found.Path, Keypoints: found.Set.Len(), Ignored: found.Ignored}
			if err != nil {
				faults++
				file.Fault = err.Error()
			}
			if err := report(file); err != nil {
				return faults, err
			}
		}
	}
	if faults > 0 {
		return faults, nil
	}
	return 0, k.store(ctx, name, func(scene int) ([]keypoints.Set, error) {
		sets := make([]keypoints.Set, len(k.scenes[scene].Images))
		for i := range sets {
			found, err := features.ReadImported(k.config.Dataset.Root, k.scenes[scene], i, set.Import)
			if err != nil {
				return nil, err
			}
			sets[i] = found.Set
		}
		return sets, nil
	})
}

// importedDigests returns the digests of the imported files of all images.
func (k *Sets) importedDigests(from *config.Import) ([]string, error) {
	var digests []string
	for _, scene := range k.scenes {
		for image := range scene.Images {
			path, err := features.ImportedPath(k.config.Dataset.Root, scene, image, from)
			if err != nil {
				return nil, plan.Fault(err)
			}
			d, err := plan.FileDigest(path)
			if err != nil {
				return nil, plan.Fault(err)
			}
			digests = append(digests, d)
		}
	}
	return digests, nil
}
