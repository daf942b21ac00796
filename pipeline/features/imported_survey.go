package features

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
)

// ImportedFiles describes the files of other programs that one entry of a config
// imports: keypoints, or keypoints with descriptors.
type ImportedFiles struct {
	Key       string   `json:"key"`
	Files     int      `json:"files"`
	Keypoints int      `json:"keypoints"`          // in usable files
	NotRead   []string `json:"not_read,omitempty"` // names of arrays or columns that the entry does not use
	Unusable  []string `json:"unusable,omitempty"` // one reason per file
}

// String sums the files up, "descriptors[d]: 12 files, 3600 keypoints; 1 unusable;
// not read: scales".
func (f ImportedFiles) String() string {
	text := fmt.Sprintf("%s: %d files, %d keypoints", f.Key, f.Files, f.Keypoints)
	if len(f.Unusable) > 0 {
		text += fmt.Sprintf("; %d unusable", len(f.Unusable))
	}
	if len(f.NotRead) > 0 {
		text += "; not read: " + strings.Join(f.NotRead, ", ")
	}
	return text
}

// SurveyImports reads all imported files of keypoints and descriptors, so that a
// user learns what a run would find in them. It does not read matches, and it skips
// broken scenes.
func SurveyImports(ctx context.Context, p *plan.Plan, jobs int) ([]ImportedFiles, error) {
	readers := importReaders(p.Config)
	if len(readers) == 0 {
		return nil, nil
	}
	found := make([][]ImportedFiles, len(p.Scenes)) // by scene and reader
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(jobs)
	for i, name := range p.Scenes {
		g.Go(func() error {
			scene, err := plan.OpenScene(ctx, p.Config.Dataset, name)
			if err != nil {
				return ctx.Err()
			}
			for _, r := range readers {
				found[i] = append(found[i], r.survey(p.Config.Dataset.Root, scene))
			}
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	all := make([]ImportedFiles, len(readers))
	for i, r := range readers {
		all[i].Key = r.key
		for _, scene := range found {
			if scene != nil {
				all[i].add(scene[i])
			}
		}
	}
	return all, nil
}

// add adds the files of a scene.
func (f *ImportedFiles) add(of ImportedFiles) {
	f.Files += of.Files
	f.Keypoints += of.Keypoints
	f.Unusable = append(f.Unusable, of.Unusable...)
	f.NotRead = append(f.NotRead, of.NotRead...)
	slices.Sort(f.NotRead)
	f.NotRead = slices.Compact(f.NotRead)
}

// An importReader reads the files of an entry of a config. Read returns the number of
// keypoints and the names of what it does not read.
type importReader struct {
	key  string
	read func(root string, scene *dataset.Scene, image int) (count int, ignored []string, err error)
}

// importReaders leaves out keypoint sets whose files a descriptor reads as well.
func importReaders(cfg *config.Config) (readers []importReader) {
	described := make(map[string]bool) // paths
	for _, d := range cfg.Descriptors {
		if d.File == nil {
			continue
		}
		described[d.File.Path] = true
		readers = append(readers, importReader{fmt.Sprintf("descriptors[%s]", d.Name), func(root string, scene *dataset.Scene, image int) (int, []string, error) {
			found, _, err := readImportedRows(root, scene, image, d.File)
			if err != nil {
				return 0, nil, err
			}
			return found.Keypoints.Len(), found.Ignored, nil
		}})
	}
	for _, set := range cfg.KeypointSets {
		if set.Import == nil || described[set.Import.Path] {
			continue
		}
		readers = append(readers, importReader{fmt.Sprintf("keypoint_sets[%s].import", set.Name), func(root string, scene *dataset.Scene, image int) (int, []string, error) {
			found, err := ReadImported(root, scene, image, set.Import)
			return found.Set.Len(), found.Ignored, err
		}})
	}
	return readers
}

func (r importReader) survey(root string, scene *dataset.Scene) ImportedFiles {
	f := ImportedFiles{Files: len(scene.Images)}
	for i, img := range scene.Images {
		count, ignored, err := r.read(root, scene, i)
		if err != nil {
			f.Unusable = append(f.Unusable, fmt.Sprintf("%s/%s: %v", scene.Name, img.File, err))
			continue
		}
		f.Keypoints += count
		f.NotRead = append(f.NotRead, ignored...)
	}
	return f
}
