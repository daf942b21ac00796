package features

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"descbench/descriptors"
	"descbench/eval/spelling"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
)

// ImportedFiles describes the files of other programs that one entry of a config
// imports: keypoints, keypoints with descriptors, or matches.
type ImportedFiles struct {
	Key       string   `json:"key"`
	Files     int      `json:"files"`
	Keypoints int      `json:"keypoints"`          // in usable files
	Matches   int      `json:"matches,omitempty"`  // likewise
	Invalid   int      `json:"invalid,omitempty"`  // descriptors that are zeros, NaN or Inf, or that the file says are invalid
	NotRead   []string `json:"not_read,omitempty"` // names of arrays or columns that the entry does not use
	Unusable  []string `json:"unusable,omitempty"` // one reason per file

	ofMatches bool
}

// String sums the files up, "descriptors[d]: 12 files, 3600 keypoints; 1 unusable;
// not read: scales".
func (f ImportedFiles) String() string {
	text := fmt.Sprintf("%s: %d files, %d keypoints", f.Key, f.Files, f.Keypoints)
	if f.ofMatches {
		text = fmt.Sprintf("%s: %d files, %d matches", f.Key, f.Files, f.Matches)
	}
	if f.Invalid > 0 {
		text += fmt.Sprintf("; %d invalid rows", f.Invalid)
	}
	if len(f.Unusable) > 0 {
		text += fmt.Sprintf("; %d unusable", len(f.Unusable))
	}
	if len(f.NotRead) > 0 {
		text += "; not read: " + strings.Join(f.NotRead, ", ")
	}
	return text
}

// SurveyImports reads all imported files, so that a user learns what a run would find in
// them. It skips broken scenes.
func SurveyImports(ctx context.Context, p *plan.Plan, jobs int) ([]ImportedFiles, error) {
	readers := importReaders(p)
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
		all[i].Key, all[i].ofMatches = r.key, r.ofMatches
		for _, scene := range found {
			if scene != nil {
				all[i].add(scene[i])
			}
		}
	}
	return all, nil
}

// Unusable returns an error with the number of unusable files, nil without any.
func Unusable(all []ImportedFiles) error {
	n := 0
	for _, f := range all {
		n += len(f.Unusable)
	}
	if n == 0 {
		return nil
	}
	return plan.Faultf("%s cannot be used", spelling.Count(n, "imported file"))
}

// add adds the files of a scene.
func (f *ImportedFiles) add(of ImportedFiles) {
	f.Files += of.Files
	f.Keypoints += of.Keypoints
	f.Matches += of.Matches
	f.Invalid += of.Invalid
	f.Unusable = append(f.Unusable, of.Unusable...)
	f.NotRead = append(f.NotRead, of.NotRead...)
	slices.Sort(f.NotRead)
	f.NotRead = slices.Compact(f.NotRead)
}

// An importReader reads the files of an entry of a config. Read adds what the file of an
// image has, and returns its rows of descriptors, nil without.
type importReader struct {
	key       string
	ofMatches bool // from image 1 to the others
	read      func(to *ImportedFiles, root string, scene *dataset.Scene, image int) (*descriptors.Matrix, error)
}

// importReaders leaves out keypoint sets whose files a descriptor reads as well.
func importReaders(p *plan.Plan) (readers []importReader) {
	cfg := p.Config
	described := make(map[string]bool) // paths
	for _, d := range cfg.Descriptors {
		if d.Matches != nil && d.Command == nil {
			readers = append(readers, importReader{keyOf(d), true, func(to *ImportedFiles, root string, scene *dataset.Scene, image int) (*descriptors.Matrix, error) {
				path, m, err := readMatches(root, scene, image, d.Matches)
				if err != nil {
					return nil, err
				}
				if numbers, known := numbersOf(p, d, root, scene, image); known {
					if _, _, err := RowsOf(cfg, d, m, numbers); err != nil {
						return nil, fmt.Errorf("%s: %w", path, err)
					}
				}
				to.Matches += len(m.List)
				to.NotRead = append(to.NotRead, m.Ignored...)
				return nil, nil
			}})
		}
		if d.File == nil {
			continue
		}
		described[d.File.Path] = true
		readers = append(readers, importReader{keyOf(d), false, func(to *ImportedFiles, root string, scene *dataset.Scene, image int) (*descriptors.Matrix, error) {
			found, _, err := readImportedRows(root, scene, image, d.File)
			if err != nil {
				return nil, err
			}
			to.Keypoints += found.Keypoints.Len()
			to.Invalid += found.Descriptors.CountInvalid()
			to.NotRead = append(to.NotRead, found.Ignored...)
			return found.Descriptors, nil
		}})
	}
	for _, set := range cfg.KeypointSets {
		if set.Import == nil || described[set.Import.Path] {
			continue
		}
		readers = append(readers, importReader{fmt.Sprintf("keypoint_sets[%s].import", set.Name), false, func(to *ImportedFiles, root string, scene *dataset.Scene, image int) (*descriptors.Matrix, error) {
			found, err := ReadImported(root, scene, image, set.Import)
			if err == nil {
				to.Keypoints += found.Set.Len()
				to.NotRead = append(to.NotRead, found.Ignored...)
			}
			return nil, err
		}})
	}
	return readers
}

// numbersOf returns the numbers of keypoints of images 1 and other, counted from 0, to
// which matches refer; nil without a keypoint set. They are known if the set takes
// all keypoints of its files, which can be read.
func numbersOf(p *plan.Plan, d config.Descriptor, root string, scene *dataset.Scene, other int) (numbers *[2]int, known bool) {
	if d.Keypoints == "" {
		return nil, true
	}
	set, _ := p.Graph.Find(d.Keypoints)
	all := config.KeypointSet{Name: set.Name, Import: set.Import, Border: set.Border}
	if set.Import == nil || *set != all || set.Border != nil && *set.Border != (keypoints.Border{}) {
		return nil, false
	}
	numbers = new([2]int)
	for i, image := range [2]int{0, other} {
		found, err := ReadImported(root, scene, image, set.Import)
		if err != nil {
			return nil, false
		}
		numbers[i] = found.Set.Len()
	}
	return numbers, true
}

func (r importReader) survey(root string, scene *dataset.Scene) ImportedFiles {
	var f ImportedFiles
	var first *descriptors.Matrix
	for i, img := range scene.Images {
		if r.ofMatches && i == 0 {
			continue
		}
		f.Files++
		rows, err := r.read(&f, root, scene, i)
		switch {
		case err != nil || rows == nil || rows.Rows == 0:
		case first == nil:
			first = rows
		case rows.Dim != first.Dim || rows.Type != first.Type:
			err = fmt.Errorf("rows of %s, want %s as in another image of the scene", elements(rows), elements(first))
		}
		if err != nil {
			f.Unusable = append(f.Unusable, fmt.Sprintf("%s/%s: %v", scene.Name, img.File, err))
		}
	}
	return f
}
