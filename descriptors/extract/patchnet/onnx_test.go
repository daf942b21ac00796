package patchnet_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// The tests write their models themselves, in the format of onnx.proto (ONNX
// 1.8, opset 11): messages of Protocol Buffers, whose fields are written here
// by their numbers.

// A message is an encoded message.
type message []byte

func (m message) key(field, wireType int) message {
	return binary.AppendUvarint(m, uint64(field<<3|wireType))
}

func (m message) int(field int, v int64) message {
	return binary.AppendUvarint(m.key(field, 0), uint64(v))
}

func (m message) bytes(field int, v []byte) message {
	return append(binary.AppendUvarint(m.key(field, 2), uint64(len(v))), v...)
}

func (m message) text(field int, v string) message { return m.bytes(field, []byte(v)) }

// tensor is a TensorProto of 32-bit floating point numbers.
func tensor(name string, values []float32, dims ...int) message {
	var m message
	for _, d := range dims {
		m = m.int(1, int64(d)) // dims
	}
	m = m.int(2, 1).text(8, name) // data_type FLOAT, name
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return m.bytes(9, raw) // raw_data
}

// indices is a TensorProto of 64-bit integers.
func indices(name string, values ...int64) message {
	m := message(nil).int(1, int64(len(values))).int(2, 7).text(8, name) // dims, data_type INT64, name
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	return m.bytes(9, raw)
}

// intAttribute is an AttributeProto of an integer.
func intAttribute(name string, v int64) message {
	return message(nil).text(1, name).int(20, 2).int(3, v) // name, type INT, i
}

// floatAttribute is an AttributeProto of a number.
func floatAttribute(name string, v float32) message {
	m := message(nil).text(1, name).int(20, 1).key(2, 5) // name, type FLOAT, f
	return binary.LittleEndian.AppendUint32(m, math.Float32bits(v))
}

// tensorAttribute is an AttributeProto of a tensor.
func tensorAttribute(name string, t message) message {
	return message(nil).text(1, name).int(20, 4).bytes(5, t) // name, type TENSOR, t
}

// intsAttribute is an AttributeProto of a list of integers.
func intsAttribute(name string, v ...int64) message {
	m := message(nil).text(1, name).int(20, 7) // name, type INTS
	for _, x := range v {
		m = m.int(8, x) // ints
	}
	return m
}

// node is a NodeProto with one output.
func node(op string, inputs []string, output string, attributes ...message) message {
	var m message
	for _, in := range inputs {
		m = m.text(1, in)
	}
	m = m.text(2, output).text(3, "make "+output).text(4, op)
	for _, a := range attributes {
		m = m.bytes(5, a)
	}
	return m
}

// value is a ValueInfoProto of 32-bit floating point numbers. A dimension 0 is
// one that the model leaves open.
func value(name string, dims ...int) message {
	var shape message
	for _, d := range dims {
		dim := message(nil).int(1, int64(d)) // dim_value
		if d == 0 {
			dim = message(nil).text(2, "n") // dim_param
		}
		shape = shape.bytes(1, dim)
	}
	tensorType := message(nil).int(1, 1).bytes(2, shape) // elem_type FLOAT, shape
	return message(nil).text(1, name).bytes(2, message(nil).bytes(1, tensorType))
}

// A graph is what a model is made of.
type graph struct {
	nodes, initializers, inputs, outputs []message
	opset                                int64 // 0: 11
}

// model is a ModelProto.
func (g graph) model() []byte {
	var m message
	for _, n := range g.nodes {
		m = m.bytes(1, n)
	}
	m = m.text(2, "test")
	for _, t := range g.initializers {
		m = m.bytes(5, t)
	}
	for _, v := range g.inputs {
		m = m.bytes(11, v)
	}
	for _, v := range g.outputs {
		m = m.bytes(12, v)
	}
	if g.opset == 0 {
		g.opset = 11
	}
	opset := message(nil).text(1, "").int(2, g.opset)         // domain, version
	return message(nil).int(1, 6).bytes(7, m).bytes(8, opset) // ir_version, graph, opset_import
}

// looking is a model whose descriptor is the patch itself: a 1×1 convolution
// that leaves every channel as it is, and Flatten.
func looking(batch, channels, side int) []byte {
	one := make([]float32, channels*channels)
	for c := range channels {
		one[c*channels+c] = 1
	}
	return graph{
		nodes: []message{
			node("Conv", []string{"patches", "one"}, "same", intsAttribute("kernel_shape", 1, 1)),
			node("Flatten", []string{"same"}, "rows", intAttribute("axis", 1)),
		},
		initializers: []message{tensor("one", one, channels, channels, 1, 1)},
		inputs:       []message{value("patches", batch, channels, side, side)},
		outputs:      []message{value("rows", batch, channels*side*side)},
	}.model()
}

// columns is such a model whose output has a column for each patch.
func columns(channels, side int) []byte {
	return graph{
		nodes: []message{
			node("Flatten", []string{"patches"}, "rows", intAttribute("axis", 1)),
			node("Transpose", []string{"rows"}, "columns", intsAttribute("perm", 1, 0)),
		},
		inputs:  []message{value("patches", 0, channels, side, side)},
		outputs: []message{value("columns", channels*side*side, 0)},
	}.model()
}

// The tests of whole runs have models in files. To write them again, set
// DESCBENCH_TEST_WRITE_MODELS.
func TestTheModelFilesOfOtherTestsAreWhatTheyAreCalled(t *testing.T) {
	narrow := newExporter(17, 0, 3)
	narrow.widths = []int{1, 2, 2, 2, 2, 2, 2}
	for name, model := range map[string][]byte{
		"hardnet_32":    exportKorniaHardNet(narrow),
		"gray_8":        looking(0, 1, 8),
		"rgb_6":         looking(0, 3, 6),
		"rgb_8":         looking(0, 3, 8),
		"rgb_8_columns": columns(3, 8),
	} {
		path := filepath.Join("..", "..", "..", "cmd", "descbench", "testdata", "onnx", name+".onnx")
		if os.Getenv("DESCBENCH_TEST_WRITE_MODELS") != "" {
			if err := os.WriteFile(path, model, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, model) {
			t.Errorf("%s: other bytes than those of the model", path)
		}
	}
}
