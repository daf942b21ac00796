package surf

import (
	"cmp"
	"slices"

	"descbench/keypoints"
)

// sizeIncrement is the difference in filter size between the layers of the
// first octave. It doubles from octave to octave, as do the sampling step and
// the size of the first layer.
const sizeIncrement = 6

// A layer holds the Hessian determinants of one filter, sampled every step
// pixels: det[i*cols+j] belongs to the filter centred at about (j·step,
// i·step). det is undefined where the filter would extend beyond the image.
type layer struct {
	filter     *hessian
	det        []float32
	rows, cols int
	step       int
}

// offset returns the distance in samples from the filter's first pixel to its
// centre.
func (l *layer) offset() int { return l.filter.size / 2 / l.step }

// findBlobs returns the maxima of the Hessian determinant in position and
// filter size, without orientation, in OpenCV's order.
func findBlobs(sum *integral, p keypoints.Params) []keypoints.Keypoint {
	width, height := sum.cols-1, sum.rows-1
	var found []keypoints.Keypoint
	var buffers [3][]float32
	for octave := range p.Int("n_octaves") {
		step := 1 << octave
		if sizeOfFirst*step > min(width, height) {
			break
		}
		var layers [3]layer // one below, one searched, one above
		for n := 0; n-2 < p.Int("n_octave_layers"); n++ {
			size := (sizeOfFirst + sizeIncrement*n) * step
			if size > min(width, height) {
				break // no further layer of this octave has a layer above it
			}
			layers[0], layers[1] = layers[1], layers[2]
			layers[2] = sampleLayer(sum, size, step, &buffers[n%3])
			if n >= 2 {
				found = appendMaxima(found, &layers, octave, float32(p.Float("hessian_threshold")))
			}
		}
	}
	slices.SortFunc(found, compare)
	return found
}

// sampleLayer computes one layer in *buffer, which it enlarges if necessary.
func sampleLayer(sum *integral, size, step int, buffer *[]float32) layer {
	width, height := sum.cols-1, sum.rows-1
	l := layer{rows: height / step, cols: width / step, step: step}
	if cap(*buffer) < l.rows*l.cols {
		*buffer = make([]float32, l.rows*l.cols)
	}
	l.det = (*buffer)[:l.rows*l.cols]
	rows, cols := 1+(height-size)/step, 1+(width-size)/step
	l.filter = newHessian(sum, size, cols)
	for i := range rows {
		first := (i+l.offset())*l.cols + l.offset()
		l.filter.determinants(l.det[first:][:cols], i*step, step)
	}
	return l
}

// appendMaxima appends the samples of layers[1] that exceed the threshold and
// their 26 neighbours.
func appendMaxima(found []keypoints.Keypoint, layers *[3]layer, octave int, threshold float32) []keypoints.Keypoint {
	l, above := &layers[1], &layers[2]
	border := above.offset() + 1 // the layer above is defined around every sample inside
	for i := border; i < l.rows-border; i++ {
		row := l.det[i*l.cols:][:l.cols]
		for j := border; j < l.cols-border; j++ {
			if row[j] <= threshold || row[j] <= row[j-1] || row[j] <= row[j+1] {
				continue
			}
			if c := cubeAt(layers, i, j); c.isMaximum() {
				if kp, ok := localize(layers, &c, i, j); ok {
					kp.Octave = int32(octave)
					found = append(found, kp)
				}
			}
		}
	}
	return found
}

// localize returns the keypoint at sample (i, j) of layers[1], interpolated
// among its neighbours. It reports false if the interpolated position is beyond
// the neighbours.
func localize(layers *[3]layer, c *cube, i, j int) (keypoints.Keypoint, bool) {
	dx, dy, ds, ok := c.peak()
	if !ok {
		return keypoints.Keypoint{}, false
	}
	l := &layers[1]
	x, y := l.step*(j-l.offset()), l.step*(i-l.offset())
	step, size := float32(l.step), l.filter.size
	centre := float32(size-1) * 0.5
	return keypoints.Keypoint{
		X:        float32(x) + centre + float32(dx*step),
		Y:        float32(y) + centre + float32(dy*step),
		Size:     float32(roundHalfEven(float32(size) + float32(ds*float32(size-layers[0].filter.size)))),
		Angle:    keypoints.NoAngle,
		Response: c[1][4],
		ClassID:  int32(cmp.Compare(l.filter.laplacian(x, y), 0)),
	}, true
}

// compare orders keypoints by response, size, octave and y, descending, then
// by x, ascending.
func compare(a, b keypoints.Keypoint) int {
	return cmp.Or(
		cmp.Compare(b.Response, a.Response),
		cmp.Compare(b.Size, a.Size),
		cmp.Compare(b.Octave, a.Octave),
		cmp.Compare(b.Y, a.Y),
		cmp.Compare(a.X, b.X),
	)
}
