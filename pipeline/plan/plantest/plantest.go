// Package plantest makes run folders for tests, without running anything.
package plantest

import (
	"log/slog"
	"path/filepath"
	"testing"

	"descbench/eval/must"
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
	p := must.Get(plan.New(configtest.Load(t, t.TempDir(), config), scenes))(t)
	return must.Get(plan.Prepare(p, plan.Options{}))(t)
}

// WriteUnits writes what evaluations leave of scenes, whose digests are their names:
// the records that unit makes of a descriptor and a scene.
func WriteUnits(t testing.TB, f plan.Folder, descriptors, scenes []string, unit func(descriptor, scene int) unitfile.EvalUnit) {
	t.Helper()
	units := must.Get(f.Units(must.Get(f.Plan())(t)))(t)
	for i, scene := range scenes {
		s := units.Scene(plan.SceneRecord{Name: scene, Digest: scene})
		for d, descriptor := range descriptors {
			must.Do(t, plan.Put(s, s.Eval(descriptor), unitfile.Eval, unit(d, i)))
		}
		must.Do(t, s.Write())
	}
}

// WriteTimes writes the computation times of a scene by descriptor, in place of others.
func WriteTimes(t testing.TB, f plan.Folder, scene string, times map[string][]store.Timing) {
	t.Helper()
	must.Do(t, f.WriteJSON(filepath.Join(string(f), "times", scene+".json"), map[string]any{"times": times}))
}

// WriteResults writes what a fold leaves for comparisons and charts.
func WriteResults(t testing.TB, f plan.Folder, run store.Run, pairs []record.Pair) {
	t.Helper()
	writer := must.Get(records.NewWriter[record.Pair](f.Pairs(), run.Experiment))(t)
	must.Do(t, writer.Add(pairs))
	must.Do(t, writer.Close())
	metrics := must.Get(store.NewMetricsWriter(f.Metrics()))(t)
	for _, r := range run.Results {
		must.Do(t, metrics.Add(r))
	}
	must.Do(t, metrics.Close())
	e := must.Get(f.Plan())(t).Config.Evaluation
	e.ExcludeInvalidTruths = e.ExcludeInvalid && e.ExcludeInvalidTruths
	run.Protocol = store.Protocol{Options: e.Options}
	must.Do(t, store.WriteSummary(f.Summary(), store.NewSummary(run)))
	must.Do(t, store.WriteSums(string(f), "metrics.csv", "pairs.parquet", "summary.json"))
}
