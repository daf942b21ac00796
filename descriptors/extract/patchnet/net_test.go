package patchnet_test

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/descriptors/extract/patchnet"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// A small is a network of a convolution, a rectifier and a layer that joins all:
// channels×side×side numbers, kernels filters of 3×3, dim outputs.
type small struct {
	channels, side, kernels, dim  int
	filters, shifts, joins, bases []float32
}

func newSmall(channels, side, kernels, dim int) small {
	r := rand.New(rand.NewPCG(1, 2))
	weights := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(r.NormFloat64() / 4)
		}
		return v
	}
	inside := (side - 2) * (side - 2)
	return small{channels, side, kernels, dim, weights(kernels * channels * 9), weights(kernels), weights(dim * kernels * inside), weights(dim)}
}

// model returns the network for a batch; 0 leaves it open.
func (s small) model(batch int) []byte {
	inside := (s.side - 2) * (s.side - 2)
	return graph{
		nodes: []message{
			node("Conv", []string{"patches", "filters", "shifts"}, "filtered", intsAttribute("kernel_shape", 3, 3)),
			node("Relu", []string{"filtered"}, "rectified"),
			node("Flatten", []string{"rectified"}, "flat", intAttribute("axis", 1)),
			node("Gemm", []string{"flat", "joins", "bases"}, "rows", intAttribute("transB", 1)),
		},
		initializers: []message{
			tensor("filters", s.filters, s.kernels, s.channels, 3, 3), tensor("shifts", s.shifts, s.kernels),
			tensor("joins", s.joins, s.dim, s.kernels*inside), tensor("bases", s.bases, s.dim),
		},
		inputs:  []message{value("patches", batch, s.channels, s.side, s.side)},
		outputs: []message{value("rows", batch, s.dim)},
	}.model()
}

// run computes what the network is defined to be.
func (s small) run(patch []float32) []float64 {
	var flat []float64
	for k := range s.kernels {
		for y := range s.side - 2 {
			for x := range s.side - 2 {
				sum := float64(s.shifts[k])
				for c := range s.channels {
					for i := range 9 {
						sum += float64(s.filters[(k*s.channels+c)*9+i]) * float64(patch[(c*s.side+y+i/3)*s.side+x+i%3])
					}
				}
				flat = append(flat, max(sum, 0))
			}
		}
	}
	out := make([]float64, s.dim)
	for d := range out {
		out[d] = float64(s.bases[d])
		for i, v := range flat {
			out[d] += float64(s.joins[d*len(flat)+i]) * v
		}
	}
	return out
}

// scattered returns n keypoints of a picture of w×h px.
func scattered(n, w, h int) []keypoints.Keypoint {
	r := rand.New(rand.NewPCG(3, 4))
	var kps []keypoints.Keypoint
	for range n {
		kps = append(kps, at(float32(r.Float64()*float64(w)), float32(r.Float64()*float64(h)), float32(1+10*r.Float64()), float32(360*r.Float64())))
	}
	return kps
}

func TestDescriptorsAreWhatTheNetworkMakesOfPatches(t *testing.T) {
	img := detecttest.Textured(160, 120, 1).Image(t)
	kps := scattered(21, 160, 120)
	for _, c := range []struct {
		net      small
		channels string
	}{{newSmall(1, 8, 3, 5), "gray"}, {newSmall(3, 10, 4, 16), "rgb"}} {
		o := patchnet.DefaultOptions()
		o.InputSize, o.Channels = c.net.side, c.channels
		patches := mustDescribe(t, mustLoad(t, looking(0, c.net.channels, c.net.side), o), img, kps...)
		for _, declared := range []int{0, 1, 7} {
			for _, batch := range []int{1, 7, 64} {
				o.Batch = batch
				m := mustDescribe(t, mustLoad(t, c.net.model(declared), o), img, kps...)
				if m.Dim != c.net.dim || m.CountInvalid() != 0 {
					t.Fatalf("dimension %d, %d invalid, want %d and none", m.Dim, m.CountInvalid(), c.net.dim)
				}
				for i := range kps {
					for d, want := range c.net.run(row(patches, i)) {
						if got := float64(row(m, i)[d]); math.Abs(got-want) > 1e-5*max(1, math.Abs(want)) {
							t.Errorf("model for %d, batch %d, keypoint %d, element %d: %v, want %v", declared, batch, i, d, got, want)
						}
					}
				}
			}
		}
	}
}

func TestKeypointsWithoutAPatchHaveInvalidRows(t *testing.T) {
	img := detecttest.Textured(60, 50, 1).Image(t)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	var good []bool
	var kps []keypoints.Keypoint
	add := func(ok bool, k keypoints.Keypoint) { good, kps = append(good, ok), append(kps, k) }
	add(true, at(30, 20, 4, 0))
	add(false, at(30, 20, 0, 0))
	add(false, at(30, 20, -4, 0))
	add(false, at(30, 20, nan, 0))
	add(false, at(30, 20, inf, 0))
	add(false, at(nan, 20, 4, 0))
	add(false, at(30, -inf, 4, 0))
	add(false, at(30, 20, 4, nan))
	add(false, at(-0.01, 20, 4, 0))
	add(true, at(0, 0, 4, 0))
	add(true, at(60, 50, 4, 0))
	add(false, at(60.1, 50, 4, 0))
	add(false, at(60, 50.1, 4, 0))
	add(true, at(30, 20, 1e-30, 0))
	add(true, at(30, 20, 3e38, 77)) // all of it is outermost pixels
	add(true, at(12, 30, 4, -1))
	n := mustLoad(t, looking(0, 1, 8), raw(8, 3))
	m := mustDescribe(t, n, img, kps...)
	for i, ok := range good {
		if m.IsInvalid(i) == ok {
			t.Errorf("row of %+v: invalid %v", kps[i], m.IsInvalid(i))
		}
		if !ok && slices.ContainsFunc(row(m, i), func(v float32) bool { return v != 0 }) {
			t.Errorf("row of %+v is not zero", kps[i])
		}
		if ok && !slices.Equal(row(mustDescribe(t, n, img, kps[i]), 0), row(m, i)) {
			t.Errorf("row of %+v is another's", kps[i])
		}
	}
}

func TestNoKeypointsGiveNoRows(t *testing.T) {
	img := detecttest.Textured(60, 50, 1).Image(t)
	if m := mustDescribe(t, mustLoad(t, looking(0, 1, 8), raw(8, 3)), img); m.Rows != 0 || m.Dim != 64 {
		t.Errorf("%d×%d, want 0×64", m.Rows, m.Dim)
	}
}

func TestStandardisingAFlatPatchGivesAnInvalidRow(t *testing.T) {
	p := detecttest.Grey(160, 80, func(x, y int) float64 {
		if x < 80 {
			return 77
		}
		return float64(x + y)
	})
	img := p.Image(t)
	o := raw(7, 4)
	o.Standardize = true
	n := mustLoad(t, looking(0, 1, 7), o)
	for _, size := range []float32{1, 3.3, 5.9} { // steps of 0.9 to 5.1 px
		m := mustDescribe(t, n, img, at(40.2, 30.7, size, 33), at(120.1, 40.3, size, 33))
		if !m.IsInvalid(0) || m.IsInvalid(1) {
			t.Errorf("size %v: flat invalid %v, textured invalid %v", size, m.IsInvalid(0), m.IsInvalid(1))
		}
	}
	// All samples at one place between pixels, of a value that is no integer.
	if m := mustDescribe(t, n, img, at(120.13, 40.37, 1e-30, 33)); !m.IsInvalid(0) {
		t.Errorf("a patch of no extent is %v", row(m, 0))
	}
}

func TestOutputThatIsNotFiniteOrAllZeroGivesAnInvalidRow(t *testing.T) {
	// Grey 0 in the left half, 100 in the right.
	img := detecttest.Grey(80, 40, func(x, _ int) float64 { return float64(x / 40 * 100) }).Image(t)
	left, right := at(15, 20, 2, 0), at(65, 20, 2, 0)
	inf := float32(math.Inf(1))
	for _, c := range []struct {
		name     string
		weight   float32
		op       string
		wantLeft bool // valid
		right    bool
	}{
		{"as it is: zero, a hundred", 1, "Relu", false, true},
		{"times infinity: NaN, infinite", inf, "Relu", false, false},
		{"logarithm: infinite, finite", 1, "Log", false, true},
		{"exponential: one, infinite", 1, "Exp", true, false},
	} {
		model := graph{
			nodes: []message{
				node("Conv", []string{"patches", "weight"}, "weighted", intsAttribute("kernel_shape", 1, 1)),
				node(c.op, []string{"weighted"}, "rows"),
			},
			initializers: []message{tensor("weight", []float32{c.weight}, 1, 1, 1, 1)},
			inputs:       []message{value("patches", 0, 1, 8, 8)},
			outputs:      []message{value("rows", 0, 1, 8, 8)},
		}.model()
		m := mustDescribe(t, mustLoad(t, model, raw(8, 4)), img, left, right, left)
		if m.IsInvalid(0) == c.wantLeft || m.IsInvalid(1) == c.right || m.IsInvalid(2) == c.wantLeft {
			t.Errorf("%s: valid %v, want %v, %v", c.name, m.Valid(), c.wantLeft, c.right)
		}
		for i := range m.Rows {
			if m.IsInvalid(i) && slices.ContainsFunc(row(m, i), func(v float32) bool { return v != 0 }) {
				t.Errorf("%s: invalid row %d is %v", c.name, i, row(m, i))
			}
		}
	}
}

func TestOutputOfAnyShapeIsReadAsOneRowPerPatch(t *testing.T) {
	img := detecttest.Textured(60, 50, 1).Image(t)
	kps := scattered(5, 60, 50)
	flat := mustDescribe(t, mustLoad(t, looking(0, 1, 8), raw(8, 3)), img, kps...)
	square := graph{
		nodes:        []message{node("Conv", []string{"patches", "one"}, "rows", intsAttribute("kernel_shape", 1, 1))},
		initializers: []message{tensor("one", []float32{1}, 1, 1, 1, 1)},
		inputs:       []message{value("patches", 0, 1, 8, 8)},
		outputs:      []message{value("rows", 0, 1, 8, 8)},
	}.model()
	if m := mustDescribe(t, mustLoad(t, square, raw(8, 3)), img, kps...); !equal(m, flat) {
		t.Errorf("rows of shape 1×8×8 are not those of 64")
	}
}

func equal(a, b *descriptors.Matrix) bool {
	return a.Rows == b.Rows && a.Dim == b.Dim && slices.Equal(a.Float32, b.Float32) && slices.Equal(a.Valid(), b.Valid())
}

func TestDescribeRefusesAnImageThatCannotBeLookedAt(t *testing.T) {
	n := mustLoad(t, looking(0, 1, 8), raw(8, 3))
	_, err := n.Describe(detect.Image{}, []keypoints.Keypoint{at(1, 1, 1, 0)})
	if err == nil || !strings.Contains(err.Error(), "patch network: describe 1 keypoints: image is closed or was never decoded") {
		t.Errorf("error %v", err)
	}
}

func TestOpenReadsAFileAndDigestIsThatOfItsBytes(t *testing.T) {
	s := newSmall(1, 8, 3, 5)
	path := filepath.Join(t.TempDir(), "model.onnx")
	if err := os.WriteFile(path, s.model(0), 0o600); err != nil {
		t.Fatal(err)
	}
	o := patchnet.DefaultOptions()
	o.InputSize = s.side
	n, err := patchnet.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	sum := sha256.Sum256(s.model(0))
	if n.Dim() != 5 || n.Digest() != hex.EncodeToString(sum[:]) {
		t.Errorf("dimension %d, digest %s", n.Dim(), n.Digest())
	}
	img := detecttest.Textured(60, 50, 1).Image(t)
	kps := scattered(5, 60, 50)
	if !equal(mustDescribe(t, n, img, kps...), mustDescribe(t, mustLoad(t, s.model(0), o), img, kps...)) {
		t.Error("the model of the file gives other rows than its bytes")
	}
}

func TestTheModelIsNotTheCallersAfterLoading(t *testing.T) {
	model := looking(0, 1, 8)
	n := mustLoad(t, model, raw(8, 3))
	clear(model)
	img := detecttest.Textured(60, 50, 1).Image(t)
	kps := scattered(20, 60, 50)
	want := mustDescribe(t, n, img, kps...)
	manyAtATime(t, n, img, kps, want)
}
