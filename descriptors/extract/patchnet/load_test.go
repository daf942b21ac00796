package patchnet_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/descriptors/extract/patchnet"
)

func TestAWrongModelIsAnError(t *testing.T) {
	look := looking(0, 1, 8)
	onePatch := func(op string, inputs []string, attributes ...message) []byte {
		return graph{
			nodes:        []message{node("Flatten", []string{"patches"}, "flat", intAttribute("axis", 1)), node(op, inputs, "rows", attributes...)},
			initializers: []message{indices("single", 1, -1), tensor("weights", make([]float32, 8), 8, 1)},
			inputs:       []message{value("patches", 0, 1, 8, 8)},
			outputs:      []message{value("rows", 0, 64)},
		}.model()
	}
	wide := graph{
		nodes:        []message{node("Conv", []string{"patches", "w"}, "rows", intsAttribute("kernel_shape", 1, 1))},
		initializers: []message{tensor("w", make([]float32, 65), 65, 1, 1, 1)},
		inputs:       []message{value("patches", 0, 1, 8, 8)},
		outputs:      []message{value("rows", 0, 65, 8, 8)},
	}
	twoOutputs := graph{
		nodes:   []message{node("Relu", []string{"patches"}, "rows"), node("Tanh", []string{"patches"}, "more")},
		inputs:  []message{value("patches", 0, 1, 8, 8)},
		outputs: []message{value("rows", 0, 1, 8, 8), value("more", 0, 1, 8, 8)},
	}
	twoInputs := graph{
		nodes:   []message{node("Add", []string{"patches", "others"}, "rows")},
		inputs:  []message{value("patches", 0, 1, 8, 8), value("others", 0, 1, 8, 8)},
		outputs: []message{value("rows", 0, 1, 8, 8)},
	}
	unknown := graph{
		nodes:   []message{node("Frobnicate", []string{"patches"}, "rows")},
		inputs:  []message{value("patches", 0, 1, 8, 8)},
		outputs: []message{value("rows", 0, 1, 8, 8)},
	}
	for _, c := range []struct {
		name  string
		model []byte
		batch int
		want  string
	}{
		{"none", nil, 4, "load ONNX model: model of 0 bytes"},
		{"not ONNX", []byte("it was the best of times, it was the worst of times"), 4, "load ONNX model: the file is not an ONNX model, or is truncated or corrupt"},
		{"cut off", look[:len(look)/2], 4, "load ONNX model: the file is not an ONNX model, or is truncated or corrupt"},
		{"an operation that OpenCV does not know", unknown.model(), 4, "Frobnicate"},
		{"a colour model for grey patches", looking(0, 3, 8), 4, "the ONNX model's input has shape [0 3 8 8] (0: variable), want [4 1 8 8]"},
		{"a model of larger patches", looking(4, 1, 9), 4, "the ONNX model's input has shape [4 1 9 9] (0: variable), want [4 1 8 8]"},
		{"two outputs", twoOutputs.model(), 4, "the model has 2 outputs, want one: "},
		{"two inputs", twoInputs.model(), 4, "the ONNX model has 2 inputs, want 1"},
		{"all patches in one row", onePatch("Reshape", []string{"flat", "single"}), 4, "the ONNX model's output for 4 patches has shape [1 256], want a first dimension of 4"},
		{"rows as columns", onePatch("Transpose", []string{"flat"}, intsAttribute("perm", 1, 0)), 4, "the ONNX model's output for 4 patches has shape [64 4], want a first dimension of 4"},
		{"a row of too many", wide.model(), 4, "the ONNX model's output for 4 patches has shape [4 65 8 8], want 1 to 4096 numbers per patch"},
		{"weights of another size", onePatch("MatMul", []string{"flat", "weights"}), 4, " ONNX model: OpenCV"},
		{"patches normalised together", onePatch("LpNormalization", []string{"flat"}, intAttribute("axis", 0)), 4, "descriptor of a patch depends on the other patches in the batch"},
	} {
		n, err := patchnet.Load("model", c.model, raw(8, c.batch))
		if err == nil {
			n.Close()
			t.Errorf("%s: no error", c.name)
			continue
		}
		if !strings.HasPrefix(err.Error(), "patch network: ") || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %q, want a line with %q", c.name, err, c.want)
		}
	}
}

func TestAModelWithAFixedBatchWorksWithIt(t *testing.T) {
	model := graph{
		nodes:        []message{node("Reshape", []string{"patches", "single"}, "rows")},
		initializers: []message{indices("single", 1, -1)},
		inputs:       []message{value("patches", 1, 1, 8, 8)},
		outputs:      []message{value("rows", 1, 64)},
	}.model()
	if n := mustLoad(t, model, raw(8, 1)); n.Dim() != 64 {
		t.Errorf("dimension %d, want 64", n.Dim())
	}
}

func TestWeightsMayBeDeclaredAsInputsAsOldModelsHaveThem(t *testing.T) {
	model := graph{
		nodes:        []message{node("Conv", []string{"patches", "one"}, "rows", intsAttribute("kernel_shape", 1, 1))},
		initializers: []message{tensor("one", []float32{1}, 1, 1, 1, 1)},
		inputs:       []message{value("one", 1, 1, 1, 1), value("patches", 1, 1, 8, 8)},
		outputs:      []message{value("rows", 1, 1, 8, 8)},
	}.model()
	mustLoad(t, model, raw(8, 2))
}

// OpenCV 4.6 itself refuses a model that leaves its channels open.
func TestAModelMayLeaveItsSizeOpen(t *testing.T) {
	model := graph{
		nodes:        []message{node("Conv", []string{"patches", "one"}, "rows", intsAttribute("kernel_shape", 1, 1))},
		initializers: []message{tensor("one", []float32{1}, 1, 1, 1, 1)},
		inputs:       []message{value("patches", 0, 1, 0, 0)},
		outputs:      []message{value("rows", 0, 1, 0, 0)},
	}.model()
	if n := mustLoad(t, model, raw(8, 2)); n.Dim() != 64 {
		t.Errorf("dimension %d, want 64", n.Dim())
	}
}

func loadWrongModels() {
	_, unreadable := patchnet.Load("model", looking(0, 1, 8)[:50], raw(8, 4))
	_, unfit := patchnet.Load("model", graph{ // the size is open, and the filter too large
		nodes:        []message{node("Conv", []string{"patches", "w"}, "rows", intsAttribute("kernel_shape", 9, 9))},
		initializers: []message{tensor("w", make([]float32, 81), 1, 1, 9, 9)},
		inputs:       []message{value("patches", 0, 1, 0, 0)},
		outputs:      []message{value("rows", 0, 1, 0, 0)},
	}.model(), raw(8, 4))
	fmt.Printf("%v\n%v\n", unreadable, unfit)
}

func TestWhatOpenCVPrintsBesideItsErrorsIsNotSeen(t *testing.T) {
	out, stderr, _ := again(t, "wrong")
	if lines := strings.Split(out, "\n"); len(lines) != 3 || !strings.Contains(lines[0], "load ONNX model: ") || !strings.Contains(lines[1], "run ONNX model: ") {
		t.Errorf("errors %q, want one of loading and one of running", out)
	}
	if stderr != "" {
		t.Errorf("printed beside: %s", stderr)
	}
}

func TestAMissingFileIsAnErrorThatNamesIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing.onnx")
	_, err := patchnet.Open(path, patchnet.DefaultOptions())
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
}

func TestAWrongFileIsAnErrorThatNamesIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wrong.onnx")
	if err := os.WriteFile(path, []byte("no model"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := patchnet.Open(path, patchnet.DefaultOptions()); err == nil || !strings.HasPrefix(err.Error(), path+": patch network: load ONNX model: ") {
		t.Errorf("error %v", err)
	}
}

func TestABatchThatOpenCVCannotHoldIsAnError(t *testing.T) {
	o := patchnet.DefaultOptions()
	o.Batch, o.InputSize, o.Channels = 4096, 1024, "rgb"
	want := "a batch of 4096 patches of 3×1024×1024 numbers, want at most 2147483647 numbers"
	if _, err := patchnet.Load("model", looking(0, 1, 32), o); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
}
