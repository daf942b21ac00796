package synth

import (
	"math"
	"testing"

	"descbench/keypoints"
)

// projected sees a point of the plane as a pinhole camera does: the plane is
// turned in space about an axis through the target, then divided by depth.
// Angles in radians; sines and cosines from package math.
func projected(p, target, seen point, tilt, around, roll, zoom, focal float64) (float64, float64) {
	x, y := p.x-target.x, p.y-target.y
	// In coordinates whose x axis is the direction of the tilt.
	ca, sa := math.Cos(around), math.Sin(around)
	u, v := ca*x+sa*y, -sa*x+ca*y
	X, Y, Z := u*math.Cos(tilt), v, focal+u*math.Sin(tilt)
	u, v = focal*X/Z, focal*Y/Z
	x, y = ca*u-sa*v, sa*u+ca*v
	cr, sr := math.Cos(roll), math.Sin(roll)
	return zoom*(cr*x-sr*y) + seen.x, zoom*(sr*x+cr*y) + seen.y
}

func TestViewpointIsThatOfAPinholeCamera(t *testing.T) {
	for _, v := range []viewpoint{
		{zoom: 1},
		{zoom: 2, target: point{100, 50}, seen: point{320, 240}},
		{zoom: 0.7, roll: 0.5, target: point{300, 200}, seen: point{310, 260}},
		{zoom: 1.3, tilt: 0.57, around: -0.8, roll: -0.4, target: point{350, 180}, seen: point{300, 250}},
	} {
		const focal = 700
		h := v.homography(focal)
		for _, p := range []point{{0, 0}, {639, 0}, {0, 479}, {639, 479}, {123, 321}} {
			x, y := h.Apply(p.x, p.y)
			wantX, wantY := projected(p, v.target, v.seen, 2*math.Atan(v.tilt), 2*math.Atan(v.around), 2*math.Atan(v.roll), v.zoom, focal)
			if math.Hypot(x-wantX, y-wantY) > 1e-8 {
				t.Errorf("%+v sends %v to (%v, %v), want (%v, %v)", v, p, x, y, wantX, wantY)
			}
		}
	}
}

func TestViewsRiseInDifficultyAndKeepContentInView(t *testing.T) {
	const w, h = 640, 480
	for scene := range 60 {
		views := viewpoints(w, h, newStream(7, scene, 0, forView))
		if views[0] != keypoints.Identity {
			t.Fatalf("scene %d: image 1 maps to itself by %v", scene, views[0])
		}
		shear := make([]float64, 6)
		for k, v := range views {
			if v[8] != 1 {
				t.Errorf("scene %d image %d: last element %v, want 1", scene, k+1, v[8])
			}
			if n, err := v.Normalized(); err != nil || n != v {
				t.Errorf("scene %d image %d: normalising changes the homography to %v (%v)", scene, k+1, n, err)
			}
			if !acceptable(v, w, h) {
				t.Errorf("scene %d image %d shows too little of the plane", scene, k+1)
			}
			shear[k] = anisotropy(v, (w-1)/2, (h-1)/2)
		}
		if shear[5] < shear[1] || shear[5] < 1.4 {
			t.Errorf("scene %d: foreshortening goes from %.2f in image 2 to %.2f in image 6, want it to rise beyond 1.4", scene, shear[1], shear[5])
		}
	}
}

// anisotropy is the ratio of the singular values of the map's derivative.
func anisotropy(h keypoints.Homography, x, y float64) float64 {
	const e = 1e-3
	x0, y0 := h.Apply(x, y)
	x1, y1 := h.Apply(x+e, y)
	x2, y2 := h.Apply(x, y+e)
	a, b, c, d := (x1-x0)/e, (x2-x0)/e, (y1-y0)/e, (y2-y0)/e
	s, det := a*a+b*b+c*c+d*d, math.Abs(a*d-b*c)
	root := math.Sqrt(max(0, s*s-4*det*det))
	return math.Sqrt((s + root) / (s - root))
}
