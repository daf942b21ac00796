package detect_test

import (
	"fmt"
	"math"
	"testing"
)

func TestProbe(t *testing.T) {
	img := noisy(t, 640, 480)
	for _, c := range []string{"", "scale_factor=1.05 nlevels=20", "scale_factor=2 nlevels=4 first_level=1 patch_size=21", "first_level=2"} {
		bad, n := 0, 0
		p := withParams(t, "orb", c)
		for _, k := range found(t, img, "orb", c) {
			n++
			l := p.Int("first_level") + int(math.Round(math.Log(float64(k.Size)/float64(p.Int("patch_size")))/math.Log(p.Float("scale_factor"))))
			if l != int(k.Octave) { bad++ }
		}
		fmt.Println("orb", c, n, bad)
	}
	for _, det := range []string{"akaze", "kaze"} {
	for _, c := range []string{"", "n_octave_layers=3 n_octaves=3 threshold=0.0001", "n_octave_layers=7 threshold=0.0001", "n_octave_layers=1 threshold=0.0001"} {
		p := withParams(t, det, c)
		base := map[string]float64{"akaze": 4.8, "kaze": 3.2}[det]
		nl := p.Int("n_octave_layers")
		bad, n, badoct := 0, 0, 0
		lo, hi := 9.0, -9.0
		cl := map[int32]int{}
		for _, k := range found(t, img, det, c) {
			n++
			lv := float64(nl) * math.Log2(float64(k.Size)/base)
			d := lv - float64(k.ClassID)
			lo, hi = min(lo, d), max(hi, d)
			if int32(math.Round(lv)) != k.ClassID { bad++ }
			if int(k.Octave) != int(k.ClassID)/nl { badoct++ }
			cl[k.ClassID]++
		}
		fmt.Println(det, c, n, bad, badoct, lo, hi, cl)
	}
	}
	for _, det := range []string{"surf", "brisk", "mser", "gftt", "fast"} {
		m := map[int32][2]float32{}
		for _, k := range found(t, img, det, "") {
			v, ok := m[k.Octave]
			if !ok { v = [2]float32{1e9, 0} }
			v[0], v[1] = min(v[0], k.Size), max(v[1], k.Size)
			m[k.Octave] = v
		}
		fmt.Println(det, m)
	}
}
