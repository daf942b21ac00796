package pipeline

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"descbench/pipeline/page"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Verify reads all files of a run, and the pages of its report if there is one. It calls
// report for each file, with an error if it is missing or is not what was written.
func Verify(ctx context.Context, path string, report func(path string, err error)) error {
	f := plan.Folder(path)
	if err := f.Verify(ctx, report); err != nil {
		return err
	}
	main := filepath.Join(path, page.MainFile)
	if plan.Missing(main) {
		return nil
	}
	err := plan.CheckPage(main)
	if err == nil && page.Outdated(path) {
		err = plan.Faultf("%s: shows other results than the run has now; rerun descbench report %s", main, path)
	}
	report(main, err)
	summary, err := store.ReadSummary(f.Summary())
	if err != nil {
		return nil // reported above
	}
	scenes := make(map[string]bool)
	for _, d := range summary.Descriptors {
		for scene := range d.Scenes {
			scenes[scene] = true
		}
	}
	for _, scene := range slices.Sorted(maps.Keys(scenes)) {
		of := page.SceneFile(path, scene)
		report(of, plan.CheckPage(of))
	}
	return nil
}
