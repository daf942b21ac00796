package surf

import (
	"math"

	"descbench/descriptors"
	"descbench/keypoints"
)

const (
	gradientGrid  = patchSize - 1 // gradients per side of the patch
	cellCount     = 4             // cells per side of the grid
	cellSide      = gradientGrid / cellCount
	gradientSigma = float32(3.3) // standard deviation of the Gaussian weight of the gradients, in units of s
)

// A describer computes descriptors from one image (section 4.2 of the paper).
// It is not safe for concurrent use.
type describer struct {
	extended bool
	upright  bool
	gray     *Gray
	weights  [gradientGrid][gradientGrid]float32
	shrinker shrinker
	patch    patch
}

// describe returns the descriptors of keypoints that have an angle. The rows of
// other keypoints are invalid.
func describe(gray *Gray, kps []keypoints.Keypoint, p keypoints.Params) *descriptors.Matrix {
	dim := 64
	if p.Bool("extended") {
		dim = 128
	}
	m := descriptors.New(len(kps), dim, descriptors.Float32)
	d := newDescriber(gray, p)
	for i, kp := range kps {
		if kp.Angle == keypoints.NoAngle || !d.row(m.Float32[i*m.Dim:][:m.Dim], kp) {
			m.Mark(i)
		}
	}
	return m
}

func newDescriber(gray *Gray, p keypoints.Params) *describer {
	d := &describer{extended: p.Bool("extended"), upright: p.Bool("upright"), gray: gray}
	weights := gaussian(gradientGrid, float64(gradientSigma))
	for i, wi := range weights {
		for j, wj := range weights {
			d.weights[i][j] = wi * wj
		}
	}
	return d
}

// row sets dst, which is zero, to the descriptor. If there is no contrast it
// reports false and leaves dst zero.
func (d *describer) row(dst []float32, kp keypoints.Keypoint) bool {
	w := newWindow(d.gray, kp, d.upright)
	d.shrinker.shrink(&w, &d.patch)

	perCell := len(dst) / (cellCount * cellCount)
	square := 0.0
	for i := range cellCount {
		for j := range cellCount {
			cell := dst[(i*cellCount+j)*perCell:][:perCell]
			if d.extended {
				d.sumBySign(cell, j*cellSide, i*cellSide)
			} else {
				d.sum(cell, j*cellSide, i*cellSide)
			}
			for _, v := range cell {
				square += float64(float32(v * v))
			}
		}
	}
	if square == 0 {
		return false
	}
	const epsilon = 0x1p-23 // of float32
	factor := float32(1 / (math.Sqrt(square) + epsilon))
	for i := range dst {
		dst[i] *= factor
	}
	return true
}

// gradient returns the weighted Haar wavelet responses (y downwards) at the
// four pixels of the patch from (x, y) on.
func (d *describer) gradient(x, y int) (dx, dy float32) {
	upper, lower := d.patch[y][x:][:2], d.patch[y+1][x:][:2]
	topLeft, topRight := int(upper[0]), int(upper[1])
	bottomLeft, bottomRight := int(lower[0]), int(lower[1])
	weight := d.weights[y][x]
	dx = float32(float32(topRight-topLeft+bottomRight-bottomLeft) * weight)
	dy = float32(float32(bottomLeft-topLeft+bottomRight-topRight) * weight)
	return dx, dy
}

// sum adds up the gradients of the cell that begins at (x0, y0): Σdx, Σdy,
// Σ|dx|, Σ|dy|.
func (d *describer) sum(cell []float32, x0, y0 int) {
	var sx, sy, sax, say float32
	for y := y0; y < y0+cellSide; y++ {
		for x := x0; x < x0+cellSide; x++ {
			dx, dy := d.gradient(x, y)
			sx += dx
			sy += dy
			sax += abs(dx)
			say += abs(dy)
		}
	}
	cell[0], cell[1], cell[2], cell[3] = sx, sy, sax, say
}

// sumBySign adds up Σdx and Σ|dx| where dy ≥ 0, then where dy < 0, and Σdy and
// Σ|dy| where dx ≥ 0, then where dx < 0.
func (d *describer) sumBySign(cell []float32, x0, y0 int) {
	for y := y0; y < y0+cellSide; y++ {
		for x := x0; x < x0+cellSide; x++ {
			dx, dy := d.gradient(x, y)
			kx, ky := 0, 4
			if dy < 0 {
				kx = 2
			}
			if dx < 0 {
				ky = 6
			}
			cell[kx] += dx
			cell[kx+1] += abs(dx)
			cell[ky] += dy
			cell[ky+1] += abs(dy)
		}
	}
}
