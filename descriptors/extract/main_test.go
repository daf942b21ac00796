package extract_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

func TestMain(m *testing.M) {
	detect.UseOneThread()
	os.Exit(m.Run())
}

// params returns the defaults of a kind of descriptor, changed as each "name=value" says; several may be
// in one text.
func params(t *testing.T, kind string, changes ...string) keypoints.Params {
	t.Helper()
	return detecttest.Params(t, kindOf(t, kind).Params, strings.Join(changes, " "))
}

// detectorWith returns a detector's defaults, changed as "name=value
// name=value" says.
func detectorWith(t *testing.T, detector, changes string) keypoints.Params {
	t.Helper()
	d, known := keypoints.FindDetector(detector)
	if !known {
		t.Fatalf("no detector %q", detector)
	}
	return detecttest.Params(t, d.Params, changes)
}

func mustExtract(t *testing.T, img detect.Image, kps []keypoints.Keypoint, kind string, p keypoints.Params) *descriptors.Matrix {
	t.Helper()
	m := must.Get(extract.Extract(img, kps, kind, p))(t)
	dim, typ := kindOf(t, kind).Shape(p)
	inBytes, inFloats := m.Rows*m.Stride(), 0
	if typ == descriptors.Float32 {
		inBytes, inFloats = inFloats, inBytes
	}
	if m.Rows != len(kps) || m.Dim != dim || m.Type != typ || len(m.Uint8) != inBytes || len(m.Float32) != inFloats || m.UnitNorm {
		t.Fatalf("%s: %d keypoints gave a matrix of %d rows, dimension %d, type %v, %d bytes, %d numbers, unit norm %v",
			kind, len(kps), m.Rows, m.Dim, m.Type, len(m.Uint8), len(m.Float32), m.UnitNorm)
	}
	return m
}

func kindOf(t *testing.T, name string) descriptors.Kind {
	t.Helper()
	k, known := descriptors.FindKind(name)
	if !known {
		t.Fatalf("no kind %q", name)
	}
	return k
}

// own returns keypoints that a kind can describe, of a picture with corners
// and blobs: those of the detector of its name, or SIFT's.
func own(t *testing.T, img detect.Image, kind string) []keypoints.Keypoint {
	t.Helper()
	detector := ownDetector(kind)
	set := must.Get(extract.Detect(img, detector, detectorWith(t, detector, "")))(t)
	if set.Len() < 20 {
		t.Fatalf("%s finds only %d keypoints", detector, set.Len())
	}
	return set.Keypoints
}

func ownDetector(kind string) string {
	if _, known := keypoints.FindDetector(kind); known {
		return kind
	}
	return "sift"
}

// cornered returns a textured picture with sharp corners laid over it.
func cornered(w, h int, seed uint64) detecttest.Picture {
	base := detecttest.Textured(w, h, seed)
	return detecttest.NewPicture(w, h, func(x, y int) (b, g, r float64) {
		b, g, r = base.At(x, y)
		d := float64((x/5*7919+y/5*104729)%97) - 48
		return b + d, g + d, r + d
	})
}

func mustDetect(t *testing.T, img detect.Image, p keypoints.Params) []keypoints.Keypoint {
	t.Helper()
	set := must.Get(extract.Detect(img, "sift", p))(t)
	return set.Keypoints
}

// row returns the stored elements of a row of integers or bits.
func row(m *descriptors.Matrix, i int) []uint8 { return m.Uint8[i*m.Stride() : (i+1)*m.Stride()] }

// numbers returns a row of any type, bits as 0 and 1.
func numbers(m *descriptors.Matrix, i int) []float64 {
	out := make([]float64, m.Dim)
	for j := range out {
		switch m.Type {
		case descriptors.Float32:
			out[j] = float64(m.Float32[i*m.Dim+j])
		case descriptors.Bits:
			out[j] = float64(row(m, i)[j/8] >> (j % 8) & 1)
		default:
			out[j] = float64(row(m, i)[j])
		}
	}
	return out
}

func equal(a, b *descriptors.Matrix) bool {
	return a.Rows == b.Rows && a.Dim == b.Dim && a.Type == b.Type && bytes.Equal(a.Uint8, b.Uint8) && slices.Equal(a.Float32, b.Float32) && slices.Equal(a.Valid(), b.Valid())
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
	values := must.Get(mat.DataPtrFloat32())(t)
	return slices.Collect(slices.Chunk(slices.Clone(values), 128))
}

// isRaw reports whether an extracted row holds OpenCV's numbers.
func isRaw(got []uint8, raw []float32) bool {
	return slices.EqualFunc(got, raw, func(a uint8, b float32) bool { return float32(a) == b })
}
