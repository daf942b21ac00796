package charts

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/must"
	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan/plantest"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/store"
	"descbench/pipeline/store/unitfile"
)

var nan = math.NaN()

// madeRun writes a folded run of sift, surf and orb on two viewpoint scenes and one
// illumination scene. The ground truth of sift has the ranks 1, 1, 1, 2 and 40, that
// of surf 2, 3, 3, 3 and 3; orb has no queries with ground truth.
func madeRun(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	lines := "experiment: {name: " + name + "}\ndataset: {root: /nowhere}\nkeypoint_sets:\n  - {name: s, detect: {type: sift}, border: 0}\n  - {name: o, detect: {type: orb}, border: 0}\n" +
		"descriptors:\n  - {name: sift, type: sift, keypoints: s}\n  - {name: surf, type: surf, keypoints: s}\n  - {name: orb, type: orb, keypoints: o}\n" +
		"output: {root: " + filepath.Dir(dir) + "}\n"
	scenes := []string{"i_a", "v_b", "v_c"}
	f := plantest.Prepare(t, lines, scenes...)
	metric := func(within, name string, value float64) scope.Metric {
		return scope.Metric{Scope: within, Name: name, Value: value, Low: nan, High: nan, N: 1}
	}
	mapOf := scope.Metric{Scope: "all", Name: catalogue.MAP, Value: 0.5, Low: 0.25, High: 0.625, N: 3}
	sift := ranking.Result{Descriptor: "sift", RankHistogram: make([]int64, 40), Metrics: []scope.Metric{
		mapOf, metric("all", "viewpoint_map", 0.375), metric("all", "mma@1", 0.1), metric("all", "mma@2", 0.2), metric("viewpoint", "mma@1", 0.3), metric("all", "mean_gallery_size", 100), metric("viewpoint", "mean_gallery_size", 10),
		metric("all", "repeatability@3", 0.7), metric("k:2", catalogue.MAP, 0.75), metric("k:3", catalogue.MAP, 0.25),
		{Scope: "k:2", Name: "viewpoint_map", Value: 0.375, Low: 0.25, High: 0.5, N: 2}, metric("k:2", "illumination_map", 1),
		metric("scene:v_b", catalogue.MicroMAP, 0.5), metric("scene:v_c", catalogue.MicroMAP, 0.25), metric("scene:i_a", catalogue.MicroMAP, 0.75),
	}}
	sift.Facts = []fact.Fact{fact.New(fact.ManyTies).With("share", 0.332)}
	sift.RankHistogram[0], sift.RankHistogram[1], sift.RankHistogram[39] = 3, 1, 1
	surf := ranking.Result{Descriptor: "surf", RankHistogram: []int64{0, 1, 4}, Metrics: []scope.Metric{
		metric("all", catalogue.MAP, 0.625), metric("all", "viewpoint_map", 0.5), metric("scene:v_b", catalogue.MicroMAP, 0.5), metric("scene:i_a", catalogue.MicroMAP, 0.875),
		metric("all", "repeatability@3", 0.7),
	}}
	orb := ranking.Result{Descriptor: "orb", Metrics: []scope.Metric{metric("all", "mean_gallery_size", 50)}}
	run := store.Run{Experiment: name, ScenesRequested: len(scenes), Results: []ranking.Result{sift, surf, orb}, Facts: []fact.Fact{fact.New(fact.CopiedScene, "v_c").Naming("images", "1.png", "v_b/1.png")},
		Descriptors: []store.Descriptor{{Name: "sift"}, {Name: "surf"}, {Name: "orb"}}}
	for i := range run.Results {
		run.Results[i].Metrics = append(run.Results[i].Metrics, metric("all", "ransac_homography_accuracy@1", 0.3), metric("all", "ransac_homography_accuracy@10", 0.6),
			metric("viewpoint", "ransac_homography_accuracy@10", 0.5), metric("illumination", "ransac_homography_accuracy@10", 1))
		for _, scene := range scenes {
			run.Results[i].Scenes = append(run.Results[i].Scenes, ranking.SceneResult{Name: scene, TrueMAP: nan, TrueMAPIncludingZeros: nan, Precision: nan})
		}
	}
	var pairs []record.Pair
	plantest.WriteUnits(t, f, []string{"sift", "surf", "orb"}, scenes, func(d, j int) unitfile.EvalUnit {
		descriptor, scene := run.Results[d].Descriptor, scenes[j]
		pair := record.Pair{Descriptor: descriptor, Scene: scene, K: 2, SceneDigest: scene, SetDigest: map[string]string{"orb": "o"}[descriptor] + scene}
		pairs = append(pairs, pair)
		pair.Keypoints1, pair.KeypointsK = 4, 4 // of the unit only: the others are without keypoints
		unit := unitfile.EvalUnit{Pairs: []record.Pair{pair}}
		for n := range 4 {
			unit.Queries = append(unit.Queries, record.Query{Descriptor: descriptor, Scene: scene, K: 2, Row: int32(n), Candidates: 4, Truth: -1, TruthError: math.Inf(1), GalleryLess: -1, GalleryEqual: -1, Nearest: int32(n), Second: -1, SecondDistance: nan, NearestDistance: float64(n), NearestError: float64(2 * n)})
		}
		return unit
	})
	plantest.WriteResults(t, f, run, pairs)
	timing := func(descriptor, scene string, seconds float64, untimed, keypoints int) []store.Timing {
		return []store.Timing{{Descriptor: descriptor, Scene: scene, Stage: "describe", Seconds: seconds, Images: 6, Untimed: untimed, Keypoints: keypoints}}
	}
	plantest.WriteTimes(t, f, "i_a", map[string][]store.Timing{"sift": timing("sift", "i_a", 1, 0, 10_000), "surf": timing("surf", "i_a", 0, 6, 3000)})
	plantest.WriteTimes(t, f, "v_b", map[string][]store.Timing{"sift": timing("sift", "v_b", 2, 0, 5000)})
	plantest.WriteTimes(t, f, "v_c", map[string][]store.Timing{"sift": timing("sift", "v_c", 3, 0, 15_000), "surf": timing("surf", "v_c", 9, 1, 3000)}) // that of surf partly imported
	return dir
}

func chartsOf(t *testing.T, opt Options, runs ...string) *Report {
	t.Helper()
	return must.Get(Of(context.Background(), runs, opt))(t)
}

func chart[D figure.Figure](t *testing.T, r *Report, id string) (D, string) {
	t.Helper()
	for _, c := range r.Charts {
		if c.ID == id {
			return c.Figure.(D), c.Caption.String()
		}
	}
	t.Fatalf("no chart %s; omitted: %v", id, r.Omitted)
	panic("unreachable")
}

func graph(t *testing.T, r *Report, id string) *figure.Graph {
	t.Helper()
	g, _ := chart[*figure.Graph](t, r, id)
	return g
}

func wantPoints(t *testing.T, what string, c figure.Curve, want ...figure.Point) {
	t.Helper()
	near := func(a, b figure.Point) bool { return math.Abs(a.X-b.X) < 1e-9 && math.Abs(a.Y-b.Y) < 1e-9 }
	if !slices.EqualFunc(c.Points, want, near) {
		t.Errorf("%s of %s: %v, want %v", what, c.Name, c.Points, want)
	}
}

func TestChartsShowTheNumbersOfTheRun(t *testing.T) {
	run := madeRun(t, "one")
	r := chartsOf(t, Options{}, run)
	bars, caption := chart[*figure.Bars](t, r, "map")
	// By value; orb has none. Systems are those of the config.
	if b := bars.Bars; len(b) != 2 || b[0].Name != "surf" || b[0].System != 1 || b[0].Value != 0.625 || b[0].Interval != nil || b[0].Group != "s" ||
		b[1].Name != "sift" || b[1].Value != 0.5 || *b[1].Interval != (figure.Interval{Low: 0.25, High: 0.625}) {
		t.Errorf("bars %+v", b)
	}
	for _, want := range []string{". 3 scenes (2 viewpoint, 1 illumination)", "3 px", "cluster bootstrap over scenes", "Keypoints: sift, surf (s, SIFT detector, no margin at the edges), orb (o, ORB detector, no margin at the edges)"} {
		if !strings.Contains(caption, want) {
			t.Errorf("caption %q lacks %q", caption, want)
		}
	}
	if want := []string{"v_c: ", "sift: in 33.2 %", "windows differ"}; !slices.EqualFunc(r.Warnings, want, strings.HasPrefix) {
		t.Errorf("warnings %q, want %q", r.Warnings, want)
	}
	if want := "galleries differ (50 to 100 candidates on average)"; len(bars.Levels) > 0 || graph(t, r, "cumulative_match").References != nil || !strings.Contains(caption, want) {
		t.Errorf("levels %+v, and caption %q, of keypoints with different chance, want none, and %q", bars.Levels, caption, want)
	}
	// Σ 1/r / 100 for r from 1 to 100 is 0.0518738.
	one := chartsOf(t, Options{Only: []string{"sift", "surf"}}, run)
	if bars, _ := chart[*figure.Bars](t, one, "map"); len(bars.Levels) != 1 || bars.Levels[0].Name != "chance" || math.Abs(bars.Levels[0].Value-0.0518738) > 1e-4 {
		t.Errorf("levels %+v", bars.Levels)
	}
	// No system has an interval over the viewpoint scenes.
	if _, caption := chart[*figure.Bars](t, r, "map_viewpoint"); strings.Contains(caption, "Intervals:") || !strings.Contains(caption, "No intervals in viewpoint: fewer than 5 scenes.") {
		t.Errorf("intervals are not there, but the caption is %s", caption)
	}
	// Σ 1/r / 10 for r from 1 to 10 is 0.2929; the scenes of a category have galleries of their own.
	if bars, caption := chart[*figure.Bars](t, r, "map_viewpoint"); len(bars.Levels) != 1 || math.Abs(bars.Levels[0].Value-0.2929) > 0.005 || !strings.Contains(caption, "random ranking of 10 candidates") {
		t.Errorf("levels %+v of viewpoint, %s", bars.Levels, caption)
	}
	wantPoints(t, "MMA", graph(t, r, "mma").Curves[0], figure.Point{X: 1, Y: 0.1}, figure.Point{X: 2, Y: 0.2})
	wantPoints(t, "MMA of viewpoint", graph(t, r, "mma_viewpoint").Curves[0], figure.Point{X: 1, Y: 0.3})
	cumulative := graph(t, r, "cumulative_match")
	wantPoints(t, "hit rate", cumulative.Curves[0], figure.Point{X: 1, Y: 0.6}, figure.Point{X: 2, Y: 0.8}, figure.Point{X: 5, Y: 0.8},
		figure.Point{X: 10, Y: 0.8}, figure.Point{X: 20, Y: 0.8}, figure.Point{X: 50, Y: 1})
	if chance := graph(t, one, "cumulative_match").References[0]; chance.Points[3] != (figure.Point{X: 10, Y: 0.1}) {
		t.Errorf("chance %v, want a hit rate of 10 of 100 at rank 10", chance)
	}
	wantPoints(t, "difficulty", graph(t, r, "difficulty").Curves[0], figure.Point{X: 2, Y: 0.75}, figure.Point{X: 3, Y: 0.25})
	wantPoints(t, "difficulty of viewpoint", graph(t, r, "difficulty_viewpoint").Curves[0], figure.Point{X: 2, Y: 0.375})
	if along := graph(t, r, "difficulty_viewpoint").Curves[0].Along; len(along) != 1 || *along[0] != (figure.Interval{Low: 0.25, High: 0.5}) {
		t.Errorf("difficulty of viewpoint: intervals %v", along)
	}
	if _, caption := chart[*figure.Graph](t, one, "mma"); !strings.Contains(caption, "Bands: 95 %") {
		t.Errorf("caption %q", caption)
	}
	wantPoints(t, "difficulty of illumination", graph(t, r, "difficulty_illumination").Curves[0], figure.Point{X: 2, Y: 1})
	// Values by scene: sift has 0.25, 0.5, 0.75 in v_c, v_b, i_a; surf lacks v_c.
	if g := graph(t, r, "by_scene"); !slices.Equal(g.Y.Names, []string{"v_c", "v_b", "i_a"}) || len(g.Curves[1].Points) != 2 || g.Curves[1].Points[1] != (figure.Point{X: 0.875, Y: 2}) {
		t.Errorf("by scene: %+v", g)
	}
	if c := graph(t, r, "repeatability").Curves; len(c) != 2 || !c[0].Marks || c[1].Points[0] != (figure.Point{X: 0.7, Y: 0.625}) {
		t.Errorf("repeatability %+v", c)
	}
	wantPoints(t, "accuracy", graph(t, r, "homography_ransac").Curves[0], figure.Point{X: 1, Y: 0.3}, figure.Point{X: 10, Y: 0.6})
	wantPoints(t, "accuracy of viewpoint", graph(t, r, "homography_ransac_viewpoint").Curves[0], figure.Point{X: 10, Y: 0.5})
	// Nearest neighbours 0 and 2 px away are correct, those 4 and 6 px away are not,
	// and have the larger distances.
	if c := graph(t, r, "roc").Curves; len(c) != 3 || c[1].Note != "AUC 100.00 %" || c[1].System != 1 {
		t.Errorf("ROC %+v", c)
	}
	if g := graph(t, r, "precision_recall"); len(g.References) != 1 || g.References[0].Points[0].Y != 0.5 {
		t.Errorf("chance of precision and recall: %+v, want 0.5", g.References)
	}
}

func TestTheSameKeypointsInSeveralRunsAreNotCalledDifferent(t *testing.T) {
	runs := []string{madeRun(t, "one"), madeRun(t, "two")}
	if _, caption := chart[*figure.Bars](t, chartsOf(t, Options{Only: []string{"one:sift", "two:surf"}}, runs...), "map"); !strings.Contains(caption, "Keypoints: SIFT detector") {
		t.Errorf("caption %q", caption)
	}
	r := chartsOf(t, Options{Only: []string{"one:sift", "one:surf", "two:sift", "two:surf", "one:orb", "two:orb"}}, runs...)
	if _, caption := chart[*figure.Graph](t, r, "mma"); strings.Contains(caption, "Bands") { // of six descriptors
		t.Errorf("caption %q", caption)
	}
	_, caption := chart[*figure.Bars](t, r, "map")
	if want := "Keypoints: one:sift, one:surf, two:sift, two:surf (s, SIFT detector, no margin at the edges), one:orb, two:orb (o, ORB detector, no margin at the edges)."; !strings.Contains(caption, want) {
		t.Errorf("caption %q lacks %q", caption, want)
	}
}

func TestOnlyOwnExtractionIsTimed(t *testing.T) {
	r := chartsOf(t, Options{}, madeRun(t, "one"))
	g, caption := chart[*figure.Graph](t, r, "cost")
	if len(g.Curves) != 1 {
		t.Fatalf("%+v, want sift only", g.Curves)
	}
	wantPoints(t, "time", g.Curves[0], figure.Point{X: 200, Y: 0.5}) // 6 s for 30000 keypoints
	if !strings.Contains(caption, "Not known, because of features of other programs or lost files of times: surf and orb.") {
		t.Errorf("caption %q", caption)
	}
}

func TestChartsWithoutDataAreListedWithTheReason(t *testing.T) {
	r := chartsOf(t, Options{}, madeRun(t, "one"))
	why := make(map[string]string)
	for _, o := range r.Omitted {
		why[o.ID] = o.Why
	}
	for id, want := range map[string]string{
		"map_illumination": "the run has no illumination scenes with ground truth",
		"mma_illumination": "the run has no illumination image pairs with keypoints",
	} {
		if why[id] != want {
			t.Errorf("%s is left out for %q, want %q", id, why[id], want)
		}
	}
	want := 0
	for _, e := range list([]string{"ransac", "magsac"}, true) {
		want += len(e.scopes())
	}
	if len(r.Charts)+len(r.Omitted) != want {
		t.Errorf("%d charts and %d omissions, want %d together", len(r.Charts), len(r.Omitted), want)
	}
}

// Accuracy begins at 0.3 over all scenes, and ends at 1 over illumination.
func TestChartsThatBelongTogetherHaveOneRange(t *testing.T) {
	r := chartsOf(t, Options{}, madeRun(t, "one"))
	for _, id := range []string{"homography_ransac", "homography_ransac_viewpoint", "homography_ransac_illumination"} {
		if y := graph(t, r, id).Y; math.Abs(y.Min-0.2) > 1e-9 || y.Max != 1 {
			t.Errorf("%s: from %v to %v, want the steps of 20 %% around all", id, y.Min, y.Max)
		}
	}
}

// Two methods on two keypoint sets: colours are methods, marks are sets. The same method in another run
// has a mark of its own. With one set, marks are methods, too. Of more than twelve, those that are
// not shown are grey, and the colours of the others begin anew.
func TestColoursAreMethodsAndMarksKeypointSets(t *testing.T) {
	made := func(n, sets int) *fold.Run {
		run := &fold.Run{Config: &config.Config{}}
		for i := range n {
			d := config.Descriptor{Name: fmt.Sprint(i), Type: "sift", Keypoints: fmt.Sprint(i % sets), Params: keypoints.Params{"sigma": 1 + float64(i/sets)}}
			run.Config.Descriptors = append(run.Config.Descriptors, d)
			run.Systems = append(run.Systems, &fold.System{Name: d.Name, Descriptor: d.Name, Keypoints: d.Keypoints, Run: run})
		}
		return run
	}
	looks := func(systems, shown []*fold.System) (out []figure.Look) {
		of := Looks(systems, shown)
		for _, s := range systems {
			out = append(out, of[s])
		}
		return out
	}
	look := func(colour, mark int) figure.Look { return figure.Look{Colour: colour, Dash: mark, Mark: mark} }
	two := made(4, 2).Systems
	if got, want := looks(two, nil), []figure.Look{look(0, 0), look(0, 1), look(1, 0), look(1, 1)}; !slices.Equal(got, want) {
		t.Errorf("two methods on two sets: %v, want %v", got, want)
	}
	if got, want := looks(append(made(1, 1).Systems, made(1, 1).Systems...), nil), []figure.Look{look(0, 0), look(0, 1)}; !slices.Equal(got, want) {
		t.Errorf("one method in two runs: %v, want %v", got, want)
	}
	distinct := make(map[figure.Look]bool)
	eight := made(16, 2).Systems
	for _, l := range looks(eight, eight) {
		distinct[l] = true
	}
	if looks(eight, eight)[14] != look(0, 2) || len(distinct) != 16 {
		t.Errorf("eight methods on two sets have %d looks, the last method %v, want 16 and the first colour with new marks", len(distinct), looks(eight, eight)[14])
	}
	one := made(13, 1).Systems
	if got := looks(one[:8], one[7:8]); got[7] != look(0, 7) {
		t.Errorf("the eighth of eight methods: %v", got)
	}
	if got := looks(one, one[9:11]); got[9] != figure.NewLook(0) || got[10] != figure.NewLook(1) || got[0].Colour != figure.Grey {
		t.Errorf("of thirteen methods, the tenth and the eleventh are shown: %v", got)
	}
}

func TestChosenSystemsKeepTheirLook(t *testing.T) {
	one, two := madeRun(t, "one"), madeRun(t, "two")
	indexes := func(r *Report) (out []int) {
		for _, c := range graph(t, r, "homography_ransac").Curves {
			out = append(out, c.System)
		}
		return out
	}
	if r := chartsOf(t, Options{Only: []string{"surf"}}, one); !slices.Equal(indexes(r), []int{1}) || r.Shown != "1 of 3 descriptors are shown, chosen by name, without sift, orb" {
		t.Errorf("--only surf shows %v, %s", indexes(r), r.Shown)
	}
	r := chartsOf(t, Options{Only: []string{"two:surf", "one:sift"}, Baseline: "two:sift"}, one, two)
	if !slices.Equal(indexes(r), []int{0, 4}) || graph(t, r, "homography_ransac").Curves[1].Name != "surf" {
		t.Errorf("shown %v", indexes(r))
	}
	// A name without its run is that of every run.
	if r := chartsOf(t, Options{Only: []string{"sift"}, Baseline: "two:sift"}, one, two); !slices.Equal(indexes(r), []int{0, 3}) {
		t.Errorf("--only sift of two runs shows %v", indexes(r))
	}
	// surf has the higher mAP, and the undefined one of orb comes last.
	if r := chartsOf(t, Options{Most: 1}, one); !slices.Equal(indexes(r), []int{1}) {
		t.Errorf("the best is %v", indexes(r))
	}
	// orb is the only one on its keypoints.
	if r := chartsOf(t, Options{Most: 2}, one); !slices.Equal(indexes(r), []int{1, 2}) {
		t.Errorf("the best on each keypoint set are %v", indexes(r))
	}
	// Equal results of two runs are shown once.
	if r := chartsOf(t, Options{}, one, two); !slices.Equal(indexes(r), []int{0, 1, 2}) || r.Shown != "" {
		t.Errorf("shown %v, %s", indexes(r), r.Shown)
	}
	// Four have the highest value, four others are a group of their own.
	best := Best([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 3, func(i int) float64 { return []float64{1, 2, 0}[i%3] }, func(i int) bool { return i%3 == 2 })
	if !slices.Equal(best, []int{1, 2, 4}) {
		t.Errorf("the best of equal ones are %v", best)
	}
	for _, opt := range []Options{{Only: []string{"kaze"}}, {Baseline: "kaze"}} {
		if _, err := Of(context.Background(), []string{one}, opt); err == nil || !strings.HasSuffix(err.Error(), `kaze: no descriptor "kaze", want one of sift, surf, orb`) {
			t.Errorf("error %v", err)
		}
	}
}

// The value of SuperPoint within 3 px is that of configs/presets/published.csv.
func TestPublishedCurvesAreThoseOfThePreset(t *testing.T) {
	cfg := must.Get(config.Parse("one.yaml", []byte("experiment: {name: one}\ndataset: {root: /nowhere}\nkeypoint_sets: [{name: s, detect: {type: sift}}]\ndescriptors: [{name: sift, type: sift, keypoints: s}]\nevaluation: {preset: d2net}\n")))(t)
	runs := &fold.Runs{Runs: []*fold.Run{{Config: cfg, Summary: &store.Summary{}}}}
	var g figure.Graph
	said := published(&g, runs, scope.All)
	i := slices.IndexFunc(g.References, func(r figure.Reference) bool { return r.Name == "SuperPoint, published" })
	if len(said) != 1 || i < 0 || !slices.Contains(g.References[i].Points, figure.Point{X: 3, Y: 0.645202}) {
		t.Errorf("%q of %+v", said, g.References)
	}
}
