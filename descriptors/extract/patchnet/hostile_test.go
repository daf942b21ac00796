package patchnet_test

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"descbench/descriptors/extract/patchnet"
	"descbench/files/boundtest"
)

// OpenCV 4.6 reads outside its memory with any of these models.
func TestAGraphOrTensorThatIsIncompleteNeverReachesOpenCV(t *testing.T) {
	g := func(initializer message, nodes ...message) []byte {
		return graph{
			nodes: nodes, initializers: []message{initializer},
			inputs: []message{value("patches", 0, 1, 8, 8)}, outputs: []message{value("rows", 0, 64)},
		}.model()
	}
	one := tensor("one", []float32{1}, 1, 1, 1, 1)
	conv := func(in ...string) message {
		return node("Conv", in, "rows", intsAttribute("kernel_shape", 1, 1))
	}
	good := conv("patches", "one")
	relu := node("Relu", []string{"rows"}, "more")
	twice := append(message(g(one, good)), g(one, relu)...) // two graphs, which a parser merges
	for _, c := range []struct {
		name  string
		model []byte
		want  string
	}{
		{"a weight that does not exist", g(one, conv("patches", "two")), `node "Conv": its input "two" is neither an input of the model, nor a weight, nor the output of an earlier node`},
		{"a node before its input", g(one, relu, good), `node "Relu": its input "rows" is neither`},
		{"an output that no node makes", g(one, conv("patches", "one")[:0], relu), "neither"},
		{"one name twice", g(one, good, good), `node "Conv": two tensors are named "rows"`},
		{"a weight named like an input", g(tensor("rows", []float32{1}, 1, 1, 1, 1), conv("patches", "rows")), `two tensors are named "rows"`},
		{"two graphs", twice, "the file is not an ONNX model"},
		{"less data than the shape needs", g(tensor("one", []float32{1}, 64, 1, 9, 9), good), `weights "one": its shape [64 1 9 9] needs 5184 numbers of 4 bytes, found 4 bytes and 0 numbers`},
		{"a negative shape", g(tensor("one", []float32{1}, -1, -1, 1, 1), good), `weights "one": shape [-1 -1 1 1] is impossible or too large`},
		{"a huge shape", g(tensor("one", []float32{1}, 1<<31, 1<<31, 1<<31), good), "is impossible or too large"},
		{"another element type", g(message(nil).int(1, 1).int(2, 8).text(8, "one"), good), `weights "one": element type 8 of onnx.proto is not supported`},
		{"weights in another file", g(one.bytes(13, message(nil).text(1, "location").text(2, "/etc/passwd")), good), "external weights are not supported"},
		{"a constant without data", g(one, node("Constant", nil, "c", message(nil).text(1, "value").int(20, 4).bytes(5, tensor("", nil, 5)))), `node "Constant": attribute "value": its shape [5] needs 5 numbers`},
		{"a graph in a node", g(one, node("If", []string{"patches"}, "rows", message(nil).text(1, "then_branch").int(20, 5).bytes(6, nil))), "nodes with subgraphs are not supported"},
	} {
		n, err := patchnet.Load("model", c.model, raw(8, 4))
		if err == nil {
			n.Close()
		}
		if err == nil || !strings.HasPrefix(err.Error(), "patch network: load ONNX model: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// There is no end of models with which OpenCV 4.6 ends the process.
var senseless = map[string]message{
	"no group":   node("Conv", []string{"patches", "one"}, "rows", intsAttribute("kernel_shape", 1, 1), intAttribute("group", 0)),
	"no weights": node("Conv", []string{"patches", ""}, "rows", intsAttribute("kernel_shape", 1, 1)),
}

func loadSenseless(name string) {
	_, err := patchnet.Load(name, graph{
		nodes: []message{senseless[name]}, initializers: []message{tensor("one", []float32{1}, 1, 1, 1, 1)},
		inputs: []message{value("patches", 0, 1, 8, 8)}, outputs: []message{value("rows", 0, 64)},
	}.model(), raw(8, 4))
	fmt.Println(err) // a later OpenCV may refuse it
}

func TestACrashOfOpenCVEndsTheProcessWithALineThatNamesTheModel(t *testing.T) {
	for name := range senseless {
		stdout, stderr, status := again(t, name)
		crashed := status == 3 && regexp.MustCompile(`^descbench: OpenCV crashed on the ONNX model `+name+` \(SIG[A-Z]+\)\n$`).MatchString(stderr)
		if refused := status == 0 && strings.Contains(stdout, "ONNX model: "); !crashed && !refused {
			t.Errorf("%s: status %d, stdout %q, stderr %q", name, status, stdout, stderr)
		}
	}
}

func TestAFaultInGoIsStillAPanicOnceANetworkIsLoaded(t *testing.T) {
	mustLoad(t, looking(0, 1, 8), raw(8, 4))
	defer func() {
		if _, ok := recover().(runtime.Error); !ok {
			t.Error("no panic of the runtime")
		}
	}()
	var none *graph
	_ = none.nodes
}

func FuzzCheckGraph(f *testing.F) {
	f.Add(looking(0, 3, 8))
	f.Add(columns(1, 8))
	f.Fuzz(func(t *testing.T, model []byte) {
		boundtest.Memory(t, len(model), 500, func() { _ = patchnet.CheckGraph(model, raw(8, 4)) })
	})
}
