package extract_test

import (
	"slices"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"descbench/descriptors/extract"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// OpenCV's rows for keypoints of KAZE: of one call that detects and describes,
// and of one that describes what another detected.
func rawKAZE(t *testing.T, img detect.Image) (kps []keypoints.Keypoint, atOnce, computed [][]float32) {
	t.Helper()
	kaze := gocv.NewKAZE()
	defer kaze.Close()
	noMask := gocv.NewMat()
	defer noMask.Close()
	rows := func(mat gocv.Mat) [][]float32 {
		defer mat.Close()
		values := must.Get(mat.DataPtrFloat32())(t)
		return slices.Collect(slices.Chunk(slices.Clone(values), 64))
	}
	found := kaze.Detect(img.Gray)
	_, mat := kaze.DetectAndCompute(img.Gray, noMask)
	atOnce = rows(mat)
	_, mat = kaze.Compute(img.Gray, noMask, found)
	return detect.FromOpenCV(found), atOnce, rows(mat)
}

func TestKAZEGivesTheRowsOfItsDetectorAndOnRequestThoseOfCompute(t *testing.T) {
	img := cornered(240, 180, 1).Image(t)
	kps, atOnce, computed := rawKAZE(t, img)
	detector := mustExtract(t, img, kps, "kaze", params(t, "kaze"))
	compute := mustExtract(t, img, kps, "kaze", params(t, "kaze", "gradients=compute"))
	for i := range kps {
		if slices.Equal(atOnce[i], computed[i]) {
			t.Errorf("row %d: OpenCV's compute does not differ from its detectAndCompute: the parameter can go", i)
		}
		if got := detector.Float32[i*64:][:64]; !slices.Equal(got, atOnce[i]) {
			t.Errorf("gradients detector: row %d is not OpenCV's", i)
		}
		if got := compute.Float32[i*64:][:64]; !slices.Equal(got, computed[i]) {
			t.Errorf("gradients compute: row %d is not OpenCV's", i)
		}
	}
}

func TestKAZEDescribesNoMovedKeypointsByGradientsOfTheDetector(t *testing.T) {
	img := cornered(240, 180, 2).Image(t)
	kps := own(t, img, "kaze")
	moved := slices.Clone(kps)
	for i := range moved {
		moved[i].X += 0.25
	}
	_, err := extract.Extract(img, moved, "kaze", params(t, "kaze"))
	if err == nil || !strings.Contains(err.Error(), "KAZE does not find any of the keypoints") || !strings.Contains(err.Error(), "gradients: compute") {
		t.Errorf("moved keypoints: error %v", err)
	}
	if m := mustExtract(t, img, moved, "kaze", params(t, "kaze", "gradients=compute")); m.CountInvalid() != 0 {
		t.Errorf("gradients compute: %d of %d moved keypoints are invalid", m.CountInvalid(), m.Rows)
	}
	half := append(slices.Clone(kps[:10]), moved[10:20]...)
	m := mustExtract(t, img, half, "kaze", params(t, "kaze"))
	for i := range half {
		if m.IsInvalid(i) != (i >= 10) {
			t.Errorf("keypoint %d, moved %v: invalid %v", i, i >= 10, m.IsInvalid(i))
		}
	}
}
