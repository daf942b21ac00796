package extract_test

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect/detecttest"
)

// baselinePatch returns the grey values of the patch in testdata/baseline.py.
func baselinePatch(seed uint32) func(x, y int) float64 {
	const side = descriptors.PatchSide
	var noise [side][side]int
	for i := range side * side {
		seed = seed*1664525 + 1013904223
		noise[i/side][i%side] = int(seed >> 24)
	}
	return func(x, y int) float64 {
		return float64((noise[y][x] + noise[(y+side-1)%side][x] + noise[y][(x+side-1)%side] + x) / 4)
	}
}

func TestBaselinesOfTheBenchmarkAreThoseOfNumPy(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/baseline.json"))(t)
	var cases []struct {
		Seed uint32
		MStd []float64
		Resz map[string][]float64
	}
	must.Do(t, json.Unmarshal(text, &cases))
	for _, c := range cases {
		img := detecttest.Grey(descriptors.PatchSide, descriptors.PatchSide, baselinePatch(c.Seed)).Image(t)
		check := func(kind string, p keypoints.Params, want []float64) {
			t.Helper()
			k, _ := descriptors.FindKind(kind)
			m, err := extract.Extract(img, []keypoints.Keypoint{k.PatchKeypoint(p)}, kind, p)
			if err != nil || m.Dim != len(want) {
				t.Fatalf("%s: dimension %d, want %d, error %v", kind, m.Dim, len(want), err)
			}
			for i, v := range want {
				if d := math.Abs(float64(m.Float32[i]) - v); d > 1e-6*max(1, math.Abs(v)) {
					t.Errorf("%s %v, patch %d, element %d: %v, want %v", kind, p, c.Seed, i, m.Float32[i], v)
					break
				}
			}
		}
		check("mstd", keypoints.Params{}, c.MStd)
		for side, want := range c.Resz {
			n := must.Get(strconv.ParseInt(side, 10, 64))(t)
			check("resz", keypoints.Params{"side": n}, want)
		}
	}
}
