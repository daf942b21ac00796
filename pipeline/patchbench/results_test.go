package patchbench

import (
	"context"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"descbench/eval/must"
	"descbench/eval/scope"
)

// made is a result with a matching mAP for every sequence.
func made(descriptor string, values map[string]float64) Result {
	r := Result{
		Protocol: Protocol{
			Task: "evaluate", Benchmark: "a", Protocol: "grouped", Distance: "L2",
			Definitions: map[string]string{"matching": "pairs"}, Data: "data of " + descriptor,
		},
		Descriptor: descriptor, Type: "float32", Dimension: 1,
	}
	for _, sequence := range slices.Sorted(maps.Keys(values)) {
		r.Metrics = append(r.Metrics, scope.Metric{
			Scope: "scene:" + sequence, Name: "patch_matching_map_mean", Value: values[sequence], Low: math.NaN(), High: math.NaN(), N: 15,
		})
	}
	return r
}

// The differences of one sequence each are known, and so are their mean, the
// exchanges of signs, and the standard deviation.
func TestPatchComparisonAgreesWithFiguresByHand(t *testing.T) {
	base := map[string]float64{"v_1": 0.5, "v_2": 0.5, "v_3": 0.5, "i_1": 0.5, "i_2": 0.5, "i_3": 0.5}
	other := map[string]float64{"v_1": 0.6, "v_2": 0.7, "v_3": 0.8, "i_1": 0.6, "i_2": 0.7, "i_3": 0.5}
	path := filepath.Join(t.TempDir(), "shared.sqlite")
	must.Get(enterAll(context.Background(), path, "test", []Result{made("base", base), made("other", other)}))(t)
	c, err := Compare(context.Background(), []string{path}, CompareOptions{Baseline: "base", Metric: "patch_matching_map_mean"})
	must.Do(t, err)
	// 0.1, 0.2, 0.3, 0.1, 0.2, 0: of the signs of the five that are not 0,
	// those of one kind alone are as extreme.
	row := c.Row("other", "all")
	squares := 2*0.05*0.05 + 2*0.05*0.05 + 0.15*0.15 + 0.15*0.15
	for what, v := range map[string][2]float64{
		"difference": {float64(row.Difference), 0.15},
		"p":          {float64(row.P), 2. / 32},
		"effect":     {float64(row.EffectSize), 0.15 / math.Sqrt(squares/5)},
	} {
		if math.Abs(v[0]-v[1]) > 1e-12 {
			t.Errorf("%s: got %v, want %v", what, v[0], v[1])
		}
	}
	if row.Scenes != 6 || row.Wins != 5 || row.Ties != 1 || row.Losses != 0 || row.Verdict != "untested" {
		t.Errorf("got %+v, want 6 scenes, 5 wins, a tie and no claim", row)
	}
	if got := float64(c.Row("other", "illumination").Difference); math.Abs(got-0.1) > 1e-12 {
		t.Errorf("illumination: %v, want 0.1", got)
	}
	if got := float64(c.Row("other", "viewpoint").Difference); math.Abs(got-0.2) > 1e-12 {
		t.Errorf("viewpoint: %v, want 0.2", got)
	}
}

// A window is the keypoint size times 7.5 for SIFT: 65 / 5.303 × 7.5 = 91.9 px, and 1.3 of it.
func TestWindowsOfPatchesAreThoseOfTheLargestScale(t *testing.T) {
	for scales, want := range map[string]float64{"[]": 92, "[1, 1.3]": 120, "[0.5]": 0} {
		dir := t.TempDir()
		text := `{"settings": {"descriptor": {"type": "sift", "pooling": {"scales": ` + scales + `}}, "keypoint": {"Size": 12.257, "Angle": -1}}}`
		must.Do(t, os.WriteFile(filepath.Join(dir, settingsFile), []byte(text), 0o600))
		said, err := placement(dir)
		if err != nil || len(said) > 0 != (want > 0) || want > 0 && said[0].Numbers["px"] != want {
			t.Errorf("scales %s: got %v, %v", scales, said, err)
		}
	}
}
