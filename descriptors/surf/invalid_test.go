package surf

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"descbench/keypoints"
)

// Others are in package extract, which tries all kinds.
func TestKeypointsThatCannotBeDescribedKeepTheirRow(t *testing.T) {
	g := clouds(100, 80, 12)
	good := keypoints.Keypoint{X: 50, Y: 40, Size: 20, Response: 7, Octave: 2, ClassID: 1}
	for name, bad := range map[string]keypoints.Keypoint{
		"right of the image": {X: 99.75, Y: 40, Size: 20},
		"above the image":    {X: 50, Y: -1, Size: 20},
		"huge size":          {X: 50, Y: 40, Size: 3e38},
		"tiny size":          {X: 50, Y: 40, Size: 0.35}, // the window is less than a pixel
		"larger than image":  {X: 50, Y: 40, Size: 154},  // wavelets of 82 pixels
	} {
		for _, upright := range []bool{false, true} {
			p := defaults()
			p["upright"] = upright
			_, alone := Describe(g, []keypoints.Keypoint{good}, p)
			kps, m := Describe(g, []keypoints.Keypoint{good, bad, good}, p)
			if m.Rows != 3 || !slices.Equal(m.Valid(), []bool{true, false, true}) {
				t.Errorf("%s, upright %v: %d rows, valid %v; want 3 rows, the second invalid", name, upright, m.Rows, m.Valid())
			}
			if kps[1].Angle != -1 || norm(rowOf(m, 1)) != 0 {
				t.Errorf("%s, upright %v: angle %v, norm %v; want -1 and 0", name, upright, kps[1].Angle, norm(rowOf(m, 1)))
			}
			if !slices.Equal(rowOf(m, 0), alone.Float32) || !slices.Equal(rowOf(m, 2), alone.Float32) {
				t.Errorf("%s, upright %v: the rows beside it change", name, upright)
			}
			want := good
			want.Angle = kps[0].Angle
			if kps[0] != want || kps[2] != want {
				t.Errorf("%s, upright %v: more than the angle changes: %v, want %v", name, upright, kps[0], want)
			}
		}
	}
}

func TestEveryRowIsOfUnitNormOrInvalid(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 0))
	for _, size := range [][2]int{{1, 1}, {2, 1}, {1, 3}, {2, 2}, {5, 4}, {9, 30}, {60, 47}, {200, 160}} {
		g := clouds(size[0], size[1], 15)
		for i := range g.Pix {
			g.Pix[i] += uint8(r.IntN(8))
		}
		var kps []keypoints.Keypoint
		for range 400 {
			kps = append(kps, keypoints.Keypoint{
				X:    float32(r.Float64()*float64(g.Width+2) - 1.5),
				Y:    float32(r.Float64()*float64(g.Height+2) - 1.5),
				Size: float32(math.Exp(8*r.Float64() - 2)), // 0.14 to 400 px
			})
		}
		for _, upright := range []bool{false, true} {
			for _, extended := range []bool{false, true} {
				p := defaults()
				p["upright"], p["extended"] = upright, extended
				out, m := Describe(g, kps, p)
				for i := range out {
					n := norm(rowOf(m, i))
					if m.IsInvalid(i) && n != 0 || !m.IsInvalid(i) && !(math.Abs(n-1) < 1e-5) {
						t.Fatalf("%v, upright %v, extended %v: norm of %v is %v, invalid %v", size, upright, extended, kps[i], n, m.IsInvalid(i))
					}
					if a := out[i].Angle; !(a == -1 && m.IsInvalid(i) || a >= 0 && a <= 360) {
						t.Fatalf("%v: angle of %v is %v, invalid %v", size, kps[i], a, m.IsInvalid(i))
					}
				}
				if valid := m.Rows - m.CountInvalid(); size[0] == 200 && valid < 200 {
					t.Errorf("%d of %d keypoints described, want most", valid, m.Rows)
				}
			}
		}
	}
}
