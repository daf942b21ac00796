package surf

import (
	"math"
	"slices"
	"testing"

	"descbench/descriptors"
	"descbench/keypoints"
)

func norm(row []float32) float64 {
	square := 0.0
	for _, v := range row {
		square += float64(v) * float64(v)
	}
	return math.Sqrt(square)
}

func distance(a, b []float32) float64 {
	square := 0.0
	for i := range a {
		square += float64(a[i]-b[i]) * float64(a[i]-b[i])
	}
	return math.Sqrt(square)
}

func rowOf(m *descriptors.Matrix, i int) []float32 { return m.Float32[i*m.Dim:][:m.Dim] }

// A ramp has the same gradient everywhere, so each cell has the share of the
// Gaussian over it. Size 15 is scale 2, the window 42 pixels, their means over
// 2×2 are integers.
func TestDescriptorOfARampIsTheGaussianOverTheCells(t *testing.T) {
	half := []float64{0x1.f6898ap-10, 0x1.1f18f4p-8, 0x1.2b4116p-7, 0x1.1c8ee8p-6, 0x1.edafecp-6,
		0x1.86ae6p-5, 0x1.1a0a9cp-4, 0x1.737ecap-4, 0x1.be639ap-4, 0x1.eef842p-4} // getGaussianKernel(20, 3.3)
	var weight [4]float64 // of five gradients each
	for i := range 20 {
		weight[i/5] += half[min(i, 19-i)]
	}
	square := 0.0
	for i := range 16 {
		square += 2 * math.Pow(weight[i/4]*weight[i%4], 2) // Σd and Σ|d|
	}

	ramp := render(120, 120, func(x, _ float64) float64 { return 2 * x })
	for _, c := range []struct {
		upright, extended bool
		at                []int // the elements of each cell that are not zero
	}{
		{false, false, []int{0, 2}}, // along the window's x axis: Σdx, Σ|dx|
		{true, false, []int{1, 3}},  // the window's y axis points right: Σdy, Σ|dy|
		{false, true, []int{0, 1}},  // Σdx, Σ|dx| where dy ≥ 0
		{true, true, []int{4, 5}},   // Σdy, Σ|dy| where dx ≥ 0
	} {
		p := defaults()
		p["upright"], p["extended"] = c.upright, c.extended
		kps, m := Describe(ramp, []keypoints.Keypoint{{X: 60.5, Y: 59.5, Size: 15}}, p)
		if want := map[bool]float32{false: 0, true: 270}[c.upright]; kps[0].Angle != want { // 270: up
			t.Errorf("upright %v: orientation of a ramp to the right is %v, want %v", c.upright, kps[0].Angle, want)
		}
		for i, v := range m.Float32 {
			cell, k := i/(m.Dim/16), i%(m.Dim/16)
			want := 0.0
			if slices.Contains(c.at, k) {
				want = weight[cell/4] * weight[cell%4] / math.Sqrt(square)
			}
			if math.Abs(float64(v)-want) > 1e-6 {
				t.Errorf("upright %v, extended %v: element %d of cell %d is %v, want %v", c.upright, c.extended, k, cell, v, want)
			}
		}
	}
}

// quarterTurn returns the image turned by 90° clockwise: the pixel at (x, y)
// goes to (height-1-y, x).
func quarterTurn(g *Gray) *Gray {
	return render(g.Height, g.Width, func(x, y float64) float64 {
		return float64(g.Pix[(g.Height-1-int(x))*g.Width+int(y)])
	})
}

func turned(k keypoints.Keypoint, g *Gray) keypoints.Keypoint {
	k.X, k.Y = float32(g.Height-1)-k.Y, k.X
	k.Angle = float32(math.Mod(float64(k.Angle)+90, 360))
	return k
}

func TestTurningTheImageTurnsKeypointsAndKeepsDescriptors(t *testing.T) {
	g := clouds(301, 241, 8)
	p := defaults()
	p["n_octaves"] = int64(1) // higher octaves sample every second pixel, others when turned
	kps, rows := DetectAndDescribe(g, p)
	if len(kps) < 100 {
		t.Fatalf("%d keypoints", len(kps))
	}
	turnedKps, turnedRows := DetectAndDescribe(quarterTurn(g), p)
	if len(turnedKps) != len(kps) {
		t.Errorf("the turned image has %d keypoints, want %d", len(turnedKps), len(kps))
	}
	for i, k := range kps {
		want := turned(k, g)
		j := slices.IndexFunc(turnedKps, func(k keypoints.Keypoint) bool {
			return math.Hypot(float64(k.X-want.X), float64(k.Y-want.Y)) < 0.01 && k.Size == want.Size
		})
		if j < 0 {
			t.Errorf("%v is not found in the turned image", k)
			continue
		}
		if got := turnedKps[j]; math.Abs(math.Remainder(float64(got.Angle-want.Angle), 360)) > 2 || got.ClassID != k.ClassID {
			t.Errorf("turned keypoint is %v, want %v", got, want)
		}
		if d := distance(rowOf(rows, i), rowOf(turnedRows, j)); d > 0.1 {
			t.Errorf("%v: distance of the descriptors is %v, want less than 0.1", k, d)
		}
	}
}
