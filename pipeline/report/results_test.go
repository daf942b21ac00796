package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"descbench/eval/fact"
	"descbench/eval/must"
	"descbench/eval/scope"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// partial returns a run of five scenes of which one failed for one of three
// descriptors.
func partial() *store.Summary {
	s := &store.Summary{ScenesRequested: 5, ScenesEvaluated: 4, FailedScenes: map[string][]store.Failure{"v_c": {{Descriptors: []string{"mine"}, Reason: "v_c/3.ppm: no rows"}}}}
	for _, name := range []string{"mine", "sift", "rootsift"} {
		d := store.SummaryDescriptor{Name: name, Scenes: map[string]store.SummaryScene{"i_a": {}, "i_b": {}, "v_a": {}, "v_b": {}, "v_c": {}}}
		d.Metrics = store.Figures{{Name: "true_map_micro", Value: map[string]float64{"mine": 0.9, "sift": 0.5, "rootsift": 0.6}[name]}}
		if name == "mine" {
			delete(d.Scenes, "v_c")
		}
		s.Descriptors = append(s.Descriptors, d)
	}
	return s
}

// newRun returns a run with the systems of a summary.
func newRun(s *store.Summary) *fold.Run {
	r := &fold.Run{Config: &config.Config{}, Summary: s}
	for _, d := range s.Descriptors {
		system := &fold.System{Name: d.Name, Descriptor: d.Name, Run: r, Summary: d}
		for _, m := range d.Metrics {
			system.Add(scope.Metric{Scope: scope.All, Name: m.Name, Value: m.Value, Low: math.NaN(), High: math.NaN()})
		}
		r.Systems = append(r.Systems, system)
	}
	return r
}

func TestScenesAreCountedByCategoryAndOrigin(t *testing.T) {
	five := []string{"i_a", "i_b", "v_a", "v_b", "v_c"}
	for want, scenes := range map[string]Scenes{
		"5 scenes (3 viewpoint, 2 illumination)":                           {Names: five, Requested: 5},
		"5 of 7 scenes (3 viewpoint, 2 illumination)":                      {Names: five, Requested: 7},
		"5 selected scenes (3 viewpoint, 2 illumination; 3 from HPatches)": {Names: five, HPatches: 3, Selected: true},
		"5 HPatches scenes (3 viewpoint, 2 illumination)":                  {Names: five, HPatches: 5},
		"1 selected HPatches viewpoint scene":                              {Names: five[4:], Requested: 1, HPatches: 1, Selected: true},
		"1 of 2 illumination scenes":                                       {Names: five[:1], Requested: 2},
		"0 of 2 scenes":                                                    {Requested: 2},
		"3 to 5 shared scenes":                                             {Names: five, Fewest: 3, HPatches: 5},
		"3 to 5 of 7 scenes (3 viewpoint, 2 illumination)":                 {Names: five, Requested: 7, Fewest: 3},
		"5 sequences (3 viewpoint, 2 illumination)":                        {Names: five, Noun: "sequence"},
		"2 of 3 scenes (1 illumination, 1 other)":                          {Names: []string{"own", "i_a"}, Requested: 3},
	} {
		if got := scenes.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestASceneThatFailedForOneDescriptorIsSaidOfThatOneOnly(t *testing.T) {
	s := partial()
	if got, want := SharedScenes(s), []string{"i_a", "i_b", "v_a", "v_b"}; !slices.Equal(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := FewestScenes("all", newRun(s))["all"]; got != 5 { // the lines over 4 have no intervals
		t.Errorf("intervals over %d scenes, want 5", got)
	}
	said := func(facts []fact.Fact) []string { return notes.Strings(notes.Lines(facts)) }
	const failed, all = "FAILED (excluded for this descriptor): v_c", "FAILED (excluded from all metrics): v_c"
	if got := said(Failures(s)); !slices.Equal(got, []string{"mine: " + failed + "/3.ppm: no rows"}) {
		t.Errorf("got %q", got)
	}
	each := partial()
	each.FailedScenes["v_c"] = []store.Failure{{Descriptors: []string{"mine"}, Reason: "a; b"}, {Descriptors: []string{"sift"}, Reason: "c"}}
	if got := said(Failures(each)); !slices.Equal(got, []string{"mine: " + failed + ": a; b", "sift: " + failed + ": c"}) {
		t.Errorf("two reasons: got %q", got)
	}
	each.FailedScenes["v_c"] = []store.Failure{{Descriptors: []string{"mine", "sift", "rootsift"}, Reason: "c"}}
	if got := said(Failures(each)); !slices.Equal(got, []string{all + ": c"}) {
		t.Errorf("of all: got %q", got)
	}
	for reason, more := range map[string]string{"v_d/3.ppm: no rows": "", "v_d/3.ppm: 3 rows": "; some for other reasons: descbench status lists them"} {
		two := partial()
		two.FailedScenes["v_d"] = []store.Failure{{Descriptors: []string{"mine"}, Reason: reason}}
		if got, want := said(Failures(two)), "mine: FAILED (excluded for this descriptor): 2 scenes (v_c, v_d): v_c/3.ppm: no rows"+more; !slices.Equal(got, []string{want}) {
			t.Errorf("two scenes: got %q, want %q", got, want)
		}
	}
	if got, want := said(LackingScenes(s)), "mine: over 4 scenes only, without v_c; descbench compare uses the shared scenes"; len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %s", got, want)
	}
	s.Descriptors = append(s.Descriptors[1:], store.SummaryDescriptor{Name: "surf"})
	if got := SharedScenes(s); len(got) != 5 {
		t.Errorf("without any of surf: got %s", got)
	}
	s.Descriptors = s.Descriptors[:2]
	if got := Failures(s); got != nil {
		t.Errorf("without mine: got %v", got)
	}
}

func TestTheBestIsMarkedAmongDescriptorsOfTheSameScenes(t *testing.T) {
	results, _ := ResultsTable(Lines(newRun(partial()), scope.All, nil), RankingColumns(nil))
	var b strings.Builder
	must.Do(t, results.Write(&b, table.Markdown, 0))
	for _, want := range []string{"| mine | 4 (of 5) | 90.00 |", "| sift | 5 (of 5) | 50.00 |", "| rootsift | 5 (of 5) | **60.00** |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("got\n%s\nwant %s", b.String(), want)
		}
	}
}

func TestTimeIsSortedFastestFirstAndHasNoBest(t *testing.T) {
	lines := []Line{
		{Name: "slow", Group: "a", Metrics: map[string]scope.Metric{}, Seconds: 9},
		{Name: "fast", Group: "a", Metrics: map[string]scope.Metric{}, Seconds: 2, Cached: "cached"},
	}
	results, _ := ResultsTable(lines, RankingColumns(nil))
	must.Do(t, results.SortBy("time"))
	var b strings.Builder
	must.Do(t, results.Write(&b, table.CSV, 0))
	if want := "descriptor,time,time_note\nfast,2,cached\nslow,9,\n"; b.String() != want {
		t.Errorf("got %s, want %s", b.String(), want)
	}
	b.Reset()
	if must.Do(t, results.Write(&b, table.AsText, 0)); strings.Contains(b.String(), "*") {
		t.Error("a time is marked as the best, although it lacks what came from the cache")
	}
}

func TestIntervalsOverFewerThanTenScenesAreSaidToBeTooNarrow(t *testing.T) {
	of := table.New(table.Titled("descriptor", table.Words, 0), table.Titled("map_macro", table.Share, 0), table.Titled("viewpoint_map", table.Share, 0))
	of.Add(table.Text("sift"), table.Between(0.5, 0.4, 0.6), table.Between(0.5, 0.4, 0.6))
	for _, test := range []struct {
		scenes map[string]int
		want   string
	}{
		{map[string]int{"all": 5, "viewpoint": 2}, ", too narrow with only 5"},
		{map[string]int{"all": 9}, ", too narrow with only 9"}, // P(|t| < 1.848) = 0.898 with 8 degrees of freedom
		{map[string]int{"all": 10}, ""},                        // P(|t| < 1.859) = 0.904 with 9
		{map[string]int{"all": 11, "viewpoint": 5, "illumination": 5}, ", too narrow with only 5 viewpoint"},
		{map[string]int{"all": 116, "viewpoint": 59}, ""},
	} {
		if got, want := Interval(of, "scenes", test.scenes), "95 % bootstrap CI over scenes"+test.want; got != want {
			t.Errorf("%v: got %q, want %q", test.scenes, got, want)
		}
	}
}
