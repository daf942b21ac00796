package compare

import (
	"testing"

	"descbench/eval/must"
	"descbench/eval/scope"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
)

// D2-Net's authors print MMA@1, MMA@2 and so on, in this order; those of glue-factory begin with estimates by DLT.
func TestTheHeadlineIsTheFirstMetricOfThePresetByWhichDescriptorsDiffer(t *testing.T) {
	const text = `
experiment: {name: x}
dataset: {root: x}
keypoint_sets: [{name: k, detect: {type: sift}}]
descriptors: [{name: a, type: sift}, {name: b, type: sift, root: l1}]
`
	type values map[string][2]float64
	differs := [2]float64{.4, .5}
	for _, c := range []struct {
		preset string
		of     values
		want   string // "" for none
	}{
		{"evaluation: {preset: d2net}", values{"mma@1": {0, 0}, "mma@2": differs, "mma@3": differs, "true_map_macro_by_scene": differs}, "mma@2"},
		{"evaluation: {preset: d2net}", values{"mma@1": {.3, .3}, "true_map_macro_by_scene": differs}, "true_map_macro_by_scene"},
		{"evaluation: {preset: d2net}", values{"mma@2": {.3, .3}, "true_map_macro_by_scene": {.5, .5}}, "mma@2"},
		{"evaluation: {preset: gluefactory}", values{"dlt_scored_system_wh_homography_auc@1": differs, "ransac_0.5px_3000it_opencv_wh_homography_auc@1": differs}, "ransac_0.5px_3000it_opencv_wh_homography_auc@1"},
		{"", values{"mma@1": differs}, ""},
	} {
		run := &fold.Run{Config: must.Get(config.Parse("x.yaml", []byte(text+c.preset)))(t)}
		runs := &fold.Runs{Runs: []*fold.Run{run}}
		for i := range 2 {
			s := &fold.System{Run: run}
			for name, value := range c.of {
				s.Add(scope.Metric{Scope: scope.All, Name: name, Value: value[i]})
			}
			runs.Systems = append(runs.Systems, s)
		}
		got := ""
		if m := Headline(runs); m != nil {
			got = m.Name
		}
		if got != c.want {
			t.Errorf("%s %v: got %q, want %q", c.preset, c.of, got, c.want)
		}
	}
}
