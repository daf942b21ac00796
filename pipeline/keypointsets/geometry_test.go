package keypointsets

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/pipeline"
	"descbench/pipeline/config/configtest"
	"descbench/pipeline/plan/plantest"
)

// A landscape is grey Gaussian hills and hollows, oblong and of many sizes, on a
// square. It is defined between the pixels too.
type landscape []hill

type hill struct{ x, y, reach, cos, sin, height float64 }

func newLandscape(side float64, seed uint64) landscape {
	rnd := rand.New(rand.NewPCG(seed, 0))
	var all landscape
	for range 1800 {
		sin, cos := math.Sincos(rnd.Float64() * math.Pi)
		all = append(all, hill{side * rnd.Float64(), side * rnd.Float64(), 1.5 * math.Exp2(2.5*rnd.Float64()), cos, sin, 160 * (rnd.Float64() - 0.5)})
	}
	return all
}

func (l landscape) at(x, y float64) float64 {
	v := 128.0
	for _, h := range l {
		dx, dy := x-h.x, y-h.y
		if r := 4 * h.reach; dx*dx+dy*dy < r*r {
			along, across := h.cos*dx+h.sin*dy, 1.8*(h.cos*dy-h.sin*dx)
			v += h.height * math.Exp(-(along*along+across*across)/(2*h.reach*h.reach))
		}
	}
	return v
}

// zoomed writes the scene v_zoom: image 1 shows the square, the others what lies
// around its centre at twice the size, turned clockwise by 60°, in six lights.
func zoomed(t *testing.T, root string, side, seed int) {
	t.Helper()
	dir := filepath.Join(root, "v_zoom")
	must.Do(t, os.MkdirAll(dir, 0o777))
	scene := newLandscape(float64(side), uint64(seed))
	sin, cos := math.Sincos(math.Pi / 3)
	for k := 1; k <= 6; k++ {
		h := keypoints.Identity
		if k > 1 {
			// The centre of image 1 goes to that of image k, but for some pixels.
			c, to := float64(side)/2, float64(side)/2+float64(k)
			h = keypoints.Homography{2 * cos, -2 * sin, to - 2*c*(cos-sin), 2 * sin, 2 * cos, to - 2*c*(sin+cos), 0, 0, 1}
			text := fmt.Sprintf("%v %v %v\n%v %v %v\n%v %v %v\n", h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], h[8])
			must.Do(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("H_1_%d", k)), []byte(text), 0o666))
		}
		back := must.Get(h.Inverse())(t)
		img := image.NewGray(image.Rect(0, 0, side, side))
		for y := range side {
			for x := range side {
				v := scene.at(back.Apply(float64(x), float64(y)))
				img.SetGray(x, y, color.Gray{Y: uint8(math.Round(max(0, min(255, (1.1-0.05*float64(k))*v))))})
			}
		}
		f := must.Get(os.Create(filepath.Join(dir, fmt.Sprintf("%d.png", k))))(t)
		must.Do(t, png.Encode(f, img))
		must.Do(t, f.Close())
	}
}

// mapOf runs a config and returns the micro mAP of its descriptors.
func mapOf(t *testing.T, dir, text string) map[string]float64 {
	t.Helper()
	cfg := configtest.Load(t, dir, strings.ReplaceAll(text, "SCENES", filepath.Join(dir, "scenes")))
	outcome := must.Get(pipeline.Run(context.Background(), cfg, plantest.Options(filepath.Join(dir, "cache"))))(t)
	maps := make(map[string]float64)
	for _, d := range outcome.Summary.Descriptors {
		for _, m := range d.Metrics {
			if m.Name == "true_map_micro" {
				maps[d.Name] = m.Value
			}
			if m.Name == "total_queries_processed" && m.Value < 900 {
				t.Errorf("%s: %v queries show too little, want 900", d.Name, m.Value)
			}
		}
	}
	return maps
}

// Of a position alone a descriptor sees another part of the scene, and that
// turned: what is left is chance. The bounds leave room on both sides of what was
// measured, which the test logs.
func TestCarryingGeometryPaysInASceneOfTwiceTheSizeTurnedBy60Degrees(t *testing.T) {
	dir := t.TempDir()
	zoomed(t, filepath.Join(dir, "scenes"), 360, 4)
	maps := mapOf(t, dir, `
experiment: {name: geometry}
dataset: {root: SCENES}
keypoint_sets:
  - {name: found, detect: {type: sift, contrast_threshold: 0.005}, border: 20}
  - {name: moved, from: found, border: 20, project: {from_image: 1, carry: position}}
  - {name: carried, from: found, border: 20, project: {from_image: 1, carry: geometry}}
  - {name: akaze_moved, detect: {type: akaze}, border: 20, project: {from_image: 1, carry: position}}
  - {name: akaze_carried, detect: {type: akaze}, border: 20, project: {from_image: 1, carry: geometry}}
descriptors:
  - {name: moved, type: sift, keypoints: moved}
  - {name: carried, type: sift, keypoints: carried}
  - {name: pooled, type: sift, keypoints: carried, pooling: {type: domain_size, scales: [0.85, 1, 1.3]}}
  - {name: akaze_moved, type: sift, keypoints: akaze_moved}
  - {name: akaze_carried, type: sift, keypoints: akaze_carried}
  - {name: brisk_moved, type: brisk, keypoints: moved}
  - {name: brisk_carried, type: brisk, keypoints: carried}
output: {root: runs}
`)
	for _, c := range []struct {
		name     string
		from, to float64
	}{
		{"moved", 0, 0.1},
		{"carried", 0.7, 1},
		{"pooled", 0.7, 1},
		// SIFT of AKAZE's keypoints, whose octave is AKAZE's.
		{"akaze_moved", 0, 0.1},
		{"akaze_carried", 0.7, 1},
	} {
		t.Logf("%s: mAP %.3f", c.name, maps[c.name])
		if v, ok := maps[c.name]; !ok || !(c.from <= v && v <= c.to) {
			t.Errorf("%s: mAP %.3f, want %g to %g", c.name, v, c.from, c.to)
		}
	}
	// BRISK measures its own orientation: only the size is what it gains by.
	t.Logf("brisk: mAP %.3f by position, %.3f by geometry", maps["brisk_moved"], maps["brisk_carried"])
	if gain := maps["brisk_carried"] - maps["brisk_moved"]; !(gain >= 0.1) {
		t.Errorf("brisk gains %.3f, want 0.1", gain)
	}
}
