// Package plantest makes run folders for tests, without running anything.
package plantest

import (
	"log/slog"
	"path/filepath"
	"testing"

	"descbench/eval/record"
	"descbench/pipeline/config/configtest"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"descbench/pipeline/store/records"
	"descbench/pipeline/store/unitfile"
)

// Options are those of a run of two jobs that logs nothing.
func Options(cache string) plan.Options {
	return plan.Options{Jobs: 2, CacheDir: cache, Log: slog.New(slog.DiscardHandler)}
}

// Prepare makes the folder of a run of scenes.
func Prepare(t testing.TB, config string, scenes ...string) plan.Folder {
	t.Helper()
	p, err := plan.New(configtest.Load(t, t.TempDir(), config), scenes)
	check(t, err)
	f, err := plan.Prepare(p, plan.Options{})
	check(t, err)
	return f
}

// WriteUnits writes what evaluations leave of scenes, whose digests are their names:
// the records that unit makes of a descriptor and a scene.
func WriteUnits(t testing.TB, f plan.Folder, descriptors, scenes []string, unit func(descriptor, scene int) unitfile.EvalUnit) {
	t.Helper()
	p, err := f.Plan()
	check(t, err)
	units, err := f.Units(p)
	check(t, err)
	for i, scene := range scenes {
		s := units.Scene(plan.SceneRecord{Name: scene, Digest: scene})
		for d, descriptor := range descriptors {
			check(t, plan.Put(s, s.Eval(descriptor), unitfile.Eval, unit(d, i)))
		}
		check(t, s.Write())
	}
}

// WriteTimes writes the computation times of a scene by descriptor, in place of others.
func WriteTimes(t testing.TB, f plan.Folder, scene string, times map[string][]store.Timing) {
	t.Helper()
	check(t, f.WriteJSON(filepath.Join(string(f), "times", scene+".json"), map[string]any{"times": times}))
}

// WriteResults writes what a fold leaves for comparisons and charts.
func WriteResults(t testing.TB, f plan.Folder, run store.Run, pairs []record.Pair) {
	t.Helper()
	writer, err := records.NewWriter[record.Pair](f.Pairs(), run.Experiment)
	check(t, err)
	check(t, writer.Add(pairs))
	check(t, writer.Close())
	metrics, err := store.NewMetricsWriter(f.Metrics())
	check(t, err)
	for _, r := range run.Results {
		check(t, metrics.Add(r))
	}
	check(t, metrics.Close())
	p, err := f.Plan()
	check(t, err)
	e := p.Config.Evaluation
	e.ExcludeInvalidTruths = e.ExcludeInvalid && e.ExcludeInvalidTruths
	run.Protocol = store.Protocol{Options: e.Options}
	check(t, store.WriteSummary(f.Summary(), store.NewSummary(run)))
	check(t, store.WriteSums(string(f), "metrics.csv", "pairs.parquet", "summary.json"))
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
