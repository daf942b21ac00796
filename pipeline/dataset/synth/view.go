package synth

import "descbench/keypoints"

// A viewpoint is a camera's position before the plane, relative to that of
// image 1, which looks at it straight.
type viewpoint struct {
	tilt   float64 // tangent of half the angle between plane and image
	around float64 // tangent of half the direction of the tilt
	roll   float64 // tangent of half the rotation in the image
	zoom   float64 // of image k over image 1, at the point looked at
	target point   // looked at, px of image 1
	seen   point   // where the target appears, px of image k
}

// homography returns the map from image 1 to the image taken from v, both of
// a camera with the given focal length in px.
func (v viewpoint) homography(focal float64) keypoints.Homography {
	c, s := turn(v.tilt)
	ac, as := turn(v.around)
	rc, rs := turn(v.roll)
	// The plane turned about the vertical axis through the target, seen in
	// perspective: (x cos, y) × focal / (focal + x sin).
	tilted := keypoints.Homography{c, 0, 0, 0, 1, 0, s / focal, 0, 1}
	h := times(rotation(ac, as), times(tilted, rotation(ac, -as)))
	h = times(rotation(rc, rs), times(keypoints.Homography{v.zoom, 0, 0, 0, v.zoom, 0, 0, 0, 1}, h))
	h = times(shift(v.seen), times(h, shift(point{-v.target.x, -v.target.y})))
	last := h[8]
	for i := range h {
		h[i] /= last
	}
	return h
}

// viewpoints draws the homographies of the images of a viewpoint scene, of
// rising difficulty: tilt up to about 60°, zoom up to 2 or down to ⅔, rotation
// up to about 60°.
func viewpoints(width, height int, s *stream) [6]keypoints.Homography {
	w, h := float64(width), float64(height)
	middle := point{float64((w - 1) / 2), float64((h - 1) / 2)}
	for {
		last := viewpoint{
			tilt:   s.between(0.46, 0.58), // 49° to 60°
			around: float64(s.sign() * s.between(0, 1)),
			roll:   float64(s.sign() * s.between(0.1, 0.58)),
		}
		// Nearer or farther.
		zoom := s.between(1.2, 2)
		if s.chance(0.4) {
			zoom = 1 / s.between(1.1, 1.5)
		}
		last.target = point{float64(w * s.between(-0.14, 0.14)), float64(h * s.between(-0.14, 0.14))}
		last.seen = point{float64(w * s.between(-0.12, 0.12)), float64(h * s.between(-0.12, 0.12))}
		out := [6]keypoints.Homography{keypoints.Identity}
		good := true
		for k := 1; k < 6; k++ {
			part := float64(k) / 5
			wobble := func() float64 { return float64(part * s.between(0.9, 1.05)) }
			v := viewpoint{
				tilt:   float64(last.tilt * wobble()),
				around: last.around + s.between(-0.1, 0.1),
				roll:   float64(last.roll * wobble()),
				zoom:   lerp(1, zoom, wobble()),
				target: middle.plus(last.target.times(wobble())),
			}
			v.seen = middle.plus(last.seen.times(wobble()))
			out[k] = v.homography(float64(1.1 * max(w, h)))
			good = good && acceptable(out[k], w, h)
		}
		if good {
			return out
		}
	}
}

// acceptable reports whether enough of image 1 stays in view, and whether the
// plane fills the image, well in front of the camera, nearly without its
// mirrored part.
func acceptable(h keypoints.Homography, width, height float64) bool {
	const n = 16
	inverse := adjugate(h)
	_, middle := apply(inverse, point{width / 2, height / 2})
	shared, filled := 0, 0
	for i := range n * n {
		p := point{float64((width-1)*float64(i%n)) / (n - 1), float64((height-1)*float64(i/n)) / (n - 1)}
		if q, depth := apply(h, p); depth > 0.2 && inside(q, width, height, 0) {
			shared++
		}
		q, depth := apply(inverse, p)
		if depth < float64(0.15*middle) { // near or beyond the plane's horizon
			return false
		}
		if inside(q, width, height, 0.5) {
			filled++
		}
	}
	return shared*100 >= 28*n*n && filled*100 >= 88*n*n
}

// inside reports whether p lies in an image widened by a share of its size.
func inside(p point, w, h, wider float64) bool {
	x, y := float64(w*wider), float64(h*wider)
	return p.x >= -x && p.x <= w-1+x && p.y >= -y && p.y <= h-1+y
}
