package patchnet_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"descbench/descriptors/extract/patchnet"
)

// The strides and the dimension of architectures.py.
var strides = []int64{1, 1, 2, 1, 2, 1}

const dim = 16

// l2net is what HardNet and SOSNet share.
func (e *exporter) l2net(x string, biased bool) string {
	bias := func(n int) string {
		if !biased {
			return ""
		}
		return e.parameter(e.uniform(n, 0), n)
	}
	for i, stride := range strides {
		w := e.weights(e.widths[i+1], e.widths[i], 3, 3)
		x = e.op("Relu", []string{e.batchNorm(e.conv(x, w, bias(e.widths[i+1]), 3, stride, 1), e.widths[i+1])})
	}
	w := e.weights(dim, e.widths[6], 8, 8)
	return e.batchNorm(e.conv(x, w, bias(dim), 8, 1, 0), dim)
}

func exportHardNet(e *exporter) []byte {
	x := "input.1"
	flat := e.rows(x)
	column := func(v string) string { // of a number per patch
		v = e.axes("Unsqueeze", e.axes("Unsqueeze", e.axes("Unsqueeze", v, -1), -1), -1)
		return e.expandAs(v, x, int64(e.batch), 1, 32, 32)
	}
	mean := e.op("Div", []string{e.reduce("ReduceSum", flat, 0, 1), e.number(1024)})
	std := e.op("Add", []string{e.std(flat, 0, 1), e.number(1e-7)})
	x = e.op("Div", []string{e.op("Sub", []string{x, column(mean)}), column(std)})
	x = e.rows(e.l2net(x, true))
	squares := e.reduce("ReduceSum", e.op("Mul", []string{x, x}), 0, 1)
	norm := e.axes("Unsqueeze", e.op("Sqrt", []string{e.op("Add", []string{squares, e.number(1e-10)})}), -1)
	return e.finish(e.op("Div", []string{x, e.expandAs(norm, x, int64(e.batch), dim)}), dim)
}

func exportKorniaHardNet(e *exporter) []byte {
	x := "input.1"
	std := e.op("Add", []string{e.std(x, 1, -3, -2, -1), e.number(1e-6)})
	x = e.op("Div", []string{e.op("Sub", []string{x, e.reduce("ReduceMean", x, 1, -3, -2, -1)}), std})
	x = e.op("Flatten", []string{e.l2net(x, false)}, intAttribute("axis", 1))
	norm := e.reduce("ReduceL2", x, 1, 1)
	if e.opset >= 12 {
		norm = e.op("Clip", []string{norm, e.number(1e-12)})
	} else {
		norm = e.op("Clip", []string{norm, e.op("Cast", []string{e.number(1e-12)}, intAttribute("to", 1)), ""})
	}
	return e.finish(e.op("Div", []string{x, e.expandAs(norm, x, int64(e.batch), dim)}), dim)
}

func exportSOSNet(e *exporter) []byte {
	x := e.op("Add", []string{e.l2net(e.instanceNorm("input.1"), false), e.number(1e-10)})
	return e.finish(e.rows(e.localResponseNorm(x, dim, 2*dim, 2*dim, 0.5, 0)), dim)
}

func exportHyNet(e *exporter) []byte {
	normalize := func(x string, c int) string {
		gamma, beta, tau := e.parameter(e.uniform(c, 1), 1, c, 1, 1), e.parameter(e.uniform(c, 0), 1, c, 1, 1), e.parameter(e.uniform(c, -1), 1, c, 1, 1)
		squares := e.reduce("ReduceMean", e.op("Pow", []string{x, e.number(2)}), 1, 2, 3)
		epsilon := e.op("Abs", []string{e.parameter([]float32{1e-6}, 1)})
		norm := e.op("Sqrt", []string{e.op("Add", []string{squares, epsilon})})
		x = e.op("Mul", []string{x, e.op("Div", []string{e.number(1), norm})})
		return e.op("Max", []string{e.op("Add", []string{e.op("Mul", []string{gamma, x}), beta}), tau})
	}
	x := normalize("input.1", 1)
	for i, stride := range strides {
		w, b := e.weights(e.widths[i+1], e.widths[i], 3, 3), e.parameter(e.uniform(e.widths[i+1], 0), e.widths[i+1])
		x = normalize(e.conv(x, w, b, 3, stride, 1), e.widths[i+1])
	}
	x = e.op("Squeeze", []string{e.batchNorm(e.conv(x, e.weights(dim, e.widths[6], 8, 8), "", 8, 1, 0), dim)})
	squares := e.reduce("ReduceSum", e.op("Pow", []string{x, e.number(2)}), 1, 1)
	norm := e.op("Pow", []string{e.op("Add", []string{squares, e.number(1e-10)}), e.number(0.5)})
	return e.finish(e.op("Div", []string{x, norm}), dim)
}

func exportTFeat(e *exporter) []byte {
	bias := func(n int) string { return e.parameter(e.uniform(n, 0), n) }
	w := e.weights(4, 1, 7, 7)
	x := e.op("Tanh", []string{e.conv(e.instanceNorm("input.1"), w, bias(4), 7, 1, 0)})
	x = e.op("MaxPool", []string{x}, intAttribute("ceil_mode", 0), intsAttribute("kernel_shape", 2, 2), intsAttribute("pads", 0, 0, 0, 0), intsAttribute("strides", 2, 2))
	w = e.weights(8, 4, 6, 6)
	x = e.rows(e.op("Tanh", []string{e.conv(x, w, bias(8), 6, 1, 0)}))
	w = e.weights(dim, 8*8*8)
	x = e.op("Gemm", []string{x, w, bias(dim)}, floatAttribute("alpha", 1), floatAttribute("beta", 1), intAttribute("transB", 1))
	return e.finish(e.op("Tanh", []string{x}), dim)
}

// exports are the networks of architectures.py, in its order.
var exports = []struct {
	name   string
	export func(*exporter) []byte
}{
	{"hardnet", exportHardNet}, {"kornia_hardnet", exportKorniaHardNet}, {"sosnet", exportSOSNet}, {"hynet", exportHyNet}, {"tfeat", exportTFeat},
}

// testPatches are the patches of architectures.py.
func testPatches(n int) []float32 {
	e := newExporter(11, 0, 1)
	v := e.uniform(n*32*32, 0)
	for i := range v {
		patch, x := float32(i/1024), float32(i%32)
		v[i] = 0.25*(patch+1)*v[i] + patch*x/32
	}
	return v
}

func TestNetworksAsPyTorchExportsThemGiveTheirAuthorsDescriptors(t *testing.T) {
	text, err := os.ReadFile("testdata/architectures.json") // by numpy
	if err != nil {
		t.Fatal(err)
	}
	var want map[string][][]float64
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	const patches = 4
	input := testPatches(patches)
	for seed, c := range exports {
		for opset := int64(11); opset <= 18; opset++ {
			for _, batch := range []int{0, patches} {
				t.Run(fmt.Sprintf("%s/opset%d/batch%d", c.name, opset, batch), func(t *testing.T) {
					got, err := patchnet.Evaluate(c.export(newExporter(opset, batch, uint32(seed+2))), input, patches, 32)
					if err != nil {
						t.Fatal(err)
					}
					for i, row := range want[c.name] {
						for j, v := range row {
							if d := math.Abs(float64(got[i*dim+j]) - v); !(d < 2e-5) {
								t.Fatalf("patch %d, element %d: %v, want %v", i, j, got[i*dim+j], v)
							}
						}
					}
				})
			}
		}
	}
}

func TestExportedNetworksDescribeKeypoints(t *testing.T) {
	for seed, c := range exports {
		o := patchnet.DefaultOptions()
		o.Batch = 4
		if n := mustLoad(t, c.export(newExporter(13, 0, uint32(seed+2))), o); n.Dim() != dim {
			t.Errorf("%s: dimension %d", c.name, n.Dim())
		}
	}
}

func TestWhatNeitherGoNorOpenCVRunsIsNamed(t *testing.T) {
	fails := func(opset int64, batch int, change func(e *exporter, x string) string, want ...string) {
		t.Helper()
		e := newExporter(opset, batch, 1)
		x := e.rows(e.instanceNorm("input.1"))
		o := patchnet.DefaultOptions()
		o.Batch = 4
		n, err := patchnet.Load("model", e.finish(change(e, x), 1024), o)
		if err == nil {
			n.Close()
			t.Errorf("no error, want %q", want)
			return
		}
		for _, part := range append(want, "patch network: ") {
			if !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q, want one line with %q", err, part)
			}
		}
	}
	fails(13, 0, func(e *exporter, x string) string { return e.op("Frobnicate", []string{x}) },
		`(Frobnicate): OpenCV cannot load it: `, "; export the model without it, or with other operators")
	fails(13, 0, func(e *exporter, x string) string { return e.op("Einsum", []string{x, e.op("Neg", []string{x})}) },
		`(Einsum): an operator that OpenCV runs needs one computed input and one output, found inputs [`, "; export the model without it, or with other operators")
	fails(13, 1, func(e *exporter, x string) string { return e.op("Reshape", []string{x, e.integers(1, 1024)}) },
		`(Reshape): [1 4096] cannot be reshaped to [1 1024]`, "set batch to that size")
	fails(13, 0, func(e *exporter, x string) string { return e.reduce("ReduceMean", x, 0, 5) },
		`(ReduceMean): axis 5 does not exist in a tensor of 2 dimensions`)
	fails(13, 0, func(e *exporter, x string) string { return e.op("Shape", []string{x}) },
		"the model's output is a constant or holds integers")
}
