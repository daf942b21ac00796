package eval_test

import (
	"math"
	"strings"
	"testing"

	"descbench/eval"
	"descbench/eval/binary"
	"descbench/eval/matching"
	"descbench/eval/tasks"
)

// reported returns the names of all metrics that this module reports, the
// numbers of cut-offs replaced by K.
func reported(t *testing.T) map[string]string {
	t.Helper()
	names := make(map[string]string)
	add := func(group string, list []eval.Metric) {
		for _, m := range list {
			name := m.Name
			if i := strings.LastIndex(name, "_at_"); i >= 0 {
				name = name[:i] + "_at_K"
			}
			if i := strings.Index(name, "@"); i >= 0 {
				name = name[:i] + "@K"
			}
			name = strings.TrimSuffix(name, "_std")
			names[name] = group
		}
	}
	a := eval.NewAccumulator("d", eval.Options{TolerancePx: 3, Cutoffs: []int{1, 10}, FixedGallery: true})
	quality := matching.NewAccumulator("d", matching.Options{TolerancePx: 3})
	for _, scene := range []string{"v_a", "i_b", "other"} {
		pair := eval.Pair{Descriptor: "d", Scene: scene, K: 2, Keypoints1: 1, KeypointsK: 1}
		query := eval.Query{Descriptor: "d", Scene: scene, K: 2, TruthError: 1, NearestError: 1, Candidates: 1}
		if err := a.Add(pair, []eval.Query{query}); err != nil {
			t.Fatal(err)
		}
		pair.Shared1, pair.SharedK, pair.Repeated1, pair.RepeatedK = 1, 2, 1, 1
		pair.KeypointsK, query.Mutual, query.Shared, query.Second, query.SecondDistance = 2, true, true, 1, 1
		if err := quality.Add(pair, []eval.Query{query}, matching.FactsOf(&pair)); err != nil {
			t.Fatal(err)
		}
	}
	add("ranking", a.Result().Metrics)
	add("matching", quality.Result().Metrics)
	workbench := tasks.NewWorkbenchAccumulator("d", tasks.Workbench{TolerancePx: 3, DistractorsPerScene: 1}, "count")
	bojanic := tasks.NewBojanicAccumulator("d", tasks.Bojanic{N: 1, Repetitions: 2})
	for _, scene := range []string{"v_a", "i_b"} {
		err := workbench.Add(tasks.WorkbenchRecord{
			Descriptor: "d", Scene: scene, VerificationAP: 1, TruePositives: 1, HardNegatives: 1,
			Queries: 1, RetrievalQueries: 1, RetrievalAPSum: 1, RetrievalAPSumIgnoring: 1, PoolScenes: 1,
		})
		if err != nil {
			t.Fatal(err)
		}
		var records []tasks.BojanicRecord
		for r := range int32(2) {
			records = append(records,
				tasks.BojanicRecord{Descriptor: "d", Scene: scene, Repetition: r, K: 2, Correct: true, Distance: 1, AP: math.NaN()},
				tasks.BojanicRecord{Descriptor: "d", Scene: scene, Repetition: r, K: 0, AP: 1, Distance: math.NaN()})
		}
		if err := bojanic.Add(scene, records); err != nil {
			t.Fatal(err)
		}
	}
	figures, _ := workbench.Result()
	add("tasks", figures)
	metrics, _, err := bojanic.Result(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	add("tasks", metrics)
	var samples binary.Samples
	samples.Add(true, 1, 3)
	samples.Add(false, 2, 4)
	curve, err := samples.Curve()
	if err != nil {
		t.Fatal(err)
	}
	add("classification", curve.Summary().Metrics("all"))
	add("classification", curve.At(2).Metrics("all"))
	return names
}

func TestEveryReportedMetricIsDefinedAndEveryDefinedOneIsReported(t *testing.T) {
	names := reported(t)
	for name, group := range names {
		d, ok := eval.Define(name)
		if !ok || d.Name != name || d.Group != group {
			t.Errorf("%s of group %s: defined is %+v, %v", name, group, d, ok)
		}
	}
	for _, d := range eval.Catalogue() {
		if names[d.Name] == "" {
			t.Errorf("%s is defined, but never reported", d.Name)
		}
	}
}

func TestEveryDefinitionIsCompleteAndNamesAreUsedOnce(t *testing.T) {
	seen := make(map[string]string)
	for _, d := range eval.Catalogue() {
		for what, text := range map[string]string{
			"name": d.Name, "group": d.Group, "what": d.What, "range": d.Range, "source": d.Source, "use": d.Use, "avoid": d.Avoid,
		} {
			if text == "" || strings.ContainsAny(text, "\n\t") || strings.TrimSpace(text) != text {
				t.Errorf("%s: %s is %q, want one line", d.Name, what, text)
			}
		}
		if d.Better != "higher" && d.Better != "lower" && d.Better != "" {
			t.Errorf("%s: better is %q", d.Name, d.Better)
		}
		names := []string{d.Name}
		if d.Also != "" {
			names = append(names, strings.Split(d.Also, ", ")...)
		}
		for _, name := range names {
			if seen[name] != "" {
				t.Errorf("%s is a name of %s and of %s", name, seen[name], d.Name)
			}
			seen[name] = d.Name
		}
	}
}

func TestMetricsAreFoundByTheirNamesWithANumberAndByOtherNames(t *testing.T) {
	for name, want := range map[string]string{
		"precision_at_5": "precision_at_K", "precision_at_K": "precision_at_K", "recall_at_1000": "recall_at_K",
		"true_map_macro": "true_map_macro_by_scene", "sensitivity": "true_positive_rate", "recall": "true_positive_rate",
		"mma@3": "mma@K", "ratio_recall@0.80": "ratio_recall@K", "mma@": "", "mma@1e3": "", "mma": "", "precision_at_": "", "precision_at_05": "", "precision_at_x": "", "precision_at_5x": "", "": "", "map": "",
	} {
		d, ok := eval.Define(name)
		if d.Name != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", name, d.Name, ok, want)
		}
	}
}
