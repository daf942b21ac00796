package keypointsets

import (
	"path/filepath"
	"testing"

	"descbench/keypoints"
	"descbench/pipeline/config/configtest"
	"descbench/pipeline/plan/plantest"
)

// A descriptor that looks up the level that a keypoint was found in sees the same
// part of the scene at the level that the carried size calls for.
func TestCarryingGeometryPaysForDescriptorsThatLookUpLevels(t *testing.T) {
	dir := t.TempDir()
	zoomed(t, filepath.Join(dir, "scenes"), 360, 4)
	maps := mapOf(t, dir, `
experiment: {name: levels}
dataset: {root: SCENES}
keypoint_sets:
  - {name: orb_moved, detect: {type: orb, nfeatures: 2000}, border: 40, project: {carry: position}}
  - {name: orb_carried, detect: {type: orb, nfeatures: 2000}, border: 40, project: {carry: geometry}}
  - {name: akaze_moved, detect: {type: akaze, threshold: 0.0001}, border: 40, project: {carry: position}}
  - {name: akaze_carried, detect: {type: akaze, threshold: 0.0001}, border: 40, project: {carry: geometry}}
  - {name: kaze_moved, detect: {type: kaze, threshold: 0.0001}, border: 40, project: {carry: position}}
  - {name: kaze_carried, detect: {type: kaze, threshold: 0.0001}, border: 40, project: {carry: geometry}}
descriptors:
  - {name: orb_moved, type: orb, keypoints: orb_moved}
  - {name: orb_carried, type: orb, keypoints: orb_carried}
  - {name: akaze_moved, type: akaze, keypoints: akaze_moved}
  - {name: akaze_carried, type: akaze, keypoints: akaze_carried}
  - {name: kaze_moved, type: kaze, gradients: compute, keypoints: kaze_moved}
  - {name: kaze_carried, type: kaze, gradients: compute, keypoints: kaze_carried}
  - {name: kaze_pooled, type: kaze, gradients: compute, keypoints: kaze_carried, pooling: {type: domain_size, scales: [0.85, 1, 1.3]}}
output: {root: runs}
`)
	for _, kind := range []string{"orb", "akaze", "kaze"} {
		moved, carried := maps[kind+"_moved"], maps[kind+"_carried"]
		t.Logf("%s: mAP %.3f by position, %.3f by geometry", kind, moved, carried)
		if !(moved < 0.15 && carried > 0.5) {
			t.Errorf("%s: mAP %.3f by position, %.3f by geometry, want below 0.15 and above 0.5", kind, moved, carried)
		}
	}
	t.Logf("kaze pooled: %.3f", maps["kaze_pooled"])
	if pooled, plain := maps["kaze_pooled"], maps["kaze_carried"]; !(pooled > plain) {
		t.Errorf("kaze: mAP %.3f pooled, %.3f plain, want pooling to pay", pooled, plain)
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
