package extract

import (
	"math"

	"descbench/descriptors"
	"descbench/descriptors/extract/patchcut"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// The two baselines of the HPatches benchmark describe the grey values of a patch of
// 65×65 samples, five keypoint sizes wide, as the benchmark's own patches are. They
// follow meanstd.m and resize.m in hpatches-benchmark, matlab/+desc/+feats.

// extractMStd gives the mean and the standard deviation of the patch.
func extractMStd(img detect.Image, kps []keypoints.Keypoint, _ keypoints.Params) (*descriptors.Matrix, error) {
	m := descriptors.New(len(kps), 2, descriptors.Float32)
	err := eachPatch(img, kps, func(i int, patch []float32) error {
		mean, std := patchcut.Deviation(patch, len(patch)-1) // as MATLAB's std
		m.Float32[2*i], m.Float32[2*i+1] = float32(mean), float32(std)
		return nil
	})
	return m, err
}

// extractResz gives the patch, standardised, at a smaller size, as a row of length 1.
// A patch of equal values has a row of zeros.
func extractResz(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	side := int(p.Int("side"))
	taps := bicubicTaps(descriptors.PatchSide, side)
	dim := side * side
	m := descriptors.New(len(kps), dim, descriptors.Float32)
	err := eachPatch(img, kps, func(i int, patch []float32) error {
		mean, std := patchcut.Deviation(patch, len(patch)-1) // as MATLAB's std
		if std == 0 {
			return nil
		}
		row, square := make([]float64, dim), 0.0
		for y, ty := range taps {
			for x, tx := range taps {
				v := 0.0
				for _, a := range ty {
					for _, b := range tx {
						v += float64(a.weight * b.weight * (float64(patch[a.at*descriptors.PatchSide+b.at]) - mean))
					}
				}
				v /= std
				row[y*side+x] = v
				square += float64(v * v)
			}
		}
		for j, v := range row {
			if square > 0 {
				m.Float32[i*dim+j] = float32(v / math.Sqrt(square))
			}
		}
		return nil
	})
	return m, err
}

// eachPatch calls use with the patch of every keypoint that has one. Rows of the
// others stay zero.
func eachPatch(img detect.Image, kps []keypoints.Keypoint, use func(i int, patch []float32) error) error {
	o := descriptors.DefaultPatchCut()
	o.InputSize, o.Magnification, o.Std = descriptors.PatchSide, descriptors.BaselinePatch, []float64{1}
	return patchcut.Each(img, kps, o, use)
}

// A tap is a sample of the input and its weight in a sample of the output.
type tap struct {
	at     int
	weight float64
}

// bicubicTaps returns the taps of every sample of MATLAB's imresize with the kernel
// cubic, without antialiasing: Keys' kernel with a = -½ (IEEE Transactions on
// Acoustics, Speech and Signal Processing, 1981), at the centre of each output
// sample; the input is mirrored at its ends.
func bicubicTaps(in, out int) [][]tap {
	step := float64(in) / float64(out)
	taps := make([][]tap, out)
	for o := range taps {
		u := float64((float64(o)+0.5)*step) - 0.5
		first := int(math.Floor(u)) - 1
		for i := first; i < first+4; i++ {
			at := i
			switch {
			case at < 0:
				at = -1 - at
			case at >= in:
				at = 2*in - 1 - at
			}
			taps[o] = append(taps[o], tap{at, keys(u - float64(i))})
		}
	}
	return taps
}

func keys(x float64) float64 {
	x = math.Abs(x)
	switch {
	case x <= 1:
		return float64((float64(1.5*x)-2.5)*x*x) + 1
	case x < 2:
		return float64((float64((float64(-0.5*x)+2.5)*x)-4)*x) + 2
	}
	return 0
}
