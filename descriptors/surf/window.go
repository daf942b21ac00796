package surf

import (
	"math"

	"descbench/keypoints"
)

// windowSize returns the side, in pixels, of the window that describes a
// keypoint of scale s. Each sample of the patch covers s pixels.
func windowSize(s float32) float32 { return float32(math.Trunc(float64(patchSize * s))) }

// A window is the square of pixels around a keypoint, rotated by its angle and
// sampled one pixel apart. Its rows are read in order.
type window struct {
	gray *Gray
	side int

	// For a rotated window: the position of the next row's first pixel, and the
	// steps from pixel to pixel in a row (cos, -sin) and from row to row (sin,
	// cos).
	x, y     float32
	sin, cos float32

	upright      bool
	left, bottom int // upright window: the next row's column and its first pixel
}

// newWindow returns the window of a keypoint that has an angle.
func newWindow(gray *Gray, kp keypoints.Keypoint, upright bool) window {
	w := window{gray: gray, side: int(windowSize(scaleOf(kp.Size))), upright: upright}
	half := -float32(w.side-1) / 2
	if upright {
		w.left = roundHalfEven(kp.X + half)
		w.bottom = roundHalfEven(kp.Y - half)
		return w
	}
	const radians float32 = math.Pi / 180
	direction := float64(kp.Angle * radians)
	w.sin, w.cos = -float32(math.Sin(direction)), float32(math.Cos(direction))
	w.x = kp.X + float32(half*w.cos) + float32(half*w.sin)
	w.y = kp.Y - float32(half*w.sin) + float32(half*w.cos)
	return w
}

// next reads a row of the window into dst, which has its length.
func (w *window) next(dst []uint8) {
	if w.upright {
		w.nextUpright(dst)
	} else {
		w.nextTurned(dst)
	}
}

// nextUpright reads a column of the image from the bottom up: a window rotated
// by 270°. Beyond the image border, the border pixels are repeated.
func (w *window) nextUpright(dst []uint8) {
	g := w.gray
	column := g.Pix[min(max(w.left, 0), g.Width-1):]
	w.left++
	for j := range dst {
		y := min(max(w.bottom-j, 0), g.Height-1)
		dst[j] = column[y*g.Width]
	}
}

// nextTurned interpolates between the four pixels around each position.
func (w *window) nextTurned(dst []uint8) {
	right, bottom := float64(w.gray.Width-1), float64(w.gray.Height-1)
	x, y := float64(w.x), float64(w.y)
	stepX, stepY := float64(w.cos), -float64(w.sin)
	w.x += w.sin
	w.y += w.cos

	// Both ends of the row are at least one pixel inside the image, so all
	// positions between them are too.
	steps := float64(len(dst) - 1)
	endX, endY := x+float64(steps*stepX), y+float64(steps*stepY)
	if min(x, endX) >= 1 && max(x, endX) < right-1 && min(y, endY) >= 1 && max(y, endY) < bottom-1 {
		w.interpolate(dst, x, y, stepX, stepY)
		return
	}
	for j := range dst {
		if x >= 0 && x < right && y >= 0 && y < bottom {
			w.interpolate(dst[j:j+1], x, y, 0, 0)
		} else {
			dst[j] = w.nearest(x, y)
		}
		x += stepX
		y += stepY
	}
}

// interpolate interpolates bilinearly at positions with a pixel on every side.
func (w *window) interpolate(dst []uint8, x, y, stepX, stepY float64) {
	pix, width := w.gray.Pix, w.gray.Width
	for j := range dst {
		ix, iy := int(x), int(y)
		a, b := float32(x-float64(ix)), float32(y-float64(iy))
		x += stepX
		y += stepY
		first := iy*width + ix
		upper, lower := pix[first:first+2], pix[first+width:first+width+2]
		na, nb := 1-a, 1-b
		dst[j] = uint8(roundHalfEven(
			float32(float32(float32(upper[0])*na)*nb) +
				float32(float32(float32(upper[1])*a)*nb) +
				float32(float32(float32(lower[0])*na)*b) +
				float32(float32(float32(lower[1])*a)*b)))
	}
}

// nearest returns the image pixel nearest to a position outside the image.
func (w *window) nearest(x, y float64) uint8 {
	g := w.gray
	ix := int(min(max(math.RoundToEven(x), 0), float64(g.Width-1)))
	iy := int(min(max(math.RoundToEven(y), 0), float64(g.Height-1)))
	return g.Pix[iy*g.Width+ix]
}
