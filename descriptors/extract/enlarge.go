package extract

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"

	"gocv.io/x/gocv"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// OpenCV's SIFT has no octave below -1, the doubled image. A keypoint of a lower
// octave is described at octave -1 of an enlarged copy of its surroundings.
const (
	// lowestOctave is the lowest octave that is described. In three photographs
	// shrunk by 2, 4 and 8, the rows of nearly all keypoints of octave -2 were
	// nearest to those of the same keypoints in the original, of 59 to 81 % of
	// octave -3, and of 5 to 8 % of octave -4, among 1500. Of octave -5, in
	// photographs shrunk by 16, it was at most 1 %: its windows, 4 cells of 1.5
	// sizes, are about a pixel wide or less.
	lowestOctave = -4
	// maxEnlargedSize limits the copy: it is the greatest size of a keypoint
	// below the doubled image, in px of its octave. Those whose octave matches
	// their size have less than 57, with OpenCV's default sigma less than 7.2.
	maxEnlargedSize = 64
)

// belowPyramid reports whether a keypoint belongs to an octave that OpenCV's
// SIFT does not have.
func belowPyramid(k keypoints.Keypoint) bool {
	octave, _ := keypoints.UnpackOctave(k.Octave)
	return octave < -1
}

// computeEnlarged returns the row of a describable keypoint below the pyramid. The
// copy continues the pyramid downwards: its pixel (0, 0) is a pixel of the plane,
// so that the doubled copy is displaced by a quarter of its own pixel, as OpenCV's
// doubled image is.
func computeEnlarged(plane gocv.Mat, k gocv.KeyPoint, p keypoints.Params) (*descriptors.Matrix, error) {
	octave, layer := keypoints.UnpackOctave(int32(k.Octave))
	factor := float64(int(1) << (-1 - octave))
	blur := p.Float("sigma") * math.Pow(2, float64(layer)/float64(p.Int("n_octave_layers"))) // of the layer, px of the octave
	// The doubled copy has the image's blur, factor px of the octave if it is
	// 0.5 px as SIFT assumes; more is needed for that of the layer.
	more := math.Sqrt(max(blur*blur-factor*factor, 0))
	// SIFT samples up to 7.5·√2 half sizes and the neighbours of these pixels.
	// OpenCV blurs with 4 standard deviations, and interpolates between 4 px.
	reach := 7.5*math.Sqrt2/2*k.Size + (4*more+2)/(2*factor) + 2
	left, w := span(k.X, reach, plane.Cols())
	top, h := span(k.Y, reach, plane.Rows())
	enlarged, err := enlarge(plane, image.Rect(left, top, left+w, top+h), factor)
	if err != nil {
		return nil, err
	}
	defer enlarged.Close()
	k.X, k.Y, k.Size = (k.X-float64(left))*factor, (k.Y-float64(top))*factor, k.Size*factor
	// OpenCV takes the blur of the doubled copy for 1 px when it blurs it for the
	// first layer, 0, up to sigma.
	k.Octave = 255
	sigma := math.Sqrt(more*more + 1)
	return compute("sift", enlarged, 1, keypoints.Params{"n_octave_layers": p["n_octave_layers"], "sigma": sigma},
		query{rows: upTo(1), given: []gocv.KeyPoint{k}})
}

// span returns the first pixel and the number of pixels of the part of an image's
// n columns or rows that is within reach of a position, or next to it if the
// position is farther outside.
func span(centre, reach float64, n int) (first, length int) {
	length = min(int(math.Ceil(2*reach))+1, n)
	return int(min(max(centre-reach, 0), float64(n-length))), length
}

// enlarge returns a part of a plane, enlarged by cubic interpolation: pixel i of
// the part becomes pixel i·factor.
func enlarge(plane gocv.Mat, part image.Rectangle, factor float64) (gocv.Mat, error) {
	out := gocv.NewMat()
	backwards := gocv.NewMatWithSizeFromScalar(gocv.NewScalar(0, 0, 0, 0), 2, 3, gocv.MatTypeCV64F)
	defer backwards.Close()
	for i, offset := range []int{part.Min.X, part.Min.Y} {
		backwards.SetDoubleAt(i, i, 1/factor)
		backwards.SetDoubleAt(i, 2, float64(offset))
	}
	size := image.Pt((part.Dx()-1)*int(factor)+1, (part.Dy()-1)*int(factor)+1)
	if err := gocv.WarpAffineWithParams(plane, &out, backwards, size, gocv.InterpolationCubic|gocv.WarpInverseMap, gocv.BorderReplicate, color.RGBA{}); err != nil {
		return out, cmp.Or(fmt.Errorf("enlarge %v of an image by %v: %w", part, factor, detect.OneLine(err)), out.Close())
	}
	return out, nil
}
