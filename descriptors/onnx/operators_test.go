package onnx

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// A nodeCase is what numpy makes of a node; see testdata/operators.py.
type nodeCase struct {
	Op         string
	Opset      int64
	Attributes map[string]any
	Inputs     []*Tensor
	Output     *Tensor
}

// model returns the node as a model. Its first input is the model's, or a weight
// together with all others.
func (c *nodeCase) model(computed bool) []byte {
	var inner, n []byte
	for i, t := range c.Inputs {
		name := ""
		if t != nil {
			name = fmt.Sprint("in", i)
		}
		n = appendBytes(n, nodeInput, []byte(name))
		if t != nil && (i > 0 || !computed) {
			inner = appendBytes(inner, graphInitializer, appendBytes(t.encode(), tensorName, []byte(name)))
		}
	}
	n = appendBytes(appendBytes(n, nodeOutput, []byte("out")), nodeOperation, []byte(c.Op))
	for name, v := range c.Attributes {
		n = appendBytes(n, nodeAttribute, encodeAttribute(name, v))
	}
	inner = appendBytes(inner, graphNode, n)
	if !computed { // so that there is an input
		inner = appendBytes(inner, graphNode, encodeNode("Identity", "in", "same"))
		inner = appendBytes(inner, graphInput, valueInfo("in", []int{1}))
	} else {
		inner = appendBytes(inner, graphInput, valueInfo("in0", c.Inputs[0].Shape))
	}
	inner = appendBytes(inner, graphOutput, valueInfo("out", nil))
	model := appendBytes(nil, modelOpset, appendInt(nil, opsetVersion, c.Opset))
	return appendBytes(model, modelGraph, inner)
}

func encodeNode(op, in, out string) []byte {
	n := appendBytes(nil, nodeInput, []byte(in))
	return appendBytes(appendBytes(n, nodeOutput, []byte(out)), nodeOperation, []byte(op))
}

// encodeAttribute takes what JSON has: numbers are integers if whole, as the names
// of these attributes tell.
func encodeAttribute(name string, v any) []byte {
	message := appendBytes(nil, attributeName, []byte(name))
	switch v := v.(type) {
	case string:
		message = appendBytes(message, attributeString, []byte(v))
	case []any:
		for _, x := range v {
			message = appendInt(message, attributeInts, int64(x.(float64)))
		}
	case float64:
		if slices.Contains([]string{"alpha", "beta", "bias", "epsilon", "min", "max", "ratio"}, name) {
			raw := binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(v)))
			return append(protowire.AppendTag(message, attributeFloat, protowire.Fixed32Type), raw...)
		}
		message = appendInt(message, attributeInt, int64(v))
	}
	return message
}

func readCases(t *testing.T) (cases []nodeCase) {
	t.Helper()
	text, err := os.ReadFile("testdata/operators.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	return cases
}

func noPiece(int, *Tensor) (*Tensor, error) { panic("no operator is left to OpenCV") }

func TestOperatorsComputeWhatNumpyDoes(t *testing.T) {
	tested := map[string]bool{}
	for i, c := range readCases(t) {
		tested[c.Op] = true
		for _, computed := range []bool{true, false} {
			model := c.model(computed)
			m, err := Read(model)
			if err != nil {
				t.Fatalf("case %d, %s: %v", i, c.Op, err)
			}
			p, err := m.Cut()
			if err != nil {
				t.Errorf("case %d, %s: %v", i, c.Op, err)
				continue
			}
			got := p.graph.constants["out"].tensor // of weights alone
			if computed {
				values := map[string]*Tensor{"in0": c.Inputs[0]}
				if got, err = p.run(&p.steps[0], values, noPiece); err != nil {
					t.Errorf("case %d, %s: %v", i, c.Op, err)
					continue
				}
			}
			if err := difference(got, c.Output); err != nil {
				t.Errorf("case %d, %s %v, computed %v: %v", i, c.Op, c.Attributes, computed, err)
			}
		}
	}
	for _, op := range slices.Sorted(maps.Keys(operators)) {
		if !tested[op] {
			t.Errorf("%s is not tested", op)
		}
	}
}

func difference(got, want *Tensor) error {
	if !slices.Equal(got.Shape, want.Shape) || !slices.Equal(got.Int, want.Int) || len(got.Float) != len(want.Float) {
		return fmt.Errorf("%+v, want %+v", got, want)
	}
	for i, v := range want.Float {
		if d := math.Abs(float64(got.Float[i] - v)); !(d <= 1e-6*max(1, math.Abs(float64(v)))) {
			return fmt.Errorf("element %d is %v, want %v", i, got.Float[i], v)
		}
	}
	return nil
}

// Nothing that a model says may make an operator fail otherwise than by an error.
func FuzzOperators(f *testing.F) {
	for _, op := range slices.Sorted(maps.Keys(operators)) {
		f.Add(op, int64(1), int64(-1), int64(0), []byte{2, 3, 4})
	}
	f.Fuzz(func(_ *testing.T, op string, a, b, c int64, shape []byte) {
		run := operators[op]
		if run == nil || len(shape) > 4 {
			return
		}
		x := &Tensor{Shape: []int{}}
		for _, d := range shape {
			x.Shape = append(x.Shape, int(d%5))
		}
		x.Float = make([]float32, count(x.Shape))
		n := &node{op: op, in: []string{"x", "a", "b", "c"}, attributes: map[string]attribute{
			"axis": {i: a}, "size": {i: b}, "p": {i: 2}, "kernel_shape": {ints: []int64{a, b}}, "pads": {ints: []int64{a, b, c, a}},
			"perm": {ints: []int64{a, b, c}}, "start": {i: a}, "end": {i: b}, "to": {i: 1},
		}}
		out, err := run(n, []*Tensor{x, list([]int64{a, b}), list([]int64{b, c}), list([]int64{c, a})})
		if err == nil && len(out.Float)+len(out.Int) != count(out.Shape) {
			panic(fmt.Sprintf("%s: shape %v of %d elements", op, out.Shape, len(out.Float)+len(out.Int)))
		}
	})
}

func TestFaultsOfOperatorsAreErrors(t *testing.T) {
	x := func(shape ...int) *Tensor { return &Tensor{Shape: shape, Float: make([]float32, count(shape))} }
	for _, c := range []struct {
		op     string
		inputs []*Tensor
		want   string
	}{
		{"Add", []*Tensor{x(2, 3), x(4)}, "inputs of shapes [2 3] and [4] do not fit together"},
		{"Add", []*Tensor{x(2), list([]int64{1, 2})}, "one input holds integers"},
		{"Div", []*Tensor{list([]int64{1}), list([]int64{0})}, "an integer is divided by zero"},
		{"Reshape", []*Tensor{x(2, 3), list([]int64{4, -1})}, "[2 3] cannot be reshaped to [4 -1]"},
		{"Reshape", []*Tensor{x(2, 3), list([]int64{-1, -1})}, "shape [-1 -1] is impossible"},
		{"Expand", []*Tensor{x(1), list([]int64{1 << 20, 1 << 20})}, "is impossible or too large"},
		{"Expand", []*Tensor{x(1), x(1)}, "an input holds floating point numbers, want integers"},
		{"Gather", []*Tensor{x(3), list([]int64{3})}, "index 3 does not exist in 3 elements"},
		{"ReduceMean", []*Tensor{x(3), list([]int64{1})}, "axis 1 does not exist in a tensor of 1 dimensions"},
		{"ReduceMean", []*Tensor{x(3), list([]int64{0, -1})}, "axis -1 is listed twice"},
		{"Squeeze", []*Tensor{x(3), list([]int64{0})}, "dimension 0 of [3] is not 1"},
		{"Pad", []*Tensor{x(3), list([]int64{-1, 0})}, "want a number from 0 for both sides of each"},
		{"Dropout", []*Tensor{x(3), x(1), list([]int64{1})}, "export the model after model.eval()"},
		{"InstanceNormalization", []*Tensor{x(2, 3, 4), x(2), x(2)}, "a scale and a bias per channel"},
	} {
		n := &node{op: c.op, in: slices.Repeat([]string{"x"}, len(c.inputs))}
		if _, err := operators[c.op](n, c.inputs); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.op, err, c.want)
		}
	}
}
