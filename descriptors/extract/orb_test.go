package extract_test

import (
	"slices"
	"testing"

	"gocv.io/x/gocv"

	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// firstPairs are the x and y of the first eight of ORB's 256 pairs of points,
// of the table that the authors learned (Rublee et al., ICCV 2011, section
// 4.3) and OpenCV holds.
var firstPairs = [8][4]float64{
	{8, -3, 9, 5}, {4, 2, 7, -12}, {-11, 9, -8, 2}, {7, -12, 12, -13}, {2, -13, 2, 12}, {1, -7, 1, 6}, {-2, -10, -2, -4}, {-13, -13, -11, -8},
}

// On a ramp the brighter of two points is the one farther along it, and
// smoothing changes nothing. A bit is 1 if the second is brighter.
func TestORBComparesThePairsOfItsTable(t *testing.T) {
	for _, c := range []struct {
		name   string
		dx, dy float64 // of the ramp
		angle  float32
		along  func(x, y float64) float64 // the ramp in the frame of the keypoint
	}{
		{"brighter to the right", 3, 0, 0, func(x, _ float64) float64 { return x }},
		{"brighter downwards", 0, 3, 0, func(_, y float64) float64 { return y }},
		{"brighter to the left", -3, 0, 0, func(x, _ float64) float64 { return -x }},
		{"brighter to the right, keypoint turned down", 3, 0, 90, func(_, y float64) float64 { return -y }},
		{"brighter to the right, keypoint without orientation", 3, 0, -1, func(x, _ float64) float64 { return x }},
	} {
		img := detecttest.Grey(81, 81, func(x, y int) float64 { return 128 + c.dx*float64(x-40) + c.dy*float64(y-40) }).Image(t)
		k := keypoints.Keypoint{X: 40, Y: 40, Size: 31, Angle: c.angle}
		m := mustExtract(t, img, []keypoints.Keypoint{k}, "orb", params(t, "orb"))
		if m.CountInvalid() != 0 {
			t.Fatalf("%s: invalid", c.name)
		}
		for i, p := range firstPairs {
			want := uint8(0)
			if c.along(p[0], p[1]) < c.along(p[2], p[3]) {
				want = 1
			}
			if got := row(m, 0)[0] >> i & 1; got != want {
				t.Errorf("%s: bit %d is %d, want %d", c.name, i, got, want)
			}
		}
	}
}

// OpenCV's rows for keypoints that it detects itself, nothing added.
func rawORB(t *testing.T, img detect.Image) ([]keypoints.Keypoint, [][]byte) {
	t.Helper()
	orb := gocv.NewORBWithParams(300, 1.2, 8, 31, 0, 2, gocv.ORBScoreTypeHarris, 31, 20)
	defer orb.Close()
	noMask := gocv.NewMat()
	defer noMask.Close()
	kps, mat := orb.DetectAndCompute(img.Gray, noMask)
	defer mat.Close()
	values := must.Get(mat.DataPtrUint8())(t)
	return detect.FromOpenCV(kps), slices.Collect(slices.Chunk(slices.Clone(values), 32))
}

func TestORBDropsTheBorderAndSortsByLevelAndExtractDoesNot(t *testing.T) {
	img := cornered(240, 180, 2).Image(t)
	good, raw := rawORB(t, img)
	// From the highest level down, with one at the border after each.
	var kps []keypoints.Keypoint
	for i := range good {
		k := good[len(good)-1-i]
		kps = append(kps, k, keypoints.Keypoint{X: 5, Y: float32(i % 180), Size: 31, Octave: k.Octave})
	}
	m := mustExtract(t, img, kps, "orb", params(t, "orb"))
	for i := range kps {
		switch {
		case i%2 == 1 && !m.IsInvalid(i):
			t.Errorf("keypoint %d, 5 px from the border, has a descriptor", i)
		case i%2 == 0 && (m.IsInvalid(i) || !slices.Equal(row(m, i), raw[len(good)-1-i/2])):
			t.Errorf("keypoint %d: invalid %v, or not OpenCV's row", i, m.IsInvalid(i))
		}
	}
}
