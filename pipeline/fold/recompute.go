package fold

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Recompute folds the units of a run, or without units its records, in a temporary folder and calls report, with an
// error, for each result that these give otherwise. It returns the names of those that are equal, nil if they
// cannot be computed. See recordSource for what it does not compare without units.
func Recompute(ctx context.Context, f plan.Folder, report func(path string, err error)) ([]string, error) {
	dir, err := os.MkdirTemp("", "descbench-verify-")
	if err != nil {
		return nil, plan.Fault(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	again := plan.Folder(dir)
	entries, err := os.ReadDir(string(f))
	if err != nil {
		return nil, plan.Fault(err)
	}
	folded := []string{f.Metrics(), f.Pairs(), f.Queries(), f.Summary(), f.Database(), f.Timing(), f.Sums()}
	for _, e := range entries {
		path := filepath.Join(string(f), e.Name())
		if slices.Contains(folded, path) {
			continue
		}
		to, err := filepath.Abs(path)
		if err == nil {
			err = os.Symlink(to, filepath.Join(dir, e.Name()))
		}
		if err != nil {
			return nil, plan.Fault(err)
		}
	}
	source := "units"
	if _, err = f.Plan(); errors.Is(err, plan.ErrWithoutUnits) {
		source = "records"
		_, err = foldShared(ctx, f, again)
	} else {
		_, err = Fold(ctx, again)
	}
	if ctx.Err() != nil {
		return nil, err
	}
	if plan.Missing(again.Summary()) {
		report(string(f), plan.Faultf("the results cannot be recomputed: %s", strings.ReplaceAll(err.Error(), dir, string(f))))
		return nil, nil
	}
	was, digests, equal := f.Digests(), again.Digests(), []string{}
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		if path := filepath.Join(string(f), name); was[name] != digests[name] {
			report(path, plan.Faultf("%s: the %s give other values; changed after the run?", path, source))
		} else if source == "units" || filepath.Ext(name) != ".parquet" {
			equal = append(equal, name)
		}
	}
	claimed, err := f.ReadEnvironment()
	if err != nil {
		return nil, err
	}
	found, err := again.ReadEnvironment() // rewritten with the digests that these have
	if err != nil {
		return nil, err
	}
	for _, scene := range slices.Sorted(maps.Keys(found.Scenes)) {
		if claimed.Scenes[scene] != found.Scenes[scene] {
			report(f.Environment(), plan.Faultf("%s: %s has the digest %.12s, its %s have %.12s; changed after the run?", f.Environment(), scene, claimed.Scenes[scene], source, found.Scenes[scene]))
		}
	}
	if tables, err := store.Differing(ctx, again.Database(), f.Database()); errors.Is(err, store.ErrDamaged) {
		return equal, nil // which its checksum shows
	} else if err != nil {
		report(f.Database(), plan.Fault(err))
	} else if len(tables) > 0 {
		report(f.Database(), plan.Faultf("%s: differs from what the %s give: %s; changed after the run?", f.Database(), source, strings.Join(tables, ", ")))
	} else {
		equal = append(equal, store.DatabaseName)
	}
	return equal, nil
}
