package nearest

import (
	"math/rand/v2"
	"testing"
)

// Integers, whose sums are exact in any order, tell the two ways apart if one
// is wrong: this processor takes only one of them.
func TestBothWaysOfDotProductsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 3, 64, 130} {
		for _, rows := range []int{0, 1, 7, 8, 21, 64} {
			stride := n + r.IntN(3)
			a, b := make([]float32, n), make([]float32, max(rows*stride, n))
			for k := range a {
				a[k] = float32(r.IntN(256))
			}
			for k := range b {
				b[k] = float32(r.IntN(256))
			}
			all, eights := make([]float32, rows), make([]float32, rows)
			dotProducts(all, a, b, stride)
			if done := eightAtATime(eights, a, b, stride); done != rows/8*8 {
				t.Fatalf("%d of %d products at eight a time, want the largest multiple", done, rows)
			}
			for j := range all {
				want := float32(0)
				for k, x := range a {
					want += x * b[j*stride+k]
				}
				if all[j] != want || j < rows/8*8 && eights[j] != want {
					t.Fatalf("dimension %d, product %d of %d: %v and %v, want %v", n, j, rows, all[j], eights[j], want)
				}
			}
		}
	}
}
