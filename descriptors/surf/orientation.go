package surf

import "descbench/keypoints"

const (
	// uprightAngle is the angle, in degrees, of every upright keypoint.
	uprightAngle = 270

	// Gradients are sampled on a grid with spacing s, the keypoint's scale,
	// within a disc of radius orientationRadius, and weighted by a Gaussian of
	// orientationSigma (both in units of s).
	orientationRadius = 6
	orientationSigma  = 2.5

	// The gradients are summed in sectors of sectorWidth degrees, one every
	// sectorStep degrees.
	sectorWidth = 60
	sectorStep  = 5
	sectorCount = 360 / sectorStep
)

// scaleOf returns the scale s of a keypoint in pixels. The smallest filter, of
// size 9, corresponds to a Gaussian of 1.2 pixels.
func scaleOf(size float32) float32 { return size * 1.2 / sizeOfFirst }

// An orienter computes the orientation of keypoints in one image. It is not
// safe for concurrent use.
type orienter struct {
	gray    *Gray
	upright bool
	sum     *integral // nil if upright

	grid    []gridPoint
	sectors [361]sectorRange // indexed by gradient direction in degrees

	sums [sectorCount]vector
}

// A gridPoint is a position where the gradient is sampled, relative to the
// keypoint, in units of s.
type gridPoint struct{ dx, dy, weight float32 }

// A sectorRange is the set of sectors that contain a direction: count sectors
// starting at first, wrapping around.
type sectorRange struct{ first, count int }

// A vector is a gradient, y pointing upwards.
type vector struct{ x, y float32 }

// newOrienter returns an orienter for the image. If it needs the integral image
// and sum is nil, it computes it.
func newOrienter(gray *Gray, upright bool, sum *integral) *orienter {
	o := &orienter{gray: gray, upright: upright, sum: sum}
	if upright {
		return o
	}
	if sum == nil {
		o.sum = newIntegral(gray)
	}
	const r = orientationRadius
	weights := gaussian(2*r+1, orientationSigma)
	for dx := -r; dx <= r; dx++ {
		for dy := -r; dy <= r; dy++ {
			if dx*dx+dy*dy <= r*r {
				o.grid = append(o.grid, gridPoint{float32(dx), float32(dy), weights[dx+r] * weights[dy+r]})
			}
		}
	}
	for degrees := range o.sectors {
		// The middle of a sector is less than half its width away.
		from, to := degrees+360-sectorWidth/2, degrees+360+sectorWidth/2
		first, end := from/sectorStep+1, (to+sectorStep-1)/sectorStep
		o.sectors[degrees] = sectorRange{first % sectorCount, end - first}
	}
	return o
}

// angle returns the orientation of the keypoint in degrees: the direction of
// the largest sum of Haar wavelet responses in any sector (section 4.1 of the
// paper). It reports false if the keypoint cannot be described.
func (o *orienter) angle(kp keypoints.Keypoint) (float32, bool) {
	s := scaleOf(kp.Size)
	side := min(o.gray.Width, o.gray.Height)
	// Comparisons with NaN are false. Scales that are far too large must not
	// reach the integer conversions below.
	if !o.gray.contains(kp.X, kp.Y) || !(windowSize(s) >= 1) || !(s <= float32(side)+1) {
		return 0, false
	}
	wavelet := 2 * roundHalfEven(2*s)
	if wavelet > side+1 {
		return 0, false
	}
	if o.upright {
		return uprightAngle, true
	}
	if wavelet == 0 {
		return 0, true // no gradient at such a small scale, as in a flat image
	}
	if o.collect(kp, s, wavelet) == 0 {
		return 0, false
	}
	var best vector
	largest := float32(0)
	for _, v := range o.sums {
		if square := float32(v.x*v.x) + float32(v.y*v.y); square > largest {
			largest, best = square, v
		}
	}
	return arctangent(-best.y, best.x), true
}

// collect adds the gradients around the keypoint, computed with wavelets of the
// given even size, to the sectors that contain them. It returns the number of
// gradients that could be sampled inside the image.
func (o *orienter) collect(kp keypoints.Keypoint, s float32, wavelet int) int {
	clear(o.sums[:])
	toOrigin := float32(wavelet-1) / 2
	sampled := 0
	for _, g := range o.grid {
		x := roundHalfEven(kp.X + float32(g.dx*s) - toOrigin)
		y := roundHalfEven(kp.Y + float32(g.dy*s) - toOrigin)
		if x < 0 || x >= o.sum.cols-wavelet || y < 0 || y >= o.sum.rows-wavelet {
			continue
		}
		v := o.sum.haar(x, y, wavelet)
		o.add(vector{float32(v.x * g.weight), float32(v.y * g.weight)})
		sampled++
	}
	return sampled
}

// haar returns the responses of the Haar wavelets of the given even size whose
// first pixel is (x, y): the mean of the right half minus that of the left, and
// the mean of the upper half minus that of the lower.
func (s *integral) haar(x, y, size int) vector {
	half := size / 2
	top := s.sum[y*s.cols+x:][:size+1]
	middle := s.sum[(y+half)*s.cols+x:][:size+1]
	bottom := s.sum[(y+size)*s.cols+x:][:size+1]
	left := bottom[half] - bottom[0] - top[half] + top[0]
	right := bottom[size] - bottom[half] - top[size] + top[half]
	upper := middle[size] - middle[0] - top[size] + top[0]
	lower := bottom[size] - bottom[0] - middle[size] + middle[0]
	weight := 1 / float32(half*size)
	return vector{
		float32(float64(float32(right)*weight) - float64(float32(left)*weight)),
		float32(float64(float32(upper)*weight) - float64(float32(lower)*weight)),
	}
}

// add adds v to the sectors that contain it. Vectors are added to a sector in
// the order of the calls.
func (o *orienter) add(v vector) {
	r := o.sectors[roundHalfEven(arctangentFused(v.y, v.x))]
	upTo := min(r.first+r.count, sectorCount)
	for i := r.first; i < upTo; i++ {
		o.sums[i].x += v.x
		o.sums[i].y += v.y
	}
	for i := range r.first + r.count - upTo {
		o.sums[i].x += v.x
		o.sums[i].y += v.y
	}
}
