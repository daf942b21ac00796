package patchnet_test

import (
	"os"
	"testing"

	"descbench/descriptors"
	"descbench/descriptors/extract/patchnet"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

func TestMain(m *testing.M) {
	if os.Getenv(printWrongModels) != "" {
		loadWrongModels()
		return
	}
	detect.UseOneThread()
	os.Exit(m.Run())
}

// raw returns options under which a network sees grey values from 0 to 255.
func raw(side, batch int) patchnet.Options {
	o := patchnet.DefaultOptions()
	o.InputSize, o.Batch, o.Std = side, batch, []float64{1}
	return o
}

func mustLoad(t testing.TB, model []byte, o patchnet.Options) *patchnet.Net {
	t.Helper()
	n, err := patchnet.Load(model, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

func mustDescribe(t testing.TB, n *patchnet.Net, img detect.Image, kps ...keypoints.Keypoint) *descriptors.Matrix {
	t.Helper()
	m, err := n.Describe(img, kps)
	if err != nil {
		t.Fatal(err)
	}
	if m.Rows != len(kps) || m.Dim != n.Dim() || m.Type != descriptors.Float32 || len(m.Float32) != m.Rows*m.Dim ||
		m.Uint8 != nil || m.UnitNorm {
		t.Fatalf("%d keypoints gave a matrix of %d rows, dimension %d, %d elements", len(kps), m.Rows, m.Dim, len(m.Float32))
	}
	return m
}

func row(m *descriptors.Matrix, i int) []float32 { return m.Float32[i*m.Dim : (i+1)*m.Dim] }

// at returns a keypoint.
func at(x, y, size, angle float32) keypoints.Keypoint {
	return keypoints.Keypoint{X: x, Y: y, Size: size, Angle: angle, ClassID: -1}
}
