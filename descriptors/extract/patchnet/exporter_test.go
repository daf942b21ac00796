package patchnet_test

import (
	"fmt"
	"math"
)

// An exporter writes graphs as torch.onnx.export does (torch/onnx/symbolic_opset9.py
// to 18.py, constant folding on): with attributes that became inputs at later
// opsets, with constants as nodes, and with shapes as constants for a fixed batch or
// computed for a dynamic one.
type exporter struct {
	graph
	batch  int // 0: dynamic
	count  int
	draw   uint32
	widths []int // channels before and after each layer
}

func newExporter(opset int64, batch int, seed uint32) *exporter {
	e := &exporter{batch: batch, draw: seed, widths: []int{1, 4, 4, 8, 8, 16, 16}}
	e.opset = opset
	e.inputs = []message{value("input.1", batch, 1, 32, 32)}
	return e
}

// finish returns the model whose output is a tensor of rows.
func (e *exporter) finish(out string, dim int) []byte {
	e.outputs = []message{value(out, e.batch, dim)}
	return e.model()
}

func (e *exporter) name() string {
	e.count++
	return fmt.Sprintf("/layers.%d/output_0", e.count)
}

func (e *exporter) op(op string, in []string, attributes ...message) string {
	out := e.name()
	e.nodes = append(e.nodes, node(op, in, out, attributes...))
	return out
}

// number is a Constant node with a scalar.
func (e *exporter) number(v float32) string {
	return e.op("Constant", nil, tensorAttribute("value", tensor("", []float32{v})))
}

func (e *exporter) integers(v ...int64) string {
	return e.op("Constant", nil, tensorAttribute("value", indices("", v...)))
}

func (e *exporter) integer(v int64) string {
	scalar := message(nil).int(2, 7).int(7, v) // data_type INT64, int64_data; no dims
	return e.op("Constant", nil, tensorAttribute("value", scalar))
}

func (e *exporter) parameter(v []float32, dims ...int) string {
	name := fmt.Sprintf("features.%d.weight", len(e.initializers))
	e.initializers = append(e.initializers, tensor(name, v, dims...))
	return name
}

// uniform draws numbers from -0.5 to 0.5 as architectures.py does.
func (e *exporter) uniform(n int, plus float32) []float32 {
	out := make([]float32, n)
	for i := range out {
		e.draw = e.draw*1664525 + 1013904223
		out[i] = float32(e.draw>>8)/(1<<24) - 0.5 + plus
	}
	return out
}

func (e *exporter) weights(dims ...int) string {
	fan := 1
	for _, d := range dims[1:] {
		fan *= d
	}
	v := e.uniform(dims[0]*fan, 0)
	for i := range v {
		v[i] *= float32(4 / math.Sqrt(float64(fan)))
	}
	return e.parameter(v, dims...)
}

func (e *exporter) reduce(op, x string, keep int64, axes ...int64) string {
	since := int64(18)
	if op == "ReduceSum" {
		since = 13
	}
	if e.opset >= since {
		return e.op(op, []string{x, e.integers(axes...)}, intAttribute("keepdims", keep))
	}
	return e.op(op, []string{x}, intsAttribute("axes", axes...), intAttribute("keepdims", keep))
}

// axes writes Squeeze and Unsqueeze.
func (e *exporter) axes(op, x string, axes ...int64) string {
	if e.opset >= 13 {
		return e.op(op, []string{x, e.integers(axes...)})
	}
	return e.op(op, []string{x}, intsAttribute("axes", axes...))
}

// rows is x.view(x.size(0), -1).
func (e *exporter) rows(x string) string {
	if e.batch > 0 {
		return e.op("Reshape", []string{x, e.integers(int64(e.batch), -1)})
	}
	size := e.op("Gather", []string{e.op("Shape", []string{x}), e.integer(0)}, intAttribute("axis", 0))
	shape := e.op("Concat", []string{e.axes("Unsqueeze", size, 0), e.integers(-1)}, intAttribute("axis", 0))
	return e.op("Reshape", []string{x, shape})
}

// expandAs is x.expand_as(like), whose shape is known for a fixed batch.
func (e *exporter) expandAs(x, like string, shape ...int64) string {
	if e.batch > 0 {
		return e.op("Expand", []string{x, e.integers(shape...)})
	}
	return e.op("Expand", []string{x, e.op("Shape", []string{like})})
}

// std is torch.std over axes with Bessel's correction (_var_mean).
func (e *exporter) std(x string, keep int64, axes ...int64) string {
	centred := e.op("Sub", []string{x, e.reduce("ReduceMean", x, 1, axes...)})
	sizes := e.op("Gather", []string{e.op("Shape", []string{x}), e.integers(axes...)}, intAttribute("axis", 0))
	n := e.op("Cast", []string{e.op("ReduceProd", []string{sizes}, intAttribute("keepdims", 0))}, intAttribute("to", 1))
	variance := e.reduce("ReduceMean", e.op("Mul", []string{centred, centred}), keep, axes...)
	scaled := e.op("Mul", []string{variance, n})
	return e.op("Sqrt", []string{e.op("Div", []string{scaled, e.op("Sub", []string{n, e.number(1)})})})
}

func (e *exporter) conv(x, w, b string, side, stride, pad int64) string {
	in := []string{x, w}
	if b != "" {
		in = append(in, b)
	}
	return e.op("Conv", in, intsAttribute("dilations", 1, 1), intAttribute("group", 1), intsAttribute("kernel_shape", side, side),
		intsAttribute("pads", pad, pad, pad, pad), intsAttribute("strides", stride, stride))
}

// batchNorm is BatchNorm2d(affine=False), whose scale and bias are constants.
func (e *exporter) batchNorm(x string, channels int) string {
	mean, variance := e.parameter(e.uniform(channels, 0), channels), e.parameter(e.uniform(channels, 1), channels)
	ones, zeros := e.constants(channels)
	attributes := []message{floatAttribute("epsilon", 1e-5), floatAttribute("momentum", 0.9)}
	if e.opset >= 14 {
		attributes = append(attributes, intAttribute("training_mode", 0))
	}
	return e.op("BatchNormalization", []string{x, ones, zeros, mean, variance}, attributes...)
}

// constants are the scale and bias of a normalisation without parameters.
func (e *exporter) constants(channels int) (ones, zeros string) {
	one := make([]float32, channels)
	for i := range one {
		one[i] = 1
	}
	constant := func(v []float32) string {
		return e.op("Constant", nil, tensorAttribute("value", tensor("", v, channels)))
	}
	return constant(one), constant(make([]float32, channels))
}

func (e *exporter) instanceNorm(x string) string {
	ones, zeros := e.constants(1)
	return e.op("InstanceNormalization", []string{x, ones, zeros}, floatAttribute("epsilon", 1e-5))
}

// localResponseNorm is F.local_response_norm for samples of channels×1×1.
func (e *exporter) localResponseNorm(x string, channels, size int64, alpha, beta, k float32) string {
	div := e.axes("Unsqueeze", e.op("Mul", []string{x, x}), 1)
	pads := e.integers(0, 0, size/2, 0, 0, 0, 0, (size-1)/2, 0, 0)
	div = e.op("Pad", []string{div, pads}, message(nil).text(1, "mode").int(20, 3).text(4, "constant"))
	div = e.op("Pad", []string{div, e.integers(make([]int64, 10)...), ""}, message(nil).text(1, "mode").int(20, 3).text(4, "constant"))
	div = e.op("AveragePool", []string{div}, intAttribute("ceil_mode", 0), intsAttribute("kernel_shape", size, 1, 1),
		intsAttribute("pads", 0, 0, 0, 0, 0, 0), intsAttribute("strides", 1, 1, 1))
	div = e.axes("Squeeze", div, 1)
	if e.batch > 0 {
		div = e.op("Reshape", []string{div, e.integers(int64(e.batch), channels, 1, 1)})
	} else {
		div = e.op("Reshape", []string{div, e.op("Shape", []string{x})})
	}
	div = e.op("Add", []string{e.op("Mul", []string{div, e.number(alpha)}), e.number(k)})
	return e.op("Div", []string{x, e.op("Pow", []string{div, e.number(beta)})})
}
