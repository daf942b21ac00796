package detect_test

import (
	"math"
	"testing"

	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// leveled are settings under which detectors with levels are tried.
var leveled = map[string][]string{
	"orb": {
		"nfeatures=5000", "nfeatures=3000 scale_factor=1.05 nlevels=20", "nfeatures=3000 scale_factor=2 nlevels=4 first_level=1 patch_size=21",
		"nfeatures=3000 first_level=3 nlevels=5 edge_threshold=10",
	},
	"akaze": {"", "threshold=0.0001 n_octave_layers=1", "threshold=0.0001 n_octave_layers=3 n_octaves=2", "threshold=0.0001 n_octave_layers=7", "descriptor_type=kaze diffusivity=weickert"},
	"kaze":  {"", "threshold=0.0001 n_octave_layers=1", "threshold=0.0001 n_octave_layers=3 n_octaves=3", "threshold=0.0001 n_octave_layers=7"},
}

// checkLevels holds the rules of package keypoints to what OpenCV gave its own
// keypoints, and returns how many there are, and of how many the size alone does
// not tell the level.
func checkLevels(t *testing.T, detector, changes string, img detect.Image) (total, notToldBySize int) {
	t.Helper()
	p := withParams(t, detector, changes)
	resize := keypoints.ResizerOf(detector, p)
	bad := 0
	for _, k := range found(t, img, detector, changes) {
		total++
		level, want := int32(0), k.ClassID
		switch detector {
		case "orb":
			want = k.Octave
			level = resize(keypoints.Keypoint{}, k.Size).Octave
		case "akaze":
			level = resize(keypoints.Keypoint{}, k.Size).ClassID
		case "kaze":
			level = int32(math.Round(float64(p.Int("n_octave_layers")) * math.Log2(float64(k.Size)/3.2)))
			// What kazeResizer says of ξ.
			if xi := float64(p.Int("n_octave_layers"))*math.Log2(float64(k.Size)/3.2) - float64(k.ClassID); math.Abs(xi) > 1+1e-5 {
				t.Errorf("KAZE %s: %+v has ξ %.4f, want at most 1", changes, k, xi)
			}
		}
		if level != want {
			notToldBySize++
		}
		// There and back, and nowhere: as the detector left it.
		there := resize(k, 2*k.Size)
		if back := resize(there, k.Size); (back != k && detector != "orb") || resize(k, k.Size) != k {
			if bad++; bad < 5 {
				t.Errorf("%s %s: %+v at twice its size and back is %+v", detector, changes, k, back)
			}
		}
		if layers, ok := p["n_octave_layers"]; ok {
			if int64(k.Octave) != int64(k.ClassID)/layers.(int64) {
				t.Errorf("%s %s: %+v is in octave %d, want ⌊class / layers⌋", detector, changes, k, k.Octave)
			}
			if int64(there.ClassID)-int64(k.ClassID) != layers.(int64) || there.Octave != k.Octave+1 {
				t.Errorf("%s %s: %+v at twice its size is %+v, want it one octave up", detector, changes, k, there)
			}
		}
	}
	return total, notToldBySize
}

func checkAllLevels(t *testing.T, img detect.Image, name string) {
	t.Helper()
	for detector, settings := range leveled {
		for _, changes := range settings {
			total, lost := checkLevels(t, detector, changes, img)
			if total < 100 {
				t.Errorf("%s, %s %s: %d keypoints show too little", name, detector, changes, total)
			}
			if detector != "kaze" && lost > 0 {
				t.Errorf("%s, %s %s: the size of %d of %d keypoints does not tell their level", name, detector, changes, lost, total)
			}
			// If this fails, OpenCV has changed, and KAZE's size tells its level.
			if detector == "kaze" && changes == "" && lost == 0 {
				t.Errorf("%s, kaze: the size of every keypoint tells its level", name)
			}
			t.Logf("%s, %s %s: %d keypoints, of %d the size does not tell the level", name, detector, changes, total, lost)
		}
	}
}

func TestTheSizeOfOpenCVsKeypointsTellsTheirLevelInORBAndAKAZEButNotInKAZE(t *testing.T) {
	checkAllLevels(t, noisy(t, 640, 480), "drawn")
}

// ResizerOf keeps the octaves of BRISK, and of SURF, since no rule could tell
// them from the size.
func TestSizesOfBRISKOverlapBetweenOctaves(t *testing.T) {
	smallest, largest := map[int32]float32{}, map[int32]float32{}
	for _, k := range found(t, noisy(t, 640, 480), "brisk", "") {
		if s, ok := smallest[k.Octave]; !ok || k.Size < s {
			smallest[k.Octave] = k.Size
		}
		largest[k.Octave] = max(largest[k.Octave], k.Size)
	}
	if !(smallest[1] < largest[0]) {
		t.Errorf("octave 0 ends at %v px, octave 1 begins at %v, want them to overlap", largest[0], smallest[1])
	}
}
