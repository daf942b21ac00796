package fold

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/scope"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Recompute folds the units of a run in a temporary folder and calls report, with an error,
// for each result that the units give otherwise. It returns the names of those that are equal,
// nil if they cannot be computed.
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
	_, err = Fold(ctx, again)
	var failed *plan.FailedScenesError
	if err != nil && !errors.As(err, &failed) {
		if ctx.Err() != nil {
			return nil, err
		}
		report(string(f), plan.Faultf("the results cannot be recomputed: %s", strings.ReplaceAll(err.Error(), dir, string(f))))
		return nil, nil
	}
	was, equal := f.Digests(), []string{}
	digests := again.Digests()
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		if path := filepath.Join(string(f), name); was[name] != digests[name] {
			other := ""
			if path == f.Metrics() {
				other = otherMetric(path, again.Metrics())
			}
			report(path, plan.Faultf("%s: %s; changed after the run?", path, cmp.Or(other, "the units give other values")))
		} else {
			equal = append(equal, name)
		}
	}
	claimed, err := f.ReadEnvironment()
	if err != nil {
		return nil, err
	}
	units, err := again.ReadEnvironment() // rewritten with the digests of the units
	if err != nil {
		return nil, err
	}
	for _, scene := range slices.Sorted(maps.Keys(units.Scenes)) {
		if claimed.Scenes[scene] != units.Scenes[scene] {
			report(f.Environment(), plan.Faultf("%s: %s has the digest %.12s, its units have %.12s; changed after the run?", f.Environment(), scene, claimed.Scenes[scene], units.Scenes[scene]))
		}
	}
	if tables, err := store.Differing(ctx, again.Database(), f.Database()); errors.Is(err, store.ErrDamaged) {
		return equal, nil // which its checksum shows
	} else if err != nil {
		report(f.Database(), plan.Fault(err))
	} else if len(tables) > 0 {
		report(f.Database(), plan.Faultf("%s: differs from what the units give: %s; changed after the run?", f.Database(), strings.Join(tables, ", ")))
	} else {
		equal = append(equal, store.DatabaseName)
	}
	return equal, nil
}

// otherMetric names the first metric in the metrics.csv at path that is not as in the right one.
func otherMetric(path, right string) (other string) {
	values := make(map[[3]string]scope.Metric)
	err := store.ReadMetricsCSV(right, func(descriptor string, m scope.Metric) { values[[3]string{descriptor, m.Scope, m.Name}] = m })
	if err != nil {
		return ""
	}
	_ = store.ReadMetricsCSV(path, func(descriptor string, m scope.Metric) { // its checksum is reported otherwise
		is, there := values[[3]string{descriptor, m.Scope, m.Name}]
		switch name := m.Name + " of " + descriptor + " in " + m.Scope; {
		case other != "" || fmt.Sprint(m) == fmt.Sprint(is):
		case !there:
			other = fmt.Sprintf("%s is %g, the units give none", name, m.Value)
		case m.Value != is.Value:
			other = fmt.Sprintf("%s is %g, the units give %g", name, m.Value, is.Value)
		default:
			other = name + " has another interval or number of scenes than the units give"
		}
	})
	return other
}
