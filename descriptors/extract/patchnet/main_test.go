package patchnet_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/descriptors/extract/patchnet"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// modelsToLoad, in the environment, makes the test program load models that cannot be
// loaded or run, print the errors to stdout and do nothing else.
const modelsToLoad = "DESCBENCH_TEST_LOAD_MODELS"

// again starts the test program with such models.
func again(t *testing.T, models string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), modelsToLoad+"="+models)
	var out, errors strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errors
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errors.String(), cmd.ProcessState.ExitCode()
}

func TestMain(m *testing.M) {
	detect.UseOneThread()
	switch name := os.Getenv(modelsToLoad); name {
	case "":
	case "wrong":
		loadWrongModels()
		return
	default:
		loadSenseless(name)
		return
	}
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
	n, err := patchnet.Load("model", model, o)
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
