package nearest_test

import (
	"testing"

	"descbench/descriptors"
	"descbench/eval/nearest"
)

func TestDistancesOfPairsAreThoseOfSingleOnes(t *testing.T) {
	r := generator(3)
	for _, dim := range []int{1, 3, 4, 7, 36, 128} {
		for n := range 20 {
			a, b := descriptors.New(n, dim, descriptors.Float32), descriptors.New(n, dim, descriptors.Float32)
			for i := range n * dim {
				a.Float32[i], b.Float32[i] = float32(r.NormFloat64()), float32(r.NormFloat64())*1e5
			}
			for _, kernel := range nearest.Kernels() {
				if n == 0 {
					continue
				}
				got := make([]float64, n)
				if err := nearest.SquaredDistancesWith(got, a.Float32, b.Float32, dim, kernel); err != nil {
					t.Fatal(err)
				}
				for k, d2 := range got {
					if want := nearest.SquaredDistance(a, k, b, k); d2 != want {
						t.Fatalf("%s, %d pairs of dimension %d: pair %d is %v, want %v", kernel, n, dim, k, d2, want)
					}
				}
			}
			nearest.SquaredDistances(nil, nil, nil, dim)
		}
	}
}
