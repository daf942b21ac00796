package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"

	"descbench/eval/scope"
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

func TestTheHeaderCountsScenesWithoutMAP(t *testing.T) {
	ap := new(float64)
	of := func(name string, ranked bool, scenes ...*float64) (d store.SummaryDescriptor) {
		d = store.SummaryDescriptor{Name: name, Scenes: make(map[string]store.SummaryScene)}
		for i, v := range scenes {
			d.Scenes[fmt.Sprint("v_", i)] = store.SummaryScene{TrueMAP: v}
		}
		if ranked {
			d.Metrics = store.Figures{{Name: "coverage"}}
		}
		return d
	}
	imported := of("imported", false, nil, nil, nil)
	for want, descriptors := range map[string][]store.SummaryDescriptor{
		"3 of 3 scenes (3 viewpoint)":                                                 {of("sift", true, ap, ap, ap), imported},
		"3 of 3 scenes (3 viewpoint), 2 of 3 for map":                                 {of("sift", true, ap, nil, ap), imported},
		"3 of 3 scenes (3 viewpoint), 2 of 3 for map of sift":                         {of("sift", true, ap, nil, ap), of("surf", true, ap, ap, ap)},
		"3 of 3 scenes (3 viewpoint), 2 of 3 for map of sift, 0 of 3 for map of surf": {of("sift", true, ap, nil, ap), of("surf", true, nil, nil, nil)},
	} {
		if got := ScenesBehind(&store.Summary{ScenesRequested: 3, Descriptors: descriptors}, nil); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestASceneThatFailedForOneDescriptorIsSaidOfThatOneOnly(t *testing.T) {
	s := partial()
	if got, want := ScenesBehind(s, nil), "4 of 5 scenes with results of every descriptor (2 viewpoint, 2 illumination), failed: v_c"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := FewestScenes("all", s)["all"]; got != 5 { // the lines over 4 have no intervals
		t.Errorf("intervals over %d scenes, want 5", got)
	}
	if got := GroupedFailures(Failures(s)); !slices.Equal(got, []string{"FAILED for mine: v_c/3.ppm: no rows"}) {
		t.Errorf("got %v", got)
	}
	several := []Failure{{Scene: "v_a", Of: []string{"mine"}, Reason: "v_a/1.png: ValueError"}, {Scene: "v_b", Of: []string{"mine"}, Reason: "v_b/1.png: ValueError"}}
	if got, want := GroupedFailures(several), "FAILED for mine: 2 scenes (v_a, v_b): SCENE/1.png: ValueError"; len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %s", got, want)
	}
	each := partial()
	delete(each.Descriptors[1].Scenes, "v_c")
	each.FailedScenes["v_c"] = []store.Failure{{Descriptors: []string{"mine"}, Reason: "a; b"}, {Descriptors: []string{"sift"}, Reason: "c"}}
	if got := GroupedFailures(Failures(each)); !slices.Equal(got, []string{"FAILED for mine: v_c: a; b", "FAILED for sift: v_c: c"}) {
		t.Errorf("two reasons: got %q", got)
	}
	if got, want := ScenesNote(s), "(mine over 4, without v_c; sift over 5; rootsift over 5)"; !strings.Contains(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
	s.Descriptors = append(s.Descriptors[1:], store.SummaryDescriptor{Name: "surf"})
	if got, want := ScenesBehind(s, nil), "5 of 5 scenes (3 viewpoint, 2 illumination), failed in all: surf"; got != want {
		t.Errorf("without any of surf: got %s, want %s", got, want)
	}
	s.Descriptors = s.Descriptors[:2]
	if got, want := ScenesBehind(s, []string{"v_a"}), "5 of 5 selected scenes (3 viewpoint, 2 illumination)"; got != want {
		t.Errorf("without mine: got %s, want %s", got, want)
	}
	if got := Failures(s); got != nil {
		t.Errorf("without mine: got %v", got)
	}
}

func TestTheBestIsMarkedAmongDescriptorsOfTheSameScenes(t *testing.T) {
	lines := SummaryLines(partial(), nil, func(string) string { return "points" })
	results, _ := ResultsTable(lines, RankingColumns(nil))
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
	if _, _, best := results.Shows(); best > 0 {
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
		{map[string]int{"all": 5, "viewpoint": 2}, "; with only 5 scenes the true interval is wider"},
		{map[string]int{"all": 9}, "; with only 9 scenes the true interval is wider"}, // P(|t| < 1.848) = 0.898 with 8 degrees of freedom
		{map[string]int{"all": 10}, ""}, // P(|t| < 1.859) = 0.904 with 9
		{map[string]int{"all": 11, "viewpoint": 5, "illumination": 5}, "; with only 5 viewpoint scenes the true interval is wider"},
		{map[string]int{"all": 116, "viewpoint": 59}, ""},
	} {
		if got, want := intervalNote(of, test.scenes), "± 95 % bootstrap interval over scenes (its longer side)"+test.want; got != want {
			t.Errorf("%v: got %q, want %q", test.scenes, got, want)
		}
	}
}

func TestDifferentKeypointsAreDescribed(t *testing.T) {
	for _, c := range []struct {
		names, keypoints []string
		want             string
	}{
		{[]string{"a", "b"}, []string{"detect sift", "detect sift"}, "Keypoints: detect sift"},
		{[]string{"a", "b", "c"}, []string{"detect sift, top 300", "detect surf", "detect sift, top 300"}, "Keypoints differ: a, c (detect sift, top 300) and b (detect surf)"},
		{[]string{"a", "b"}, []string{"detect surf (x=1, y=2), border 40 px, top 9", "detect kaze (y=2), border 40 px, top 9"}, "Keypoints differ: a (detect surf (x=1, y=2)) and b (detect kaze (y=2)), all with border 40 px, top 9"},
		{[]string{"a", "b"}, []string{"detect sift", ""}, "Keypoints differ: a (detect sift) and b (matches only)"},
		{[]string{"a"}, []string{""}, ""},
	} {
		if got := Whose("Keypoints", "sets", c.names, c.keypoints); got != c.want {
			t.Errorf("%v: %q, want %q", c.keypoints, got, c.want)
		}
	}
}

func TestLongSettingsNameDescriptorsOfTheSameSettingsTogether(t *testing.T) {
	of := func(names, settings string) (list []string) {
		for range strings.Fields(names) {
			list = append(list, settings)
		}
		return list
	}
	long := "pooling.scales: [" + strings.Repeat("1.5, ", 20) + "2]"
	for _, c := range []struct {
		names    string
		settings []string
		want     string
	}{
		{"sift root", []string{"", "root: l1"}, "root (root: l1)"},
		{"a b", of("a b", "root: l1, pyramid: opencv"), "a (root: l1, pyramid: opencv), b (root: l1, pyramid: opencv)"},
		{"a b sift c", append(of("a b", long), "", long), "a, b and c (" + long + ")"},
		{"a b", []string{long + ", x", long + ", " + long}, "see config.yaml of the run"},
		{"a b c d e f g h i", of("a b c d e f g h i", long), "see config.yaml of the run"},
	} {
		if got := SettingsOf(strings.Fields(c.names), c.settings); got != c.want {
			t.Errorf("%s: got %q, want %q", c.names, got, c.want)
		}
	}
}
