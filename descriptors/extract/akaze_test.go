package extract_test

import (
	"testing"

	"gocv.io/x/gocv"

	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// OpenCV fails if the class is that of a level that the image is too small for:
// so it tells itself how many there are.
func TestAKAZEsLevelsAreThoseThatOpenCVHasForTheImage(t *testing.T) {
	for _, size := range [][2]int{{90, 60}, {159, 100}, {160, 79}, {160, 80}, {319, 240}, {320, 160}, {640, 330}} {
		img := cornered(size[0], size[1], 1).Image(t)
		valid := 0
		for class := range int32(20) {
			k := keypoints.Keypoint{X: 40, Y: 30, Size: 6, Octave: class / 4, ClassID: class}
			refused := detect.Call(func() bool {
				akaze := gocv.NewAKAZE()
				defer akaze.Close()
				_, mat := akaze.Compute(img.Gray, gocv.Mat{}, []gocv.KeyPoint{detect.ToOpenCV(k)})
				defer mat.Close()
				return mat.Rows() == 1
			}) != nil
			m := mustExtract(t, img, []keypoints.Keypoint{k}, "akaze", params(t, "akaze"))
			if m.IsInvalid(0) != refused {
				t.Errorf("%v px, level %d: invalid %v, OpenCV refuses %v", size, class, m.IsInvalid(0), refused)
			}
			if !refused {
				valid++
			}
		}
		if valid == 0 || valid == 20 {
			t.Errorf("%v px: %d of 20 levels, so this shows nothing", size, valid)
		}
	}
}

func TestAKAZEsOctaveMustBeThatOfItsLevel(t *testing.T) {
	img := cornered(320, 240, 2).Image(t)
	k := own(t, img, "akaze")[0]
	for octave := range int32(4) {
		given := k
		given.Octave = octave
		m := mustExtract(t, img, []keypoints.Keypoint{given}, "akaze", params(t, "akaze"))
		if m.IsInvalid(0) != (octave != k.Octave) {
			t.Errorf("level %d, octave %d: invalid %v", k.ClassID, octave, m.IsInvalid(0))
		}
	}
}
