package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/config"
	"descbench/pipeline/config/configtest"
	"descbench/pipeline/dataset"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

const baseline = `
experiment: {name: b}
dataset: {root: .}
keypoint_sets: [{name: s, detect: {type: sift}, border: 40}]
descriptors: [{name: mine, type: sift, keypoints: s}]
`

// besideNamed is beside for scenes of these names.
func besideNamed(cfg *config.Config, scenes map[string]store.SummaryScene, surf string) []report.Published {
	summary := &store.Summary{Experiment: "b"}
	for _, d := range cfg.Descriptors {
		summary.Descriptors = append(summary.Descriptors, store.SummaryDescriptor{Name: d.Name, Scenes: scenes})
	}
	return beside(cfg, summary, surf)
}

func scene(ap float64, processed int) store.SummaryScene {
	return store.SummaryScene{TrueMAP: &ap, QueriesProcessed: processed}
}

func TestPublishedFiguresStandBesideGenuineScenesOnly(t *testing.T) {
	cfg := configtest.Load(t, t.TempDir(), baseline)
	if got := besideNamed(cfg, map[string]store.SummaryScene{"i_oxbikes": scene(.5, 10), "v_synth_001": scene(.5, 10)}, ""); got != nil {
		t.Errorf("got %+v, want nothing", got)
	}
	got := besideNamed(cfg, map[string]store.SummaryScene{
		"v_dogman": scene(.2, 30), "v_graffiti": scene(.6, 10), "i_ski": scene(.5, 20), "i_oxbikes": scene(.9, 1000),
	}, "")
	if len(got) != 1 || got[0].Scenes != 3 || got[0].Name != "SIFT, sift_8000" {
		t.Fatalf("got %+v, want SIFT over three scenes", got)
	}
	// (.2·30 + .6·10 + .5·20) / 60, (.2 + .6 + .5) / 3, (.2 + .6) / 2
	want := []float64{22.0 / 60, 1.3 / 3, .4, .5}
	for i, v := range []float64{got[0].Measured[catalogue.MicroMAP], got[0].Measured[catalogue.MAP], got[0].Measured["viewpoint_map"], got[0].Measured["illumination_map"]} {
		if math.Abs(v-want[i]) > 1e-12 {
			t.Errorf("figure %d is %v, want %v", i, v, want[i])
		}
	}
	if p := got[0].Published; p[catalogue.MicroMAP] != .4264 || p["viewpoint_map"] != .4588 || p["illumination_map"] != .4314 {
		t.Errorf("published figures are %+v", p)
	}
}

// hpatches returns all scenes of HPatches, or those of a list.
func hpatches(t *testing.T, only ...string) map[string]store.SummaryScene {
	t.Helper()
	scenes := make(map[string]store.SummaryScene)
	for _, name := range dataset.HPatchesNames() {
		if len(only) == 0 || slices.Contains(only, name) {
			scenes[name] = store.SummaryScene{TrueMAP: new(float64), QueriesProcessed: 1, Keypoints: 6000, Images: 6}
		}
	}
	return scenes
}

// bothSides are the keypoint sets of the published intersection.
const bothSides = `
keypoint_sets:
  - {name: f, detect: {type: sift}, border: {px: 35, rule: half_open}, top: {by: response, per_image: 8000}}
  - {name: g, detect: {type: surf, hessian_threshold: 400}, border: {px: 35, rule: half_open}, top: {by: response, per_image: 8000}}
  - {name: ft, from: f, top: {by: size, total: 645000}}
  - {name: gt, from: g, top: {by: size, total: 645000}}
  - {name: s, intersect: {a: ft, b: gt, tolerance_px: 6}}
`

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
	"both": bothSides + `descriptors: [{name: mine, type: surf, keypoints: s.b}]
`,
	"side a": bothSides + `descriptors: [{name: mine, type: rgbsift, pyramid: opencv, keypoints: s.a}]
`,
	"projected": `
keypoint_sets: [{name: s, detect: {type: sift}, border: 40, top: {by: response, per_image: 2000}, project: {from_image: 1, carry: position, bounds: image1}}]
descriptors: [{name: mine, type: surf, keypoints: s}]
`,
}

// deviationsOf returns the deviations of a set-up with one change, that of SURF, which
// every set-up with SURF has, only if surf names an implementation.
func deviationsOf(t *testing.T, setup, change, to string, scenes map[string]store.SummaryScene, surf string) []string {
	t.Helper()
	text := "experiment: {name: w}\ndataset: {root: .}\nevaluation: {preset: workbench}" + theirs[setup]
	if !strings.Contains(text, change) {
		t.Fatalf("%s: no %q", setup, change)
	}
	got := besideNamed(configtest.Load(t, t.TempDir(), strings.Replace(text, change, to, 1)), scenes, surf)
	if len(got) != 1 {
		t.Fatalf("%s, %s: %d published results, want 1", setup, to, len(got))
	}
	if surf == "" {
		got[0].Deviations = slices.DeleteFunc(got[0].Deviations, func(d string) bool { return strings.HasPrefix(d, "SURF implementation: ") })
	}
	if got[0].Another != nil { // not beside the published values
		return append([]string{"! " + strings.Join(got[0].Another, "|")}, slices.DeleteFunc(got[0].Deviations, func(d string) bool { return slices.Contains(got[0].Another, d) })...)
	}
	return got[0].Deviations
}

var twelve = []string{
	"i_autannes", "i_contruction", "i_dome", "i_greentea", "i_londonbridge", "i_porta",
	"v_beyus", "v_charing", "v_churchill", "v_vitro", "v_wall", "v_yard",
}

func TestThePublishedSetUpsHaveNoDeviation(t *testing.T) {
	projected, _, _ := strings.Cut(theirs["projected"], "descriptors:")
	family := map[string]string{
		"SIFT": "{name: sift, type: sift, pyramid: opencv, keypoints: A}", "RootSIFT": "{name: rootsift, type: sift, pyramid: opencv, root: l1, keypoints: A}", "RGBSIFT": "{name: rgbsift, type: rgbsift, pyramid: opencv, keypoints: A}",
		"DSPSIFT_V2":    "{name: dspsift, type: sift, pyramid: opencv, pooling: {type: domain_size, scales: [0.85, 1, 1.3]}, keypoints: A}",
		"DSPRGBSIFT_V2": "{name: dsprgbsift, type: rgbsift, pyramid: opencv, pooling: {type: domain_size, scales: [0.85, 1, 1.3]}, keypoints: A}",
		"SURF":          "{name: surf, type: surf, keypoints: B}",
	}
	for _, p := range published() {
		for _, d := range p.config.Descriptors {
			if d.Pooling != nil && !slices.Equal(d.Pooling.Scales, pooledAs[0]) {
				t.Errorf("%s of %s has the sizes %v", d.Name, p.file, d.Pooling.Scales)
			}
		}
	}
	for _, of := range []struct {
		protocol, sets, a, b string
		methods              []string
	}{
		{"sift_8000", bothSides, "f", "g", []string{"SIFT", "RootSIFT", "RGBSIFT", "DSPSIFT_V2", "DSPRGBSIFT_V2", "SURF"}},
		{"scale_matched_6px", bothSides, "ft", "gt", []string{"SIFT", "RootSIFT", "RGBSIFT", "DSPSIFT_V2", "DSPRGBSIFT_V2", "SURF"}},
		{"SIFT∩SURF, 6 px", bothSides, "s.a", "s.b", []string{"RGBSIFT", "DSPSIFT_V2", "DSPRGBSIFT_V2", "SURF"}},
		{"projected", projected, "s", "s", []string{"SIFT", "RGBSIFT", "SURF"}},
	} {
		text := "experiment: {name: w}\ndataset: {root: .}\nevaluation: {preset: workbench}" + of.sets + "descriptors:\n"
		for _, m := range of.methods {
			text += "  - " + strings.NewReplacer("A}", of.a+"}", "B}", of.b+"}").Replace(family[m]) + "\n"
		}
		scenes := hpatches(t)
		if of.protocol == "projected" {
			scenes = hpatches(t, twelve...)
		}
		got := besideNamed(configtest.Load(t, t.TempDir(), text), scenes, "OpenCV's")
		if len(got) != len(of.methods) {
			t.Fatalf("%s: %d published results, want %d", of.protocol, len(got), len(of.methods))
		}
		for i, p := range got {
			if p.Name != of.methods[i]+", "+of.protocol || len(p.Deviations) != 0 {
				t.Errorf("%s of %s is beside %s: %q", of.methods[i], of.protocol, p.Name, p.Deviations)
			}
		}
	}
}

// What makes another detector or descriptor, here after "!", keeps the published values
// away.
func TestEveryDeviationFromThePublishedSetUpIsNamed(t *testing.T) {
	for _, test := range []struct{ setup, change, to, want string }{
		{"sift", "{type: sift}", "{type: sift, contrast_threshold: 0.01}", "! detect.contrast_threshold: ours 0.01, published 0.04"},
		{"sift", "{type: sift}", "{type: surf, hessian_threshold: 400}", "! detect.type: ours surf, published sift"},
		{"sift", "px: 35", "px: 20", "border.px: ours 20, published 35"},
		{"sift", "per_image: 8000", "per_image: 500", "top.per_image: ours 500, published 8000"},
		{"sift", ", top: {by: response, per_image: 8000}", "", "top: ours not set, published {by: response, per_image: 8000}"},
		{"sift", "per_image: 8000}}]", "per_image: 8000}, min_size: 2}]", "min_size: ours 2, published not set"},
		{"sift", "per_image: 8000}}]", "per_image: 8000}, min_size: 0}]", "min_size: ours 0, published not set"},
		{"sift", "pyramid: opencv", "pyramid: full", "descriptor.pyramid: ours full, published opencv"},
		{"sift", "keypoints: s}", "keypoints: s, normalize: l1}", "! descriptor.normalize: ours l1, published l2"},
		{"sift", "preset: workbench", "preset: workbench, tolerance_px: 2", "evaluation.tolerance_px: ours 2, published 3"},
		{"sift", "preset: workbench", "ties: workbench, exclude_invalid: true, exclude_beyond_px: 100", "evaluation.exclude_invalid_truths: ours true, published false|evaluation.exclude_beyond_px: ours 100, published 2000"},
		{"sift", "preset: workbench", "ties: workbench, exclude_invalid: true, exclude_invalid_truths: false", "evaluation.exclude_beyond_px: ours 0, published 2000"},
		{"sift", "preset: workbench", "relevance: position", "evaluation.ties: ours mean, published workbench|evaluation.relevance: ours position, published nearest|evaluation.exclude_invalid: ours false, published true|evaluation.exclude_beyond_px: ours 0, published 2000"},
		{"surf", "{type: surf, hessian_threshold: 400}", "{type: sift}", "! detect.type: ours sift, published surf"},
		{"surf", "hessian_threshold: 400", "hessian_threshold: 100", "! detect.hessian_threshold: ours 100, published 400"},
		{"surf", "type: surf, keypoints", "type: surf, extended: true, keypoints", "! descriptor.extended: ours true, published false"},
		{"pooled", "[0.85, 1, 1.3]", "[0.5, 1, 2]", "! descriptor.pooling.scales: ours [0.5, 1, 2], published [0.85, 1, 1.3]"},
		{"pooled", "[0.85, 1, 1.3]", "[1, 1.5, 2]", ""}, // the source names both
		{"pooled", "1.3]", "1.3], aggregate: concatenate", "! descriptor.pooling.aggregate: ours concatenate, published mean"},
		{"total", "total: 645000", "total: 700000", "top in total.total: ours 700000, published 645000"},
		{"total", "total: 645000", "total: 696000", "top in total.total: ours 696000, published 645000"},
		{"both", "tolerance_px: 6", "tolerance_px: 3", "intersect.tolerance_px: ours 3, published 6"},
		{"both", "{name: f, detect: {type: sift}", "{name: f, detect: {type: akaze}", "! other side: detect.type: ours akaze, published sift"},
		{"both", "{name: f, detect: {type: sift}, border: {px: 35", "{name: f, detect: {type: sift}, border: {px: 20", "other side: border.px: ours 20, published 35"},
		{"side a", "{name: f, detect: {type: sift}", "{name: f, detect: {type: akaze}", "! detect.type: ours akaze, published sift"},
		{"side a", "hessian_threshold: 400", "hessian_threshold: 300", "! other side: detect.hessian_threshold: ours 300, published 400"},
		{"projected", "{type: sift}", "{type: surf, hessian_threshold: 400}", "! detect.type: ours surf, published sift"},
		{"projected", "project: {from_image: 1, carry: position, bounds: image1}", "", "! detect.type: ours sift, published surf|border.px: ours 40, published 35|border.rule: ours closed, published half_open|top.per_image: ours 2000, published 8000|scenes: ours 12, published 116"},
		{"sift", "preset: workbench}", "preset: workbench, matcher: {ratio: 0.8}}", "matcher.ratio: ours 0.8, published 0"},
		{"sift", "keypoints: s}", "keypoints: s, matcher: {cross_check: false}}", "matcher.cross_check: ours false, published true"},
		{"sift", "dataset: {root: .}", "dataset: {root: ., resize: {short_side: 480}}", "dataset.resize: ours {short_side: 480, crop: false, round: nearest, multiple_of: 0, interpolation: auto, coordinates: edges}, published not set"},
		{"sift", "per_image: 8000}}]", "per_image: 8000}, random: {per_image: 100}}]", "random: ours {per_image: 100, seed: 1}, published not set"},
		{"projected", "carry: position", "carry: geometry", "project.carry: ours geometry, published position"},
	} {
		scenes := hpatches(t)
		if test.setup == "projected" {
			scenes = hpatches(t, twelve...)
		}
		if got := strings.Join(deviationsOf(t, test.setup, test.change, test.to, scenes, ""), "|"); got != test.want {
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
		{"sift", two, "", "scenes: ours 1, published 116|left out, not part of HPatches: i_oxbikes"},
		{"surf", hpatches(t), "descbench's own", "SURF implementation: ours descbench's own, published OpenCV's"},
		{"sift", hpatches(t), "descbench's own", ""},
		{"both", hpatches(t), "unknown", "SURF implementation: ours unknown, published OpenCV's"},
		{"total", two, "", "scenes behind top in total: ours 2, published 116|scenes: ours 1, published 116|left out, not part of HPatches: i_oxbikes"},
		{"both", hpatches(t, "v_dogman"), "", "scenes behind top in total: ours 1, published 116|scenes: ours 1, published 116"},
		{"projected", hpatches(t), "", "scenes: ours 116, published 12"},
		{"projected", hpatches(t, "v_dogman", "v_wall"), "", "scenes: ours 1, published 12|1 scene that the published results do not have: v_dogman"},
	} {
		if got := strings.Join(deviationsOf(t, test.setup, "", "", test.scenes, test.surf), "|"); got != test.want {
			t.Errorf("%s: got %q, want %q", test.setup, got, test.want)
		}
	}
	ours := strings.Join(besideNamed(configtest.Load(t, t.TempDir(), baseline), two, "")[0].Deviations, "|")
	for _, want := range []string{"border.px: ours 40, published 35", "border.rule: ours closed, published half_open", "evaluation.ties: ours mean, published workbench", "top: ours not set, published {by: response, per_image: 8000}", "descriptor.pyramid: ours full, published opencv", "evaluation.exclude_invalid: ours false, published true", "evaluation.exclude_beyond_px: ours 0, published 2000"} {
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
		cfg := configtest.Load(t, t.TempDir(), "experiment: {name: w}\ndataset: {root: .}\nevaluation: {preset: workbench}"+theirs[setup])
		table := report.PublishedTable(besideNamed(cfg, hpatches(t), ""), PublishedSource)
		var names []string
		for _, c := range table.Columns {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: got %s, want %s", setup, got, want)
		}
	}
}

func TestTheTimeThatProgramsMayTakeIsNoDifference(t *testing.T) {
	cfg := configtest.Load(t, t.TempDir(), `
experiment: {name: c}
dataset: {root: .}
keypoint_sets:
  - {name: s, detect: {type: command, run: [detect], timeout: 60s}}
  - {name: r, detect: {type: command, run: [detect], timeout: 50s}}
descriptors:
  - {name: a, type: command, run: [describe], keypoints: s}
  - {name: b, type: command, run: [describe], timeout: 9s, keypoints: r}
`)
	if got := cfg.Setup(cfg.Descriptors[0]).DifferencesFrom(cfg.Setup(cfg.Descriptors[1])); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// Each row is of a preset, and of a metric that it could have.
func TestPublishedRowsAreOfPresetsAndMetrics(t *testing.T) {
	var names []string
	for _, p := range config.Presets() {
		names = append(names, p.Name)
		for _, s := range PublishedScopes(p.Name) {
			for _, r := range PublishedRows(p.Name, s) {
				for metric := range r.Metrics {
					if m := catalogue.Of(metric); !m.IsKnown() || m.Open != (r.Estimator != "") {
						t.Errorf("%s: %s by %q has %s", p.Name, r.Method, r.Estimator, metric)
					}
				}
			}
		}
	}
	for of := range publishedRows() {
		if !slices.Contains(names, of.preset) && !strings.HasPrefix(of.preset, "workbench_") && !strings.HasPrefix(of.preset, "patches_") {
			t.Errorf("rows of %s", of.preset)
		}
	}
}

// The README of cvg/glue-factory, commit 2d17e3b, lines 70 and 163: AUC in % by
// OpenCV and PoseLib.
func TestPublishedValuesHaveTheirEstimator(t *testing.T) {
	for _, test := range []struct{ preset, metrics, want string }{
		{"gluefactory", "ransac_0.5px_3000it_opencv_wh_homography_auc@1 ransac_0.5px_3000it_opencv_wh_homography_auc@3 ransac_0.5px_3000it_opencv_wh_homography_auc@5", " 34.2/57.9/69.9"},
		{"gluefactory", "homography_auc@1 homography_auc@3 homography_auc@5", "PoseLib 37.1/67.4/77.8"},
		{"gluefactory_megadepth1500", "essential_0.5px_pose_auc@5 essential_0.5px_pose_auc@10 essential_0.5px_pose_auc@20", " 51.0/68.1/80.7"},
		{"gluefactory_megadepth1500", "pose_auc@5 pose_auc@10 pose_auc@20", "PoseLib 66.8/79.3/87.9, pycolmap 56.7/72.4/83.7"},
	} {
		var rows []string
		for _, r := range PublishedRows(test.preset, scope.All) {
			var values []string
			for _, m := range strings.Fields(test.metrics) {
				if v, there := r.Metrics[catalogue.Of(m).Name]; there && r.Method == "SuperPoint + LightGlue" {
					values = append(values, fmt.Sprintf("%.1f", 100*v))
				}
			}
			if values != nil {
				rows = append(rows, r.Estimator+" "+strings.Join(values, "/"))
			}
		}
		if got := strings.Join(rows, ", "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.preset, got, test.want)
		}
	}
}

// In per cent, as the source prints them: all queries, viewpoint and illumination; of
// projected keypoints all queries and all scenes.
func TestPublishedValuesAreThoseOfTheSource(t *testing.T) {
	want := strings.Split(strings.TrimSpace(`
sift_8000: SIFT 42.64/45.88/43.14, RootSIFT 44.79/48.02/45.43, RGBSIFT 43.61/46.90/44.36, DSPSIFT_V2 46.57/49.68/46.25, DSPRGBSIFT_V2 47.50/50.65/47.46, SURF 47.60/49.84/48.96
scale_matched_6px: SIFT 63.86/65.66/59.79, RootSIFT 65.31/67.04/61.76, RGBSIFT 64.69/66.50/61.14, DSPSIFT_V2 65.31/66.75/60.59, DSPRGBSIFT_V2 66.03/67.55/61.90, SURF 65.21/66.08/62.34
SIFT∩SURF, 6 px: RGBSIFT 75.03/75.99/71.81, DSPSIFT_V2 74.93/75.91/70.97, DSPRGBSIFT_V2 74.69/75.44/70.71, SURF 75.08/75.28/72.68
projected: SIFT 47.20/47.21, RGBSIFT 47.92/47.94, SURF 17.51/16.64`), "\n")
	for i, p := range published() {
		var rows []string
		for _, r := range PublishedRows(p.file, scope.All) {
			var values []string
			for _, metric := range []string{catalogue.MicroMAP, catalogue.MAP, "viewpoint_map", "illumination_map"} {
				if v, there := r.Metrics[metric]; there {
					values = append(values, fmt.Sprintf("%.2f", 100*v))
				}
			}
			rows = append(rows, r.Source.String()+" "+strings.Join(values, "/"))
		}
		if got := p.name + ": " + strings.Join(rows, ", "); got != want[i] {
			t.Errorf("got  %s\nwant %s", got, want[i])
		}
	}
}
