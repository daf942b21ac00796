package extract_test

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

func TestMain(m *testing.M) {
	detect.UseOneThread()
	os.Exit(m.Run())
}

// params returns the defaults of a kind of descriptor, with changes given as
// name, value, name, value.
func params(t *testing.T, kind string, changes ...any) keypoints.Params {
	t.Helper()
	for _, k := range descriptors.Kinds() {
		if k.Name == kind {
			return changed(t, keypoints.Defaults(k.Params), changes)
		}
	}
	t.Fatalf("no kind %q", kind)
	return nil
}

// detectorParams is params of the sift detector.
func detectorParams(t *testing.T, changes ...any) keypoints.Params {
	t.Helper()
	for _, d := range keypoints.Detectors() {
		if d.Name == "sift" {
			return changed(t, keypoints.Defaults(d.Params), changes)
		}
	}
	t.Fatal("no detector sift")
	return nil
}

func changed(t *testing.T, p keypoints.Params, changes []any) keypoints.Params {
	t.Helper()
	for i := 0; i < len(changes); i += 2 {
		name := changes[i].(string)
		if _, ok := p[name]; !ok {
			t.Fatalf("no parameter %q", name)
		}
		p[name] = changes[i+1]
	}
	return p
}

func mustExtract(t *testing.T, img detect.Image, kps []keypoints.Keypoint, kind string, p keypoints.Params) *descriptors.Matrix {
	t.Helper()
	m, err := extract.Extract(img, kps, kind, p)
	if err != nil {
		t.Fatal(err)
	}
	if m.Rows != len(kps) || len(m.Uint8) != m.Rows*m.Dim || m.Type != descriptors.Uint8 || m.UnitNorm ||
		m.Invalid != nil && len(m.Invalid) != m.Rows {
		t.Fatalf("%d keypoints gave a matrix of %d rows, dimension %d, %d elements of type %v, %d marks, unit norm %v",
			len(kps), m.Rows, m.Dim, len(m.Uint8), m.Type, len(m.Invalid), m.UnitNorm)
	}
	return m
}

func mustDetect(t *testing.T, img detect.Image, p keypoints.Params) []keypoints.Keypoint {
	t.Helper()
	set, err := detect.Detect(img, "sift", p)
	if err != nil {
		t.Fatal(err)
	}
	return set.Keypoints
}

func row(m *descriptors.Matrix, i int) []uint8 { return m.Uint8[i*m.Dim : (i+1)*m.Dim] }

func equal(a, b *descriptors.Matrix) bool {
	return a.Rows == b.Rows && a.Dim == b.Dim && a.Type == b.Type && bytes.Equal(a.Uint8, b.Uint8) && slices.Equal(a.Invalid, b.Invalid)
}

// at returns an upright keypoint of the first layer of an octave.
func at(x, y, size float32, octave int) keypoints.Keypoint {
	return keypoints.Keypoint{X: x, Y: y, Size: size, Response: 1, Octave: int32(1<<8 | octave&255), ClassID: -1}
}

// rawSIFT returns what gocv's SIFT gives with default parameters, nothing
// added or left out.
func rawSIFT(t *testing.T, img detect.Image, kps []keypoints.Keypoint) [][]float32 {
	t.Helper()
	sift := gocv.NewSIFT()
	defer sift.Close()
	noMask := gocv.NewMat()
	defer noMask.Close()
	given := make([]gocv.KeyPoint, len(kps))
	for i, k := range kps {
		given[i] = detect.ToOpenCV(k)
	}
	_, mat := sift.Compute(img.Gray, noMask, given)
	defer mat.Close()
	values, err := mat.DataPtrFloat32()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Collect(slices.Chunk(slices.Clone(values), 128))
}

// isRaw reports whether an extracted row holds OpenCV's numbers.
func isRaw(got []uint8, raw []float32) bool {
	return slices.EqualFunc(got, raw, func(a uint8, b float32) bool { return float32(a) == b })
}
