package fold

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/files"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Contradictions calls report with an error for each file whose content contradicts that of
// another one, as far as they can be read: config, summary, metrics and database of a run.
func Contradictions(ctx context.Context, f plan.Folder, report func(path string, err error)) {
	r, err := load(string(f))
	if err != nil {
		return
	}
	check := func(path string, err error) {
		if err != nil && !store.Unusable(err) && !errors.Is(err, fs.ErrNotExist) {
			report(path, err)
		}
	}
	check(f.Summary(), r.checkSummary())
	keys, err := r.Summary.Contradicts(ctx, f.Database())
	rows, unread := store.ReadResults(ctx, f.Database(), "scope NOT LIKE 'pair:%'") // of which there are many
	if err = cmp.Or(err, unread); err != nil {
		check(f.Database(), plan.Fault(err))
		return
	}
	other := func(path string, keys []string) {
		if len(keys) > 0 {
			report(path, plan.Faultf("%s: %s has other values of %s; changed after the run?", path, store.DatabaseName, spelling.Few(keys, 5)))
		}
	}
	other(f.Summary(), keys)
	stored := make(map[string]string) // those that metrics.csv does not have as they are
	for _, row := range rows {
		for _, m := range row.Metrics {
			stored[named(row.Descriptor, m)] = fmt.Sprint(m)
		}
	}
	err = r.EachMetric(func(descriptor string, m scope.Metric) {
		if name := named(descriptor, m); stored[name] == fmt.Sprint(m) {
			delete(stored, name)
		} else if scope.Parse(m.Scope).Kind != scope.OnePair {
			stored[name] = ""
		}
	})
	if check(f.Summary(), err); err == nil {
		other(f.Metrics(), slices.Sorted(maps.Keys(stored)))
	}
	otherConfig(f, rows, r.Config, report)
}

// named names a metric of a descriptor in messages.
func named(descriptor string, m scope.Metric) string {
	return m.Name + " of " + descriptor + " in " + m.Scope
}

// otherConfig calls report if the database of a run, which has been read, has a config with
// other settings than its own, or other scenes.
func otherConfig(f plan.Folder, rows []store.ResultRow, is *config.Config, report func(path string, err error)) {
	if len(rows) == 0 {
		return // of which others say
	}
	was, err := config.Parse(f.Config(), []byte(rows[0].Config))
	if err != nil {
		report(f.Database(), plan.Faultf("%s: config: %w", f.Database(), err))
		return
	}
	differs := config.Diff(was, is)
	if was.Dataset.Root != is.Dataset.Root {
		differs = append(differs, fmt.Sprintf("dataset.root: %s -> %s", was.Dataset.Root, is.Dataset.Root))
	}
	if len(differs) > 0 {
		report(f.Config(), plan.Faultf("%s: %s has another config; changed after the run? %s", f.Config(), store.DatabaseName, spelling.Few(differs, 3)))
	}
}

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
	run, err := Fold(ctx, again)
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
			report(path, plan.Faultf("%s: %s; changed after the run?", path, cmp.Or(otherLine(path, filepath.Join(dir, name)), "the units give other values")))
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
	if rows, err := store.ReadResults(ctx, f.Database(), ""); err == nil {
		otherConfig(f, rows, run.Config, report)
	}
	return equal, nil
}

// maxShown limits a file of which otherLine shows a line, in bytes.
const maxShown = 1 << 30

// otherLine returns the first line of metrics.csv or summary.json that differs from the right one.
func otherLine(path, right string) string {
	if filepath.Ext(path) == ".parquet" {
		return ""
	}
	was, err := files.Read(path, maxShown)
	is, _ := files.Read(right, maxShown)
	if err != nil {
		return ""
	}
	lines := strings.Split(string(is), "\n")
	for i, line := range strings.Split(string(was), "\n") {
		if i >= len(lines) || line != lines[i] {
			return fmt.Sprintf("line %d: the file has %.200s; the units give %.200s", i+1, line, strings.Join(lines[min(i, len(lines)):min(i+1, len(lines))], ""))
		}
	}
	return ""
}
