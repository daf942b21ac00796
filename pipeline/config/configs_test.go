package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"descbench/eval/ranking"
)

// configFile loads one of the program's own configs.
func configFile(t *testing.T, name string) *Config {
	t.Helper()
	c := mustLoad(t, "../../configs/"+name+".yaml")
	if c.Output.Root != here(t, "runs") {
		t.Errorf("%s: runs go to %s", name, c.Output.Root)
	}
	return c
}

// checkLines compares the recipes of keypoint sets and descriptors with lines of
// "name: recipe".
func checkLines(t *testing.T, c *Config, sets, descriptors []string) {
	t.Helper()
	var got []string
	for _, s := range c.KeypointSets {
		got = append(got, s.Name+": "+s.String())
	}
	if !slices.Equal(got, sets) {
		t.Errorf("%s: found the sets\n%s\nwant\n%s", c.Experiment.Name, strings.Join(got, "\n"), strings.Join(sets, "\n"))
	}
	got = nil
	for _, d := range c.Descriptors {
		got = append(got, d.Name+": "+d.String())
	}
	if !slices.Equal(got, descriptors) {
		t.Errorf("%s: found the descriptors\n%s\nwant\n%s", c.Experiment.Name, strings.Join(got, "\n"), strings.Join(descriptors, "\n"))
	}
}

// The sets and rules are those that DescriptorWorkbench publishes figures for:
// borders, numbers and tolerances in its database of keypoint sets, thresholds
// and domain sizes the defaults in its sources.
func TestTheWorkbenchConfigsAreItsSetsAndRules(t *testing.T) {
	const selected = "; border 35 px half_open; top 8000 per image by response"
	const opencv, domains = ", pyramid: opencv", ", pooling.scales: [0.85, 1, 1.3]"
	sift8000 := "sift_8000: detect sift" + selected
	surf8000 := "surf_8000: detect surf (hessian_threshold=400)" + selected
	sift645k := "sift_scale_matched_6px: from sift_8000; top 645000 in total by size"
	surf645k := "surf_scale_matched_6px: from surf_8000; top 645000 in total by size"
	family := func(sift, surf string) []string {
		return []string{
			"sift: sift, keypoints: " + sift + opencv,
			"rootsift: sift, keypoints: " + sift + opencv + ", root: l1",
			"rgbsift: rgbsift, keypoints: " + sift + opencv,
			"dspsift: sift, keypoints: " + sift + opencv + domains,
			"dsprgbsift: rgbsift, keypoints: " + sift + opencv + domains,
			"surf: surf, keypoints: " + surf,
		}
	}
	checkLines(t, configFile(t, "workbench_sift_8000"), []string{sift8000, surf8000}, family("sift_8000", "surf_8000"))
	checkLines(t, configFile(t, "workbench_scale_matched"),
		[]string{sift8000, surf8000, sift645k, surf645k}, family("sift_scale_matched_6px", "surf_scale_matched_6px"))
	checkLines(t, configFile(t, "workbench_intersection"), []string{
		sift8000, surf8000, sift645k, surf645k,
		"sift_surf: intersect sift_scale_matched_6px with surf_scale_matched_6px, tolerance 6 px",
	}, family("sift_surf.a", "sift_surf.b")[2:])
	checkLines(t, configFile(t, "workbench_projected"), []string{
		"sift_projected: detect sift; border 40 px closed; top 2000 per image by response; project from image 1, carry position, bounds image1",
	}, []string{
		"sift: sift, keypoints: sift_projected, pyramid: opencv",
		"rgbsift: rgbsift, keypoints: sift_projected, pyramid: opencv",
		"surf: surf, keypoints: sift_projected",
	})
	rule := Evaluation{
		Preset:     "workbench",
		Options:    ranking.Options{TolerancePx: 3, Ties: ranking.Workbench, Relevance: "nearest", Cutoffs: []int{1, 5, 10}, ExcludeInvalid: true, ExcludeBeyondPx: 2000},
		Estimators: []string{"ransac", "magsac"}, EstimatorDraws: 5, PoseDraws: 1,
	}
	for _, name := range []string{"sift_8000", "scale_matched", "intersection", "projected"} {
		if c := configFile(t, "workbench_"+name); !reflect.DeepEqual(c.Evaluation, rule) {
			t.Errorf("%s: evaluated by %+v", name, c.Evaluation)
		}
	}
}
