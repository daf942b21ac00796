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

	"descbench/eval/catalogue"
	"descbench/eval/spelling"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Recompute folds the units of a run in a temporary folder and calls report, with an error,
// for each result that the units give otherwise.
func Recompute(ctx context.Context, f plan.Folder, report func(path string, err error)) error {
	dir, err := os.MkdirTemp("", "descbench-verify-")
	if err != nil {
		return plan.Fault(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	again := plan.Folder(dir)
	entries, err := os.ReadDir(string(f))
	if err != nil {
		return plan.Fault(err)
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
			return plan.Fault(err)
		}
	}
	outcome, err := Fold(ctx, again)
	var failed *plan.FailedScenesError
	if err != nil && !errors.As(err, &failed) {
		if ctx.Err() != nil {
			return err
		}
		return plan.Faultf("the results cannot be recomputed: %s", strings.ReplaceAll(err.Error(), dir, string(f)))
	}
	was := f.Digests()
	digests := again.Digests()
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		if path := filepath.Join(string(f), name); was[name] != digests[name] {
			report(path, plan.Faultf("%s: the units give other values%s; changed after the run?", path, cmp.Or(otherMetrics(f, path, outcome.Summary), otherLine(path, filepath.Join(dir, name)))))
		}
	}
	claimed, err := f.ReadEnvironment()
	if err != nil {
		return err
	}
	units, err := again.ReadEnvironment() // rewritten with the digests of the units
	if err != nil {
		return err
	}
	for _, scene := range slices.Sorted(maps.Keys(units.Scenes)) {
		if claimed.Scenes[scene] != units.Scenes[scene] {
			report(f.Environment(), plan.Faultf("%s: %s has the digest %.12s, its units have %.12s; changed after the run?", f.Environment(), scene, claimed.Scenes[scene], units.Scenes[scene]))
		}
	}
	if tables, err := store.Differing(ctx, again.Database(), f.Database()); err != nil {
		report(f.Database(), plan.Fault(err))
	} else if len(tables) > 0 {
		report(f.Database(), plan.Faultf("%s: the units give other values in %s; changed after the run?", f.Database(), strings.Join(tables, ", ")))
	}
	return nil
}

// otherMetrics names main metrics that a summary has otherwise than the units give.
func otherMetrics(f plan.Folder, path string, right *store.Summary) string {
	found, err := store.ReadSummary(f.Summary())
	if path != f.Summary() || err != nil {
		return ""
	}
	was := make(map[string]float64)
	for _, d := range found.Descriptors {
		for _, m := range d.Metrics {
			was[d.Name+"\x00"+m.Name] = m.Value
		}
	}
	var texts []string
	for _, d := range right.Descriptors {
		for _, m := range d.Metrics {
			if v, there := was[d.Name+"\x00"+m.Name]; !there || v != m.Value {
				texts = append(texts, fmt.Sprintf("%s %s is %g there, and %g from the units", d.Name, catalogue.Short(m.Name), v, m.Value))
			}
		}
	}
	if len(texts) == 0 {
		return ""
	}
	return ": " + spelling.Few(texts, 3)
}

// otherLine returns the first line of metrics.csv that differs from the right one.
func otherLine(path, right string) string {
	if filepath.Ext(path) != ".csv" {
		return ""
	}
	was, _ := os.ReadFile(path)
	is, _ := os.ReadFile(right)
	lines := strings.Split(string(is), "\n")
	for i, line := range strings.Split(string(was), "\n") {
		if i >= len(lines) || line != lines[i] {
			return fmt.Sprintf(": line %d is %.200s there, and %.200s from the units", i+1, line, strings.Join(lines[min(i, len(lines)):min(i+1, len(lines))], ""))
		}
	}
	return ""
}
