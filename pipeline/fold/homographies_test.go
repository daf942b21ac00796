package fold

import (
	"testing"

	"descbench/eval/record"
)

// Illumination scenes have the identity, which resizing both images can round to 1 - 1e-16.
func TestIdentitiesAreNoHomographiesOfACopy(t *testing.T) {
	text := func(diagonal float64) string {
		pair := record.Pair{Descriptor: "d", Scene: "i_a", K: 2, Width1: 9, Height1: 9, WidthK: 9, HeightK: 9}
		pair.SetHomography([9]float64{diagonal, 0, 0, 0, diagonal, 0, 0, 0, 1})
		return homographies([]record.Pair{pair})
	}
	if text(1) != "" || text(1-1e-16) != "" || text(1.001) == "" {
		t.Errorf("got %q, %q, %q, want texts of no identity only", text(1), text(1-1e-16), text(1.001))
	}
}
