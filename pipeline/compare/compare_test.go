package compare

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/must"
	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan/plantest"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

// A madeRun is a run folder with what compare reads, and nothing else.
type madeRun struct {
	name     string
	settings string                        // of the evaluation section
	values   map[string]map[string]float64 // true_map_micro by descriptor and scene; NaN: undefined
	images   string                        // part of the digests of scenes
	keypoint string                        // part of the digests of sets
	sets     map[string]string             // names by descriptor, unless it is s
	variants map[string]string             // by descriptor: labels of a matrix
}

// write makes the folder of the run.
func (r madeRun) write(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), r.name)
	scenes := make(map[string]bool)
	run := store.Run{Experiment: r.name, ScenesRequested: 1}
	var pairs []record.Pair
	lines := "experiment: {name: " + r.name + "}\ndataset: {root: /nowhere}\nevaluation: {" + r.settings + "}\n" +
		"keypoint_sets:\n  - {name: s, detect: {type: sift}, border: 0}\n"
	for i, set := range slices.Compact(slices.Sorted(maps.Values(r.sets))) {
		lines += fmt.Sprintf("  - {name: %s, detect: {type: sift}, border: %d}\n", set, 1+i)
	}
	lines += "descriptors:\n"
	for _, d := range slices.Sorted(maps.Keys(r.values)) {
		lines += "  - {name: " + d + ", type: sift, keypoints: " + cmp.Or(r.sets[d], "s")
		if v := r.variants[d]; v != "" {
			lines += ", variant: {name: x, matrix: {" + v + "}}"
		}
		lines += "}\n"
		result := ranking.Result{Descriptor: d}
		for _, scene := range slices.Sorted(maps.Keys(r.values[d])) {
			scenes[scene] = true
			pairs = append(pairs, record.Pair{Descriptor: d, Scene: scene, K: 2, SceneDigest: r.images + scene, SetDigest: r.keypoint + r.sets[d] + scene})
			if v := r.values[d][scene]; !math.IsNaN(v) {
				for _, name := range []string{"true_map_micro", "fixed_gallery_map"} {
					result.Metrics = append(result.Metrics, scope.Metric{Scope: "scene:" + scene, Name: name, Value: v, Low: math.NaN(), High: math.NaN(), N: 9})
				}
			}
		}
		run.Results = append(run.Results, result)
		run.Descriptors = append(run.Descriptors, store.Descriptor{Name: d})
	}
	f := plantest.Prepare(t, lines+"output: {root: "+filepath.Dir(dir)+"}\n", slices.Sorted(maps.Keys(scenes))...)
	plantest.WriteResults(t, f, run, pairs)
	return dir
}

// differencesIn reads a metrics.csv by itself: the differences of the mean AP of
// single scenes between two descriptors, by scene.
func differencesIn(t *testing.T, run, first, second string, scope string) (differences []float64) {
	t.Helper()
	file, err := os.Open(filepath.Join(run, "metrics.csv"))
	must.Do(t, err)
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	must.Do(t, err)
	values := make(map[string]map[string]float64)
	for _, r := range rows {
		scene, ok := strings.CutPrefix(r[1], "scene:")
		prefix := map[string]string{"all": "", "viewpoint": "v_", "illumination": "i_"}[scope]
		if !ok || r[2] != "true_map_micro" || !strings.HasPrefix(scene, prefix) {
			continue
		}
		if values[r[0]] == nil {
			values[r[0]] = make(map[string]float64)
		}
		if values[r[0]][scene], err = strconv.ParseFloat(r[3], 64); err != nil {
			t.Fatal(err)
		}
	}
	for scene, v := range values[first] {
		differences = append(differences, v-values[second][scene])
	}
	slices.Sort(differences)
	return differences
}

// drawn returns scenes with values of three descriptors: base, one that is
// better by gain, and one that differs by chance.
func drawn(scenes int, gain float64) map[string]map[string]float64 {
	rng := rand.New(rand.NewPCG(7, 9))
	values := map[string]map[string]float64{"base": {}, "better": {}, "same": {}}
	for i := range scenes {
		scene := fmt.Sprintf("%c_%03d", "vi"[i%2], i)
		values["base"][scene] = 0.2 + 0.6*rng.Float64()
		values["better"][scene] = values["base"][scene] + gain + 0.02*(rng.Float64()-0.5)
		values["same"][scene] = values["base"][scene] + 0.05*(rng.Float64()-0.5)
	}
	return values
}

// The differences are read from metrics.csv by another reader. The tests of stats compare p
// and intervals with computations of their own.
func TestComparisonOfFortyScenesAgreesWithAnIndependentComputation(t *testing.T) {
	run := madeRun{name: "run", values: drawn(40, 0.004)}.write(t)
	c := must.Get(Runs(context.Background(), []string{run}, Options{Baseline: "base"}))(t)
	if len(c.Rows) != 6 || len(c.Facts) != 0 {
		t.Errorf("%d rows, facts %v; want 6 and none", len(c.Rows), c.Facts)
	}
	var p []float64 // as compare has it, of all rows
	for _, r := range c.Rows {
		p = append(p, float64(r.P))
		differences := differencesIn(t, run, r.Descriptor, "base", r.Scope)
		n := float64(len(differences))
		mean, squares, wins := 0.0, 0.0, 0
		for _, d := range differences {
			mean += d / n
			if d > 0 {
				wins++
			}
		}
		for _, d := range differences {
			squares += (d - mean) * (d - mean)
		}
		error95 := 1.96 * math.Sqrt(squares/(n-1)) / math.Sqrt(n)
		what := r.Descriptor + " over " + r.Scope
		near := func(figure string, got, want, within float64) {
			t.Helper()
			if !(math.Abs(got-want) <= within) {
				t.Errorf("%s: %s %v, want %v ± %v", what, figure, got, want, within)
			}
		}
		near("difference", float64(r.Difference), mean, 1e-12)
		near("low", r.Interval.Low, mean-error95, 0.25*error95)
		near("high", r.Interval.High, mean+error95, 0.25*error95)
		near("effect size", float64(r.EffectSize), mean/math.Sqrt(squares/(n-1)), 1e-9)
		if r.Wins != wins || r.Wins+r.Losses != len(differences) || r.Scenes != len(differences) {
			t.Errorf("%s: %d wins and %d losses of %d scenes, want %d wins of %d", what, r.Wins, r.Losses, r.Scenes, wins, len(differences))
		}
	}
	// Holm by hand: the k-th smallest of m times m-k+1, none below the one before.
	order := []int{0, 1, 2, 3, 4, 5}
	slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, p[a]-p[b])) })
	before := 0.0
	for k, i := range order {
		before = max(before, min(1, float64(6-k)*p[i]))
		if got := float64(c.Rows[i].PHolm); math.Abs(got-before) > 1e-12 {
			t.Errorf("row %d: corrected p %v, want %v", i, got, before)
		}
		verdict := "~"
		if before <= 0.05 {
			verdict = "better"
		}
		if c.Rows[i].Verdict != verdict {
			t.Errorf("row %d: verdict %q at corrected p %v, want %q", i, c.Rows[i].Verdict, before, verdict)
		}
	}
	if got := c.Row("better", "all").Verdict; got != "better" {
		t.Errorf("a gain in all of 40 scenes is %q", got)
	}
	if got := c.Row("same", "all").Verdict; got != "~" {
		t.Errorf("chance is %q", got)
	}
	// The other way round: worse.
	back := must.Get(Runs(context.Background(), []string{run}, Options{Baseline: "better"}))(t)
	if got, wins := back.Row("base", "all"), c.Row("better", "all").Wins; got.Verdict != "worse" || got.Losses != wins {
		t.Errorf("base against better is %q with %d losses, want worse with %d", got.Verdict, got.Losses, wins)
	}
}

// always returns scenes of the given categories with values of base and of descriptors that
// are better in every scene.
func always(scenes, descriptors int, prefixes string) map[string]map[string]float64 {
	values := map[string]map[string]float64{"base": {}}
	for i := range scenes {
		scene := fmt.Sprintf("%c_%03d", prefixes[i%len(prefixes)], i)
		values["base"][scene] = 0.5
		for d := range descriptors {
			name := fmt.Sprintf("better%d", d)
			if values[name] == nil {
				values[name] = make(map[string]float64)
			}
			values[name][scene] = 0.5 + 0.01*float64(1+i+d)
		}
	}
	return values
}

// The corrected p are worked out on paper: a descriptor that is better in all of n
// scenes has p = 2/2ⁿ. An independent Holm over the family gives the k-th smallest
// of m times m-k+1.
func TestOnlyWhatCanBeDecidedCostsTheOthers(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		what      string
		values    map[string]map[string]float64
		family    int
		needed    int
		corrected map[string]float64 // of better0, by scope; NaN: not tested
		verdict   string
		note      string
	}{
		{"six scenes of one category", always(6, 1, "v"), 1, 6, map[string]float64{"all": 2. / 64, "viewpoint": 2. / 64}, "better", "over 1 comparison"},
		{"six scenes, two descriptors", always(6, 2, "v"), 0, 7, map[string]float64{"all": nan, "viewpoint": nan}, "untested", "too few for a test: 6 differing scenes; these 2 comparisons need 7: scenes of other places help, more images of these do not"},
		{"seven scenes, two descriptors", always(7, 2, "v"), 2, 7, map[string]float64{"all": 4. / 128, "viewpoint": 4. / 128}, "better", "over 2 comparisons"},
		{"six scenes of each category", always(12, 1, "vi"), 1, 7, map[string]float64{"all": 2. / 4096, "viewpoint": nan, "illumination": nan}, "better", "6 viewpoint and 6 illumination scenes are too few for tests of their own, which need 7"},
		{"seven scenes of each category", always(14, 1, "vi"), 3, 7, map[string]float64{"all": 3 * 2. / 16384, "viewpoint": 2 * 2. / 128, "illumination": 2 * 2. / 128}, "better", "over 3 comparisons"},
		{"five scenes", always(5, 1, "v"), 0, 6, map[string]float64{"all": nan, "viewpoint": nan}, "untested", "too few for a test: 5 differing scenes; a comparison needs 6: scenes of other places help, more images of these do not"},
	} {
		c, err := Runs(context.Background(), []string{madeRun{name: "run", values: test.values}.write(t)}, Options{Baseline: "base"})
		must.Do(t, err)
		if c.Family != test.family || c.ScenesNeeded != test.needed {
			t.Errorf("%s: a family of %d, %d scenes needed, want %d and %d", test.what, c.Family, c.ScenesNeeded, test.family, test.needed)
		}
		for scope, want := range test.corrected {
			row := c.Row("better0", scope)
			if got := float64(row.PHolm); math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > 1e-15 || row.Tested == math.IsNaN(want) {
				t.Errorf("%s, %s: corrected p %v, tested %v, want %v", test.what, scope, got, row.Tested, want)
			}
		}
		if got := c.Row("better0", "all").Verdict; got != test.verdict {
			t.Errorf("%s: %s, want %s", test.what, got, test.verdict)
		}
		var printed strings.Builder
		must.Do(t, c.Table().Write(&printed, table.AsText, 0))
		if notes := strings.ReplaceAll(printed.String(), "\n  ", " "); !strings.Contains(notes, test.note) {
			t.Errorf("%s: no %q in\n%s", test.what, test.note, notes)
		}
	}
}

func TestRunsAreComparedOnWhatTheyShare(t *testing.T) {
	nan := math.NaN()
	one := madeRun{name: "one", values: map[string]map[string]float64{"sift": {"v_a": 0.5, "v_b": 0.6, "v_c": 0.7, "v_d": nan, "v_e": 0.9}}}
	two := madeRun{name: "two", values: map[string]map[string]float64{"surf": {"v_a": 0.4, "v_b": 0.6, "v_d": 0.8, "v_f": 0.1}}}
	c, err := Runs(context.Background(), []string{one.write(t), two.write(t)}, Options{Baseline: "sift"})
	must.Do(t, err)
	row := c.Row("surf", "all")
	if row.Scenes != 2 || math.Abs(float64(row.Difference)+0.05) > 1e-12 || math.Abs(float64(row.BaselineMean)-0.55) > 1e-12 {
		t.Errorf("got %+v, want v_a and v_b alone", row)
	}
	want := fact.New(fact.Unshared).On("surf").With("n", 2).Naming("baseline", "sift").Naming("metric", "map_macro").Naming("base", "v_c", "v_e").Naming("other", "v_f").Naming("base_undefined", "v_d")
	if !slices.ContainsFunc(c.Facts, func(f fact.Fact) bool { return reflect.DeepEqual(f, want) }) {
		t.Errorf("got %v, want %v", c.Facts, want)
	}

	other := two
	other.images = "cropped "
	_, err = Runs(context.Background(), []string{one.write(t), other.write(t)}, Options{Baseline: "sift"})
	must.FailAbout(t, err, "surf: compared on 0 shared scenes; only in sift: v_c, v_e; not in sift: v_f; different images or homographies under the same name: v_a, v_b, v_d")

	other = two
	other.settings = "tolerance_px: 5, ties: strict, cutoffs: [1, 2]"
	_, err = Runs(context.Background(), []string{one.write(t), other.write(t)}, Options{Baseline: "sift"})
	must.FailAbout(t, err, "surf: not compared: different protocol (evaluation.tolerance_px: 3 -> 5, evaluation.ties: mean -> strict)")
	other.settings = "relevance: position"
	_, err = Runs(context.Background(), []string{one.write(t), other.write(t)}, Options{Baseline: "sift"})
	must.FailAbout(t, err, "(evaluation.relevance: nearest -> position); run both under one protocol")

	// A preset is the same protocol as its keys written out, and no other.
	preset := one
	preset.settings = "preset: workbench"
	for _, test := range []struct{ settings, differences string }{
		{"ties: workbench, exclude_invalid: true, exclude_invalid_truths: false, exclude_beyond_px: 2000", ""},
		{"ties: workbench, exclude_invalid: true, exclude_beyond_px: 2000", "evaluation.exclude_invalid_truths: false -> true"},
	} {
		other = two
		other.settings = test.settings
		_, err := Runs(context.Background(), []string{preset.write(t), other.write(t)}, Options{Baseline: "sift"})
		if test.differences == "" && err != nil || test.differences != "" && (err == nil ||
			!strings.Contains(err.Error(), "surf: not compared: different protocol ("+test.differences+")")) {
			t.Errorf("preset workbench against %s: got %v, want differences %q", test.settings, err, test.differences)
		}
	}

	// Which invalid rows are excluded does not matter if none is.
	other = two
	other.settings = "exclude_invalid_truths: false"
	if _, err := Runs(context.Background(), []string{one.write(t), other.write(t)}, Options{Baseline: "sift"}); err != nil {
		t.Errorf("exclude_invalid_truths without exclude_invalid: %v", err)
	}

	// Other cut-offs are no other protocol; other keypoints are warned about.
	other = two
	other.settings = "cutoffs: [1, 2]"
	other.keypoint = "few "
	if c, err = Runs(context.Background(), []string{one.write(t), other.write(t)}, Options{Baseline: "sift"}); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(c.Facts, func(f fact.Fact) bool {
		return f.Kind == fact.OtherKeypoints && f.Descriptor == "surf" && f.Numbers["n"] == 2 && f.Numbers["of"] == 2
	}) {
		t.Errorf("nothing about other keypoints: %v", c.Facts)
	}
}

func TestAmbiguousNamesGetTheirRun(t *testing.T) {
	values := map[string]map[string]float64{"sift": {"v_a": 0.5}}
	both := map[string]map[string]float64{"sift": {"v_a": 0.6}, "surf": {"v_a": 0.4}}
	a, b := madeRun{name: "a", values: both}.write(t), madeRun{name: "b", values: values}.write(t)
	sameName := madeRun{name: "a", values: values}.write(t)
	for _, test := range []struct {
		runs     []string
		baseline string
		want     string
	}{
		{[]string{a, b}, "a:sift", "[surf b:sift]"},
		{[]string{a, b}, "b:sift", "[a:sift surf]"},
		{[]string{a, b}, "surf", "[a:sift b:sift]"},
		{[]string{a, b}, "a:surf", "[a:sift b:sift]"},
		{[]string{a, sameName}, "surf", "[" + a + ":sift " + sameName + ":sift]"},
		{[]string{a, b}, "sift", "[surf b:sift]"}, // the first that has it,
		{[]string{a}, "b:sift", `error: --baseline b:sift: no descriptor "b:sift" (did you mean sift?), want one of sift, surf`},
		{[]string{a, b}, "", "[surf b:sift]"}, // the first of the first run
	} {
		c, err := Runs(context.Background(), test.runs, Options{Baseline: test.baseline})
		got := fmt.Sprintf("error: %v", err)
		if err == nil {
			var names []string
			for _, r := range c.Rows {
				if r.Scope == "all" {
					names = append(names, r.Descriptor)
				}
			}
			got = fmt.Sprint(names)
		}
		if got != test.want {
			t.Errorf("%v against %s: got %s, want %s", test.runs, test.baseline, got, test.want)
		}
	}
}

// Of a run with descriptors on the baseline's keypoints, those on others are compared if they are asked for.
// A run without any is compared. Both hold in a report, too, with equal p.
func TestRankingsAreComparedOnTheSameKeypoints(t *testing.T) {
	values := drawn(14, 0.02)
	values["far"], values["near"] = drawn(14, 0.03)["better"], values["same"]
	one := madeRun{name: "one", values: values, sets: map[string]string{"far": "few", "near": "few", "same": "own"}}.write(t)
	two := madeRun{name: "two", values: drawn(14, 0.03), keypoint: "two "}.write(t)
	open := must.Get(Open([]string{one, two}, nil, ""))(t)
	with := must.Get(With(context.Background(), open, catalogue.Of(catalogue.MAP)))(t)
	for _, test := range []struct {
		baseline, only, compared, note, metric string
	}{
		{"one:base", "", "one:better far near one:same two:base two:better two:same", "Holm's correction counts 3 descriptors on other keypoints; with --only s, it does not", "fixed_gallery_map"},
		{"one:base", "", "one:better two:base two:better two:same", "not compared, since on other keypoints: far, near, one:same; for them, use one of them as --baseline, or name them with --only", ""},
		{"one:base", "one:same", "same", "", ""},
		{"far", "", "near two:base two:better two:same", "not compared, since on other keypoints: one:base, one:better, one:same; for them, use one of them as --baseline, or name them with --only", ""},
		{"one:same", "", "one:base one:better far near two:base two:better two:same", "", ""},
		{"two:base", "", "one:base one:better far near one:same two:better two:same", "", ""},
	} {
		opt := Options{Baseline: test.baseline, Metric: test.metric}
		if test.only != "" {
			opt.Only = []string{test.only}
		}
		c := must.Get(Runs(context.Background(), []string{one, two}, opt))(t)
		of := []*report.Comparison{c}
		if test.only == "" && test.metric == "" {
			of = append(of, must.Get(with(must.Get(open.Find("", test.baseline))(t)))(t))
		}
		for _, got := range of {
			var names []string
			for i, r := range got.Rows {
				if r.Scope == scope.All {
					names = append(names, r.Descriptor)
				}
				if fmt.Sprint(r.PHolm) != fmt.Sprint(c.Rows[i].PHolm) {
					t.Errorf("%s, row %d: p %v, want %v", test.baseline, i, r.PHolm, c.Rows[i].PHolm)
				}
			}
			note := ""
			for _, f := range got.Facts {
				if f.Kind == fact.Apart || f.Kind == fact.CountedApart {
					note = notes.Text(f)
				}
			}
			if strings.Join(names, " ") != test.compared || note != test.note {
				t.Errorf("%s: compared %q, note %q; want %q, %q", test.baseline, names, note, test.compared, test.note)
			}
		}
	}
}
