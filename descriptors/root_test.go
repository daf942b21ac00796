package descriptors

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestRootDividesByTheL1NormAndTakesSquareRoots(t *testing.T) {
	// 9+16+0+75 = 100: √.09, √.16, 0, √.75; and a row of halves.
	want := floats([]float32{0.3, 0.4, 0, float32(math.Sqrt(0.75))}, []float32{0.5, 0.5, 0.5, 0.5}, []float32{0, 0, 0, 0})
	for _, m := range []*Matrix{
		uint8s([]uint8{9, 16, 0, 75}, []uint8{7, 7, 7, 7}, []uint8{0, 0, 0, 0}),
		floats([]float32{9, 16, 0, 75}, []float32{7, 7, 7, 7}, []float32{0, 0, 0, 0}),
	} {
		before := m.clone()
		got, err := Root(m)
		if err != nil {
			t.Fatal(err)
		}
		if !same(got, want) || !same(m, before) {
			t.Errorf("%v: got %+v, want %+v; the input is %+v", m.Type, got, want, m)
		}
	}
}

func TestRootRefusesWhatHasNoRoot(t *testing.T) {
	_, err := Root(floats([]float32{1, 2}, []float32{1, -0.5}))
	if want := "root l1: row 1, element 1 is -0.5, want a number of at least 0"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if _, err := Root(&Matrix{Rows: 1, Dim: 8, Type: Bits, Uint8: []uint8{1}}); err == nil || !strings.Contains(err.Error(), "bits") {
		t.Errorf("got %v", err)
	}
	// A row that describes nothing has nothing negative.
	if got, err := Root(floats([]float32{nan, -1})); err != nil || got.CountInvalid() != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// The inner product of RootSIFT rows is the Hellinger kernel Σ√(xy) of the
// L1-normalised rows (Arandjelović, Zisserman, CVPR 2012, equation 1).
func TestRootSIFTComparesByTheHellingerKernel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		element := rapid.Uint8()
		x := rapid.SliceOfN(element, 128, 128).Draw(t, "x")
		y := rapid.SliceOfN(element, 128, 128).Draw(t, "y")
		rooted, err := Root(uint8s(x, y))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Normalize(rooted, L2)
		if err != nil {
			t.Fatal(err)
		}
		if got.CountInvalid() > 0 {
			t.Skip("a row is zero")
		}
		var sumX, sumY, want, dot float64
		for i := range x {
			sumX += float64(x[i])
			sumY += float64(y[i])
		}
		for i := range x {
			want += math.Sqrt(float64(x[i]) * float64(y[i]) / (sumX * sumY))
			dot += float64(got.Float32[i]) * float64(got.Float32[128+i])
		}
		if math.Abs(dot-want) > 1e-6 {
			t.Fatalf("inner product %v, kernel %v", dot, want)
		}
	})
}
