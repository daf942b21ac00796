package matchview

import (
	"math"
	"math/rand/v2"
	"testing"

	"descbench/keypoints"
)

// Wherever a point of space lies on the ray of a position, the other camera shows it on the epipolar line, whose ends
// are at the edges of the image.
func TestPointsOfARayAreOnItsEpipolarLine(t *testing.T) {
	const width, height = 640, 480
	sin, cos := math.Sincos(0.3) // about the y axis
	c := keypoints.Cameras{
		First: keypoints.Intrinsics{500, 510, 320, 230}, Other: keypoints.Intrinsics{450, 440, 310, 250},
		Pose: keypoints.Pose{R: [9]float64{cos, 0, sin, 0, 1, 0, -sin, 0, cos}, T: [3]float64{-1, 0.2, 0.1}},
	}
	rng := rand.New(rand.NewPCG(1, 2))
	inside := 0
	for range 500 {
		x, y, z := rng.Float64()*width, rng.Float64()*height, 2+10*rng.Float64()
		u, v, depth := c.Project(x, y, z)
		if depth <= 0 || u < 0 || v < 0 || u > width-1 || v > height-1 {
			continue
		}
		inside++
		ends, ok := epipolarLine(c, x, y, width, height)
		if !ok {
			t.Fatalf("(%g, %g): no line, but (%g, %g) is on it", x, y, u, v)
		}
		a, b := ends[0], ends[1]
		if d := math.Abs((b.X-a.X)*(v-a.Y)-(b.Y-a.Y)*(u-a.X)) / math.Hypot(b.X-a.X, b.Y-a.Y); d > 1e-6 {
			t.Errorf("(%g, %g) is %g px beside the line from %v to %v", u, v, d, a, b)
		}
		for _, end := range ends {
			if edge := min(end.X, end.Y, width-1-end.X, height-1-end.Y); math.Abs(edge) > 1e-9 {
				t.Errorf("the line ends at %v, not at an edge", end)
			}
		}
	}
	if inside < 100 {
		t.Errorf("%d points in both images", inside)
	}
}
