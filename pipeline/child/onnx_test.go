package child_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/child"
	"descbench/pipeline/files/npz"
)

// onnxPool returns descbench.py serving a file of testdata/networks by a Python that has one of
// the modules onnxruntime and cv2, "" for none.
func onnxPool(t *testing.T, engine, file string) *child.Pool {
	t.Helper()
	var has []string
	before := "import sys"
	for _, module := range []string{"onnxruntime", "cv2"} {
		if module == engine {
			has = append(has, module)
		} else {
			before += "; sys.modules['" + module + "'] = None"
		}
	}
	return served(t, packages(t, has...), before, "onnx", filepath.Join("testdata", "networks", file))
}

// rowsOf returns the rows of patches of 32×32 px.
func rowsOf(t *testing.T, p *child.Pool, patches []float32) []float32 {
	t.Helper()
	reply, _, err := p.Call(child.Request{Operation: "patches", Function: "onnx", Most: 1 << 20, Arrays: []child.Array{
		{Name: "patches", Array: npz.Of(patches, len(patches)/(32*32), 1, 32, 32)},
	}})
	must.Do(t, err)
	archive := must.Get(npz.FromArrays(reply...))(t)
	return elements(t, archive, "descriptors", 2)
}

func elements(t *testing.T, a *npz.Archive, name string, dimensions int) []float32 {
	t.Helper()
	array := must.Get(a.Array(name))(t)
	return must.Get(npz.Elements[float32](array, dimensions))(t)
}

// The truth is explained in architectures.py. A row is the same, bit by bit, in any company.
func TestONNXFilesAsPyTorchExportsThemGiveTheRowsOfTheirNetworks(t *testing.T) {
	file := must.Get(os.Open("testdata/networks/rows.npz"))(t)
	defer file.Close()
	info := must.Get(file.Stat())(t)
	truth := must.Get(npz.NewArchive(file, info.Size()))(t)
	patches := elements(t, truth, "patches", 4)
	const patch, row = 32 * 32, 16
	files, err := filepath.Glob("testdata/networks/*_opset*.onnx")
	if err != nil || len(files) != 7 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	for _, path := range files {
		network, _, _ := strings.Cut(filepath.Base(path), "_opset")
		want := elements(t, truth, network, 2)
		for _, engine := range []string{"onnxruntime", "cv2"} {
			t.Run(engine+"/"+filepath.Base(path), func(t *testing.T) {
				p := onnxPool(t, engine, filepath.Base(path))
				hello, err := p.Hello()
				if err != nil { // OpenCV 4.6 loads one of them
					if engine == "cv2" && strings.Contains(err.Error(), "pip install onnxruntime") {
						t.Skipf("this OpenCV cannot load the file: %v", err)
					}
					t.Fatal(err)
				}
				batch := hello.Functions[0].Batch
				if fixed := strings.Contains(path, "batch4"); fixed != (batch == 4) {
					t.Errorf("batches of %d", batch)
				}
				var got []float32
				for part := range slices.Chunk(patches, batch*patch) {
					got = append(got, rowsOf(t, p, part)...)
				}
				for i := range want {
					if d := got[i] - want[i]; !(d < 1e-4 && d > -1e-4) || len(got) != len(want) {
						t.Fatalf("patch %d, element %d of %d: %v, want %v", i/row, i%row, len(got), got[i], want[i])
					}
				}
				if alone := rowsOf(t, p, patches[5*patch:6*patch]); !slices.Equal(alone, got[5*row:6*row]) {
					t.Errorf("patch 5 alone: %v, want %v", alone, got[5*row:6*row])
				}
			})
		}
	}
	if name := os.Getenv("DESCBENCH_TEST_PYTHON"); name != "" {
		if out, err := exec.Command(name, "testdata/networks/architectures.py").CombinedOutput(); err != nil {
			t.Errorf("architectures.py: %v\n%s", err, out)
		}
	}
}

func TestAnONNXFileThatCannotDescribePatchesIsRefusedWithTheReason(t *testing.T) {
	for engine, files := range map[string]map[string]string{
		"onnxruntime": {
			"frobnicate.onnx":  "frobnicate.onnx: .*Frobnicate.*",
			"columns.onnx":     `columns.onnx: outputs of shape \(192, 64\) for 64 patches, want one with a row for each`,
			"two_outputs.onnx": `two_outputs.onnx: outputs of shape \(64, 1, 8, 8\) and \(64, 1, 8, 8\) for 64 patches, want one with a row for each`,
			"mixing.onnx":      `mixing.onnx: the row of a patch depends on the other patches of the batch; export the network with net.eval\(\)`,
			"architectures.py": "architectures.py: .*",
			"missing.onnx":     "missing.onnx: .* No such file or directory: .*",
		},
		"cv2": {"frobnicate.onnx": `frobnicate.onnx: OpenCV fails, onnxruntime has more operators \(pip install onnxruntime\): .*Frobnicate.*`},
		"":    {"hardnet_opset18.onnx": ".* has neither onnxruntime nor cv2: pip install onnxruntime"},
	} {
		for file, want := range files {
			t.Run(engine+"/"+file, func(t *testing.T) {
				_, err := onnxPool(t, engine, file).Hello()
				if err == nil || !regexp.MustCompile(": "+want+"$").MatchString(err.Error()) || strings.Contains(err.Error(), "\n") {
					t.Errorf("error %v, want one that ends with %q", err, want)
				}
			})
		}
	}
}

// Old files list weights as inputs. This one leaves open the size of patches, and returns them.
func TestTheInputOfAnONNXFileIsThatWhichIsNoWeight(t *testing.T) {
	patch := slices.Repeat([]float32{0.5, 0.25}, 32*32/2)
	if got := rowsOf(t, onnxPool(t, "onnxruntime", "weights_as_inputs_open_size.onnx"), patch); !slices.Equal(got, patch) {
		t.Errorf("got %v, want the patch", got)
	}
	_, _, err := onnxPool(t, "onnxruntime", "hardnet_opset18.onnx").Call(child.Request{Operation: "patches", Function: "onnx", Most: 1 << 20, Arrays: []child.Array{
		{Name: "patches", Array: npz.Of(make([]float32, 3*8*8), 1, 3, 8, 8)},
	}})
	must.FailAbout(t, err, "takes patches of 1×32×32 (channels, height, width; 0: any), found 3×8×8; change patches.channels or patches.input_size")
}
