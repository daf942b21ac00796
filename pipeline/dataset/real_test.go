package dataset

import (
	"math"
	"path/filepath"
	"testing"

	"descbench/eval/must"
	"descbench/keypoints"
)

// A greyImage holds brightness row by row.
type greyImage struct {
	w, h int
	v    []float64
}

func greyOf(t *testing.T, s *Scene, i int) greyImage {
	t.Helper()
	bgr := must.Get(s.Decode(i))(t)
	defer bgr.Close()
	b := bgr.ToBytes()
	g := greyImage{bgr.Cols(), bgr.Rows(), make([]float64, len(b)/3)}
	for j := range g.v {
		g.v[j] = 0.114*float64(b[3*j]) + 0.587*float64(b[3*j+1]) + 0.299*float64(b[3*j+2])
	}
	return g
}

// correlation compares image 1 with image k read at the places where h sends
// the pixels of image 1: 1 if they agree up to brightness and contrast.
func correlation(one, k greyImage, h keypoints.Homography, dx, dy float64) float64 {
	var n, a, b, aa, bb, ab float64
	for y := 2; y < one.h-2; y += 3 {
		for x := 2; x < one.w-2; x += 3 {
			u, v := h.Apply(float64(x), float64(y))
			u, v = u+dx, v+dy
			if !(u >= 2 && v >= 2 && u <= float64(k.w-4) && v <= float64(k.h-4)) {
				continue
			}
			i, j := int(u), int(v)
			p, q := u-float64(i), v-float64(j)
			at := k.v[j*k.w+i:]
			there := (1-q)*((1-p)*at[0]+p*at[1]) + q*((1-p)*at[k.w]+p*at[k.w+1])
			here := one.v[y*one.w+x]
			n, a, b, aa, bb, ab = n+1, a+here, b+there, aa+here*here, bb+there*there, ab+here*there
		}
	}
	return (ab - a*b/n) / math.Sqrt((aa-a*a/n)*(bb-b*b/n))
}

// The homographies of the synthetic scenes are exact: a tenth of a pixel off,
// and the images agree less.
func TestSyntheticScenesAgreeToATenthOfAPixel(t *testing.T) {
	root := filepath.Join("..", "..", "testdata", "scenes")
	found, _, err := (Source{Root: root}).Find(nil, "all")
	must.Do(t, err)
	if got := namesOf(found); got != "i_synth_001 i_synth_002 v_synth_001 v_synth_002" {
		t.Fatalf("found %s", got)
	}
	for _, ref := range found {
		s := mustOpen(t, root, ref.Name)
		one := greyOf(t, s, 0)
		for i := 1; i < 6; i++ {
			k := greyOf(t, s, i)
			at := func(dx, dy float64) float64 { return correlation(one, k, s.Homography(i), dx, dy) }
			// The vertex of the parabola through three shifts, on each axis.
			vertex := func(minus, middle, plus float64) float64 {
				return 0.5 * (minus - plus) / (minus - 2*middle + plus)
			}
			c := at(0, 0)
			dx, dy := vertex(at(-1, 0), c, at(1, 0)), vertex(at(0, -1), c, at(0, 1))
			if math.Hypot(dx, dy) > 0.1 {
				t.Errorf("%s: image %d agrees best with image 1 (%.3f, %.3f) px off", ref.Name, i+1, dx, dy)
			}
			t.Logf("%s image %d: correlation %.3f, best (%.3f, %.3f) px off", ref.Name, i+1, c, dx, dy)
		}
	}
}
