package compare

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/pipeline/config"
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

const workbench = `
experiment: {name: w}
dataset: {root: .}
keypoint_sets: [{name: s, detect: {type: sift}, border: {px: 35, rule: half_open}, top: {by: response, per_image: 8000}}]
descriptors: [{name: mine, type: sift, pyramid: opencv, keypoints: s}]
evaluation: {preset: workbench}
`

func summaryOf(scenes map[string]store.SummaryScene) *store.Summary {
	return &store.Summary{Experiment: "b", Descriptors: []store.SummaryDescriptor{{Name: "mine", Scenes: scenes}}}
}

func scene(ap float64, processed int) store.SummaryScene {
	return store.SummaryScene{TrueMAP: &ap, QueriesProcessed: processed}
}

func TestPublishedFiguresStandBesideGenuineScenesOnly(t *testing.T) {
	cfg := configFrom(t, baseline)
	if got := Published(cfg, summaryOf(map[string]store.SummaryScene{"i_oxbikes": scene(.5, 10), "v_synth_001": scene(.5, 10)})); got != nil {
		t.Errorf("got %+v, want nothing", got)
	}
	got := Published(cfg, summaryOf(map[string]store.SummaryScene{
		"v_dogman": scene(.2, 30), "v_graffiti": scene(.6, 10), "i_ski": scene(.5, 20), "i_oxbikes": scene(.9, 1000),
	}))
	if len(got) != 1 || got[0].Scenes != 3 || got[0].Name != "SIFT on sift_8000" {
		t.Fatalf("got %+v, want SIFT over three scenes", got)
	}
	// (.2·30 + .6·10 + .5·20) / 60, (.2 + .6) / 2
	want := []float64{22.0 / 60, .4, .5}
	for i, v := range []float64{got[0].Measured.Micro, got[0].Measured.Viewpoint, got[0].Measured.Illumination} {
		if math.Abs(v-want[i]) > 1e-12 {
			t.Errorf("figure %d is %v, want %v", i, v, want[i])
		}
	}
	if p := got[0].Published; p.Micro != .4264 || p.Viewpoint != .4588 || p.Illumination != .4314 {
		t.Errorf("published figures are %+v", p)
	}
}

func TestEveryDeviationFromThePublishedProtocolIsNamed(t *testing.T) {
	scenes := map[string]store.SummaryScene{"v_dogman": scene(.2, 30), "i_oxbikes": scene(.9, 1)}
	text := func(yaml string) string {
		got := Published(configFrom(t, yaml), summaryOf(scenes))
		if len(got) != 1 {
			t.Fatalf("got %+v", got)
		}
		return strings.Join(got[0].Deviations, "\n")
	}
	ours := text(baseline)
	for _, want := range []string{"border 40 px closed", "ties: mean", "step missing (published: top 8000", "pyramid: full", "excluded", "1 scenes of the run are not HPatches scenes"} {
		if !strings.Contains(ours, want) {
			t.Errorf("the baseline's deviations lack %q:\n%s", want, ours)
		}
	}
	theirs := strings.Split(text(workbench), "\n")
	if len(theirs) != 1 || !strings.Contains(theirs[0], "not HPatches scenes") {
		t.Errorf("with the published rules the deviations are %q, want the foreign scene alone", theirs)
	}
	for change, want := range map[string]string{
		"{type: sift}":       "{type: sift, contrast_threshold: 0.01}",
		"px: 35":             "px: 20",
		"per_image: 8000":    "per_image: 500",
		"pyramid: opencv":    "pyramid: full",
		"preset: workbench":  "preset: workbench, tolerance_px: 2",
		"keypoints: s}":      "keypoints: s, normalize: l1}",
		"per_image: 8000}}]": "per_image: 8000}, min_size: 2}]",
	} {
		if got := strings.Split(text(strings.Replace(workbench, change, want, 1)), "\n"); len(got) != len(theirs)+1 {
			t.Errorf("%s: deviations are %q, want one more than %q", want, got, theirs)
		}
	}
}
