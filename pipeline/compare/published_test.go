package compare

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

func configFrom(t *testing.T, text string) *config.Config {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(path, config.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

const baseline = `
experiment: {name: b}
dataset: {root: .}
keypoint_sets: [{name: s, detect: {type: sift}, border: 40}]
descriptors: [{name: mine, type: sift, keypoints: s}]
`

func summaryOf(scenes map[string]store.SummaryScene) *store.Summary {
	return &store.Summary{Experiment: "b", Descriptors: []store.SummaryDescriptor{{Name: "mine", Scenes: scenes}}}
}

func scene(ap float64, processed int) store.SummaryScene {
	return store.SummaryScene{TrueMAP: &ap, QueriesProcessed: processed}
}

func TestPublishedFiguresStandBesideGenuineScenesOnly(t *testing.T) {
	cfg := configFrom(t, baseline)
	if got := beside(cfg, summaryOf(map[string]store.SummaryScene{"i_oxbikes": scene(.5, 10), "v_synth_001": scene(.5, 10)}), ""); got != nil {
		t.Errorf("got %+v, want nothing", got)
	}
	got := beside(cfg, summaryOf(map[string]store.SummaryScene{
		"v_dogman": scene(.2, 30), "v_graffiti": scene(.6, 10), "i_ski": scene(.5, 20), "i_oxbikes": scene(.9, 1000),
	}), "")
	if len(got) != 1 || got[0].Scenes != 3 || got[0].Name != "SIFT, sift_8000" {
		t.Fatalf("got %+v, want SIFT over three scenes", got)
	}
	// (.2·30 + .6·10 + .5·20) / 60, (.2 + .6 + .5) / 3, (.2 + .6) / 2
	want := []float64{22.0 / 60, 1.3 / 3, .4, .5}
	for i, v := range []float64{got[0].Measured.Micro, got[0].Measured.Macro, got[0].Measured.Viewpoint, got[0].Measured.Illumination} {
		if math.Abs(v-want[i]) > 1e-12 {
			t.Errorf("figure %d is %v, want %v", i, v, want[i])
		}
	}
	if p := got[0].Published; p.Micro != .4264 || p.Viewpoint != .4588 || p.Illumination != .4314 {
		t.Errorf("published figures are %+v", p)
	}
}

// hpatches returns all scenes of HPatches, or those of a list.
func hpatches(t *testing.T, only ...string) map[string]store.SummaryScene {
	t.Helper()
	scenes := make(map[string]store.SummaryScene)
	for _, name := range dataset.HPatchesNames() {
		if len(only) == 0 || slices.Contains(only, name) {
			scenes[name] = store.SummaryScene{TrueMAP: new(float64), QueriesProcessed: 1, Keypoints: 6000}
		}
	}
	return scenes
}

// theirs is the published set-up of every protocol.
var theirs = map[string]string{
	"sift": `
keypoint_sets: [{name: s, detect: {type: sift}, border: {px: 35, rule: half_open}, top: {by: response, per_image: 8000}}]
descriptors: [{name: mine, type: sift, pyramid: opencv, keypoints: s}]
`,
	"surf": `
keypoint_sets: [{name: s, detect: {type: surf, hessian_threshold: 400}, border: {px: 35, rule: half_open}, top: {by: response, per_image: 8000}}]
descriptors: [{name: mine, type: surf, keypoints: s}]
`,
	"pooled": `
keypoint_sets: [{name: s, detect: {type: sift}, border: {px: 35, rule: half_open}, top: {by: response, per_image: 8000}}]
descriptors: [{name: mine, type: sift, pyramid: opencv, pooling: {type: domain_size, scales: [0.85, 1, 1.3]}, keypoints: s}]
`,
	"total": `
keypoint_sets:
  - {name: r, detect: {type: surf, hessian_threshold: 400}, border: {px: 35, rule: half_open}, top: {by: response, per_image: 8000}}
  - {name: s, from: r, top: {by: size, total: 645000}}
descriptors: [{name: mine, type: surf, keypoints: s}]
`,
	"both": `
keypoint_sets:
  - {name: f, detect: {type: sift}, border: {px: 35, rule: half_open}, top: {by: response, per_image: 8000}}
  - {name: g, detect: {type: surf, hessian_threshold: 400}, border: {px: 35, rule: half_open}, top: {by: response, per_image: 8000}}
  - {name: ft, from: f, top: {by: size, total: 645000}}
  - {name: gt, from: g, top: {by: size, total: 645000}}
  - {name: s, intersect: {a: ft, b: gt, tolerance_px: 6}}
descriptors: [{name: mine, type: surf, keypoints: s.b}]
`,
	"projected": `
keypoint_sets: [{name: s, detect: {type: sift}, border: 40, top: {by: response, per_image: 2000}, project: {from_image: 1, carry: position, bounds: image1}}]
descriptors: [{name: mine, type: surf, keypoints: s}]
`,
}

// deviationsOf returns the deviations of a set-up with one change.
func deviationsOf(t *testing.T, setup, change, to string, scenes map[string]store.SummaryScene, surf string) []string {
	t.Helper()
	text := "experiment: {name: w}\ndataset: {root: .}\nevaluation: {preset: workbench}" + theirs[setup]
	if !strings.Contains(text, change) {
		t.Fatalf("%s: no %q", setup, change)
	}
	got := beside(configFrom(t, strings.Replace(text, change, to, 1)), summaryOf(scenes), surf)
	if len(got) != 1 {
		t.Fatalf("%s, %s: %d published results, want 1", setup, to, len(got))
	}
	return got[0].Deviations
}

var twelve = []string{
	"i_autannes", "i_contruction", "i_dome", "i_greentea", "i_londonbridge", "i_porta",
	"v_beyus", "v_charing", "v_churchill", "v_vitro", "v_wall", "v_yard",
}

func TestThePublishedSetUpsHaveNoDeviation(t *testing.T) {
	for setup := range theirs {
		scenes := hpatches(t)
		if setup == "projected" {
			scenes = hpatches(t, twelve...)
		}
		if got := deviationsOf(t, setup, "", "", scenes, contribSURF); len(got) != 0 {
			t.Errorf("%s: %q", setup, got)
		}
	}
}

func TestEveryDeviationFromThePublishedSetUpIsNamed(t *testing.T) {
	for _, test := range []struct{ setup, change, to, want string }{
		{"sift", "{type: sift}", "{type: sift, contrast_threshold: 0.01}", "keypoints of sift, contrast_threshold 0.01 (not sift)"},
		{"sift", "{type: sift}", "{type: surf, hessian_threshold: 400}", "keypoints of surf, hessian_threshold 400 (not sift)"},
		{"sift", "px: 35", "px: 20", "border 20 px half_open (not 35)"},
		{"sift", "half_open", "closed", "border 35 px closed (not half_open)"},
		{"sift", "per_image: 8000", "per_image: 500", "top 500 per image by response (not 8000)"},
		{"sift", "by: response", "by: size", "top 8000 per image by size (not response)"},
		{"sift", ", top: {by: response, per_image: 8000}", "", "no top 8000 per image by response"},
		{"sift", "per_image: 8000}}]", "per_image: 8000}, min_size: 2}]", "size at least 2 px (no such step)"},
		{"sift", "per_image: 8000}}]", "per_image: 8000}, min_size: 0}]", "size at least 0 px (no such step)"},
		{"sift", "per_image: 8000}}]", "per_image: 8000}, min_response: 0.02}]", "response at least 0.02 (no such step)"},
		{"sift", "pyramid: opencv", "pyramid: full", "pyramid full (not opencv)"},
		{"sift", "keypoints: s}", "keypoints: s, normalize: l1}", "normalize l1 (not l2)"},
		{"sift", "preset: workbench", "preset: workbench, tolerance_px: 2", "tolerance 2 px (not 3 px)"},
		{"sift", "preset: workbench", "ties: workbench, exclude_invalid: true, exclude_beyond_px: 100", "queries with an invalid ground truth excluded|queries beyond 100 px excluded (not 2000 px)"},
		{"sift", "preset: workbench", "ties: workbench, exclude_invalid: true, exclude_invalid_truths: false", "queries beyond 2000 px included"},
		{"sift", "preset: workbench", "relevance: position", "ties mean (not workbench)|relevance position (not nearest)|invalid queries ranked last|queries beyond 2000 px included"},
		{"surf", "{type: surf, hessian_threshold: 400}", "{type: sift}", "keypoints of sift (not surf, hessian_threshold 400)"},
		{"surf", "hessian_threshold: 400", "hessian_threshold: 100", "keypoints of surf, hessian_threshold 100 (not surf, hessian_threshold 400)"},
		{"surf", "hessian_threshold: 400", "hessian_threshold: 400, n_octaves: 3", "keypoints of surf, hessian_threshold 400, n_octaves 3 (not surf, hessian_threshold 400)"},
		{"surf", "type: surf, keypoints", "type: surf, extended: true, keypoints", "extended true (not false)"},
		{"surf", "type: surf, keypoints", "type: surf, upright: true, keypoints", "upright true (not false)"},
		{"pooled", "[0.85, 1, 1.3]", "[0.5, 1, 2]", "pooled over the scales [0.5 1 2] (not 1, 1.5, 2 or 0.85, 1, 1.3)"},
		{"pooled", "1.3]", "1.3], aggregate: max", "pooled by max (not mean)"},
		{"pooled", "1.3]", "1.3], weights: triangular", "pooling weights triangular (not uniform)"},
		{"pooled", "1.3]", "1.3], fixed_octave: true", "fixed_octave true (not false)"},
		{"pooled", "1.3]", "1.3], root_each: l1", "root_each l1 (not none)"},
		{"pooled", "1.3]", "1.3], normalize_each: l2", "normalize_each l2 (not none)"},
		{"total", "total: 645000", "total: 700000", "top 700000 in total by size (not 645000)|top 700000 in total selects nothing: there are only 696000 keypoints"},
		{"both", "tolerance_px: 6", "tolerance_px: 3", "intersected within 3 px (not 6)"},
		{"both", "{name: f, detect: {type: sift}", "{name: f, detect: {type: akaze}", "intersected with keypoints of akaze (not sift)"},
		{"both", "{name: f, detect: {type: sift}, border: {px: 35", "{name: f, detect: {type: sift}, border: {px: 20", "other side: border 20 px half_open (not 35)"},
		{"projected", "{type: sift}", "{type: surf, hessian_threshold: 400}", "keypoints of surf, hessian_threshold 400 (not sift)"},
		{"projected", "carry: position", "carry: geometry", "projected from image 1, carry geometry, bounds image1 (not position,)"},
	} {
		scenes := hpatches(t)
		if test.setup == "projected" {
			scenes = hpatches(t, twelve...)
		}
		if got := strings.Join(deviationsOf(t, test.setup, test.change, test.to, scenes, contribSURF), "|"); got != test.want {
			t.Errorf("%s, %s: got %q, want %q", test.setup, test.to, got, test.want)
		}
	}
}

func TestOtherScenesAndSURFAreDeviations(t *testing.T) {
	two := map[string]store.SummaryScene{"v_dogman": scene(.2, 30), "i_oxbikes": scene(.9, 1)}
	for _, test := range []struct {
		setup  string
		scenes map[string]store.SummaryScene
		surf   string
		want   string
	}{
		{"sift", two, contribSURF, "1 scene (not 116)|1 scene left out here, not in HPatches"},
		{"surf", hpatches(t), "descbench's own", "SURF implementation: descbench's own (not OpenCV's)"},
		{"sift", hpatches(t), "descbench's own", ""},
		{"both", hpatches(t), "unknown", "SURF implementation: unknown (not OpenCV's)"},
		{"total", two, contribSURF, "top in total taken from 2 scenes (not 116 scenes)|top 645000 in total selects nothing: there are only 0 keypoints|1 scene (not 116)|1 scene left out here, not in HPatches"},
		{"projected", hpatches(t), contribSURF, "116 scenes (not 12)"},
		{"projected", hpatches(t, "v_dogman", "v_wall"), contribSURF, "1 scene (not 12)"},
	} {
		if got := strings.Join(deviationsOf(t, test.setup, "", "", test.scenes, test.surf), "|"); got != test.want {
			t.Errorf("%s: got %q, want %q", test.setup, got, test.want)
		}
	}
	ours := strings.Join(beside(configFrom(t, baseline), summaryOf(two), "")[0].Deviations, "|")
	for _, want := range []string{"border 40 px closed (not 35 px half_open)", "ties mean (not workbench)", "no top 8000", "pyramid full", "invalid queries ranked last", "queries beyond 2000 px included"} {
		if !strings.Contains(ours, want) {
			t.Errorf("the deviations of a default config lack %q: %s", want, ours)
		}
	}
}

func TestMeansStandBesideMeansOfTheirKind(t *testing.T) {
	for setup, want := range map[string]string{
		"sift":      "descriptor published_as true_map_micro published_true_map_micro viewpoint_map published_viewpoint_map illumination_map published_illumination_map",
		"projected": "descriptor published_as true_map_micro published_true_map_micro true_map_macro_by_scene published_true_map_macro_by_scene",
	} {
		cfg := configFrom(t, "experiment: {name: w}\ndataset: {root: .}\nevaluation: {preset: workbench}"+theirs[setup])
		table := report.PublishedTable(beside(cfg, summaryOf(hpatches(t)), ""), PublishedSource, 0)
		var names []string
		for _, c := range table.Columns {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: got %s, want %s", setup, got, want)
		}
	}
}
