package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/matching"
	"descbench/eval/must"
)

const presetConfig = `
experiment: {name: p}
dataset: {root: .}
keypoint_sets:
  - {name: sift, detect: {type: sift}, border: 0}
descriptors:
  - {name: sift, type: sift}
  - {name: loftr, type: matches, path: "loftr/{scene}/1_{image}.npz"}
`

func presetLoad(t *testing.T, text string, set ...string) *Config {
	t.Helper()
	return must.Get(load("p.yaml", []byte(presetConfig+text), Overrides{Set: set}))(t)
}

// checkPreset checks that a config of a preset has its metrics, deviates in nothing but its imported matches, and stays
// the same when it is written. It returns how many metrics are of own estimators.
func checkPreset(t *testing.T, c *Config) (own int) {
	t.Helper()
	p := c.Preset()
	for _, m := range p.Metrics {
		of := catalogue.Of(m.Name)
		if !of.IsKnown() || of.Name != m.Name {
			t.Errorf("%s: %s is %s", p.Name, m.Name, of.Name)
		}
		if of.Estimator == "" {
			continue
		}
		if !slices.Contains(c.Evaluation.Estimators, of.Estimator) {
			t.Errorf("%s prints %s, but sets %q", p.Name, m.Name, c.Evaluation.Estimators)
		} else if e, _ := matching.ParseEstimator(of.Estimator); e.Estimates(c.Evaluation.Draws) != max(1, e.Repetitions) { // as all scripts do
			t.Errorf("%s: %+v draws, want 1", p.Name, c.Evaluation.Draws)
		}
		if strings.HasPrefix(of.Estimator, "own_") {
			own++
		}
	}
	if got := slices.DeleteFunc(deviationsOf(c), func(text string) bool { return strings.HasPrefix(text, "descriptors[loftr].") }); len(got) > 0 {
		t.Errorf("%s without other keys deviates from itself: %q", p.Name, got)
	}
	again, err := Parse("again.yaml", c.YAML())
	if err != nil || again.Identity() != c.Identity() {
		t.Errorf("%s: its effective config is another one: %v", p.Name, err)
	}
	return own
}

func TestEveryPresetNamesItsSourceAndMetricsThatItsConfigHas(t *testing.T) {
	for _, p := range Presets() {
		if p.Paper == "" || p.Repository == "" || len(p.Commit) != 40 || len(p.Files) == 0 || len(p.Metrics) == 0 {
			t.Errorf("%s: %+v", p.Name, p)
		}
		checkPreset(t, presetLoad(t, "evaluation: {preset: "+p.Name+"}"))
	}
}

// The options are those of verlab/accelerated_features, commit e92685f, modules/eval/megadepth1500.py; glue-factory and
// DaD set none.
func TestPresetsEstimateByPoseLibIfTheyCan(t *testing.T) {
	with := 0
	for _, p := range Presets() {
		if p.PoseLib == nil {
			continue
		}
		with++
		options := ""
		if p.Name == "xfeat_megadepth1500" {
			options = `, --max_iterations, "1000", --min_iterations, "20", --success_prob, "0.99999"`
		}
		load := func(options string) *Config {
			return presetLoad(t, "evaluation: {preset: "+p.Name+", own_estimators: [{name: poselib, run: [/env/bin/python, -m, descbench, poselib"+options+"]}]}")
		}
		c := load(options)
		if own := checkPreset(t, c); own < 3 || !slices.Equal(c.Preset().Titles(), p.Titles()) {
			t.Errorf("%s: %d metrics by PoseLib, titles %q, want %q", p.Name, own, c.Preset().Titles(), p.Titles())
		}
		if got := deviationsOf(load(", --max_iterations, \"7\"")); !strings.HasPrefix(strings.Join(got, "\n"), "evaluation.own_estimators[poselib].run: ours -m descbench poselib --max_iterations 7, published -m descbench poselib") {
			t.Errorf("%s: %q", p.Name, got)
		}
	}
	if with != 4 {
		t.Errorf("%d presets by PoseLib, want 4", with)
	}
}

// deviationsOf returns what differs by the config.
func deviationsOf(c *Config) (out []string) {
	for _, f := range c.PresetDeviations() {
		switch key := strings.Join(f.Names["key"], ""); f.Kind {
		case fact.Deviation:
			out = append(out, fmt.Sprintf("%s: ours %s, published %s", key, f.Names["ours"][0], f.Names["published"][0]))
		case fact.NotRestricted:
			out = append(out, key+": not restricted")
		}
	}
	return out
}

func TestDeviationsFromAPresetNameTheirKeys(t *testing.T) {
	c := presetLoad(t, `
evaluation:
  preset: gluefactory
  estimators: [dlt_scored_system_wh, ransac_0.5px]
  matcher: {cross_check: true, ratio: 0.9}
`, "dataset.resize.short_side=640", "dataset.resize.interpolation=area", "dataset.subset=all")
	c.KeypointSets[0].Border.Px = 40
	want := []string{
		"dataset.subset: ours all, published 108", "keypoint_sets[sift].border: ours 40 px, published 0",
		"dataset.resize.short_side: ours 640, published 480", "dataset.resize.round: ours nearest, published down", "dataset.resize.interpolation: ours area, published antialias", "dataset.resize.coordinates: ours edges, published scaled",
		"evaluation.matcher.ratio: ours 0.9, published 0",
		"evaluation.estimators: ours [dlt_scored_system_wh, ransac_0.5px], published [dlt_scored_system_wh, ransac_0.5px_3000it_opencv_wh]",
	}
	got := deviationsOf(c)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What differs from a preset by a standard value is written, and holds when the config is read again.
func TestAStandardValueInPlaceOfThePresetsIsKept(t *testing.T) {
	for preset, set := range map[string]string{
		"gluefactory_scannet1500": "dataset.origin=center", "superpoint_repeatability": "evaluation.shared_top_k=0", "d2net": "dataset.subset=all", "gluefactory": "dataset.resize=null", "keynet": "evaluation.shared_region=image",
	} {
		c := presetLoad(t, "evaluation: {preset: "+preset+"}", set)
		again := must.Get(Parse("again.yaml", c.YAML()))(t)
		if again.Identity() != c.Identity() || !slices.Equal(deviationsOf(again), deviationsOf(c)) {
			t.Errorf("%s, %s: read again, it has %q", preset, set, Diff(c, again))
		}
		if got := strings.Join(deviationsOf(c), "\n"); !strings.Contains(got, strings.Replace(set, "=", ": ours ", 1)) && preset != "gluefactory" {
			t.Errorf("%s, %s: deviations %q", preset, set, got)
		}
	}
}

// The sizes are those of get_new_image_size in gluefactory/utils/image.py for 480 and the
// short side: int(480 * w / h) or int(480 / (w / h)).
// A list of scenes leaves the preset's subset out, and what only some descriptors have is
// told of these.
func TestDeviationsOfScenesAndDescriptorsFromAPreset(t *testing.T) {
	c := presetLoad(t, "evaluation: {preset: gluefactory}", "dataset.scenes=[v_wall]")
	c.KeypointSets[0].Border.Px, c.Evaluation.SharedTopK, c.Descriptors[0].Matcher = 0.5, 1, &matching.Matcher{Ratio: 0.8}
	c.Evaluation.TolerancePx = 1.5
	want := []string{
		"evaluation.tolerance_px: ours 1.5, published 3",
		"evaluation.shared_top_k: ours 1, published 0",
		"keypoint_sets[sift].border: ours 0.5 px, published 0",
		"descriptors[loftr].matches: not restricted",
		"descriptors[sift].matcher: ours nearest neighbours, ratio 0.8, published mutual nearest neighbours",
	}
	if got := deviationsOf(c); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestSizesAreRoundedAsByGlueFactory(t *testing.T) {
	r := *presetLoad(t, "evaluation: {preset: gluefactory}").Dataset.Resize
	for from, want := range map[[2]int][2]int{
		{1000, 700}: {685, 480}, {700, 1000}: {480, 685}, {640, 480}: {640, 480}, {800, 640}: {600, 480}, {765, 512}: {717, 480}, {511, 767}: {480, 720},
	} {
		if w, h := r.Size(from[0], from[1]); [2]int{w, h} != want {
			t.Errorf("%v: %d×%d, want %v", from, w, h, want)
		}
	}
}

// The sizes of images in assets/megadepth_1500.json of verlab/accelerated_features, commit e92685f
// (scale0 × size0_hw and size0_hw): at most 1200 px, then sides divisible by 32.
func TestSidesAreMultiplesAsInMegaDepth1500(t *testing.T) {
	r := Resize{LongSide: 1200, MultipleOf: 32}
	for from, want := range map[[2]int][2]int{
		{1280, 960}: {1184, 896}, {1280, 959}: {1184, 896}, {1280, 853}: {1184, 800}, {1280, 948}: {1184, 864}, {1600, 1185}: {1184, 864}, {1280, 946}: {1184, 864},
	} {
		if w, h := r.Size(from[0], from[1]); [2]int{w, h} != want {
			t.Errorf("%v: %d×%d, want %v", from, w, h, want)
		}
	}
	if w, h := (Resize{Factor: 1, MultipleOf: 16}).Size(100, 9); w != 96 || h != 16 {
		t.Errorf("a side below the multiple: %d×%d, want 96×16", w, h)
	}
}

func TestAPresetThatOverridesTheFileReplacesItsValues(t *testing.T) {
	file := "evaluation: {estimators: [magsac], matcher: {ratio: 0.8}}"
	c := presetLoad(t, file, "evaluation.preset=dkm", "evaluation.matcher.ratio=0.7")
	if got := c.Evaluation.Estimators; !slices.Equal(got, []string{"ransac_3px480_0.99999c_opencv_e480"}) {
		t.Errorf("estimators %q", got)
	}
	if c.Evaluation.Matcher.Ratio != 0.7 {
		t.Errorf("matcher %v, want that of --set", c.Evaluation.Matcher)
	}
	if c = presetLoad(t, file+"\n"); c.Evaluation.Estimators[0] != "magsac" || c.Dataset.Subset != "all" {
		t.Errorf("without a preset: %q, %s", c.Evaluation.Estimators, c.Dataset.Subset)
	}
}
