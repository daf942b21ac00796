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

// Of a position alone a descriptor sees another part of the scene, and that turned: what is left is chance. One that
// looks up the level that a keypoint was found in sees the same part at the level that the carried size calls for. The
// bounds leave room on both sides of what was measured, which the test logs.
func TestCarryingGeometryPaysInASceneOfTwiceTheSizeTurnedBy60Degrees(t *testing.T) {
	sets, descriptors := "", ""
	for _, d := range []struct{ name, detect, border, extract string }{
		{"sift", "sift, contrast_threshold: 0.005", "20", "sift"}, {"brisk", "sift, contrast_threshold: 0.005", "20", "brisk"},
		{"sift_of_akaze", "akaze", "20", "sift"}, // whose octave is AKAZE's
		{"orb", "orb, nfeatures: 2000", "40", "orb"}, {"akaze", "akaze, threshold: 0.0001", "40", "akaze"},
		{"kaze", "kaze, threshold: 0.0001", "40", "kaze, gradients: compute"},
	} {
		for carry, by := range map[string]string{"position": "moved", "geometry": "carried"} {
			set := d.name + "_" + by
			sets += fmt.Sprintf("  - {name: %s, detect: {type: %s}, border: %s, project: {carry: %s}}\n", set, d.detect, d.border, carry)
			descriptors += fmt.Sprintf("  - {name: %s, type: %s, keypoints: %[1]s}\n", set, d.extract)
		}
	}
	const pooling = "pooling: {type: domain_size, scales: [0.85, 1, 1.3]}"
	descriptors += "  - {name: sift_pooled, type: sift, keypoints: sift_carried, " + pooling + "}\n"
	descriptors += "  - {name: kaze_pooled, type: kaze, gradients: compute, keypoints: kaze_carried, " + pooling + "}\n"
	dir := t.TempDir()
	zoomed(t, filepath.Join(dir, "scenes"), 360, 4)
	maps := mapOf(t, dir, "experiment: {name: geometry}\ndataset: {root: SCENES}\noutput: {root: runs}\nkeypoint_sets:\n"+sets+"descriptors:\n"+descriptors)
	t.Logf("mAP: %v", maps)
	for name, bounds := range map[string][2]float64{
		"sift_moved": {0, 0.1}, "sift_carried": {0.7, 1}, "sift_pooled": {0.7, 1}, "sift_of_akaze_moved": {0, 0.1}, "sift_of_akaze_carried": {0.7, 1},
		"orb_moved": {0, 0.15}, "orb_carried": {0.5, 1}, "akaze_moved": {0, 0.15}, "akaze_carried": {0.5, 1}, "kaze_moved": {0, 0.15}, "kaze_carried": {0.5, 1},
		// BRISK measures its own orientation: only the size is what it gains by. Pooling pays.
		"brisk_carried": {maps["brisk_moved"] + 0.1, 1}, "kaze_pooled": {maps["kaze_carried"], 1},
	} {
		if v, ok := maps[name]; !ok || !(bounds[0] <= v && v <= bounds[1]) {
			t.Errorf("%s: mAP %.3f, want %g to %g", name, v, bounds[0], bounds[1])
		}
	}
}

// The sides of an intersection that projects are of two detectors.
func TestEachSideOfAProjectedIntersectionIsResizedByItsOwnDetector(t *testing.T) {
	dir := t.TempDir()
	zoomed(t, filepath.Join(dir, "scenes"), 360, 4)
	cfg := configtest.Load(t, dir, `
experiment: {name: sides}
dataset: {root: `+filepath.Join(dir, "scenes")+`}
keypoint_sets:
  - {name: sift, detect: {type: sift, contrast_threshold: 0.005}, border: 0}
  - {name: orb, detect: {type: orb, nfeatures: 2000}, border: 0}
  - {name: both, intersect: {a: sift, b: orb, tolerance_px: 5}, border: 30, project: {carry: geometry}}
descriptors: [{name: sift, type: sift, keypoints: both.a}]
output: {root: runs}
`)
	opt := plantest.Options(filepath.Join(dir, "cache"))
	a, b := readAll(t, cfg, opt, "both.a"), readAll(t, cfg, opt, "both.b")
	d, _ := keypoints.FindDetector("orb")
	atSize := keypoints.ResizerOf("orb", keypoints.Defaults(d.Params))
	for image := range a[0] {
		if a[0][image].Len() != b[0][image].Len() || a[0][image].Len() < 10 {
			t.Fatalf("image %d: %d and %d keypoints", image+1, a[0][image].Len(), b[0][image].Len())
		}
		for row, p := range b[0][image].Keypoints {
			if p.Octave != atSize(keypoints.Keypoint{}, p.Size).Octave {
				t.Errorf("image %d, row %d: ORB's %+v is in octave %d, want %d", image+1, row, p, p.Octave, atSize(keypoints.Keypoint{}, p.Size).Octave)
			}
			if octave, layer := keypoints.UnpackOctave(a[0][image].Keypoints[row].Octave); layer < 1 || layer > 3 || octave > 5 {
				t.Errorf("image %d, row %d: SIFT's %+v is in octave %d, layer %d", image+1, row, a[0][image].Keypoints[row], octave, layer)
			}
		}
	}
}
