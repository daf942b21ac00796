package surf

import "math"

// gaussian returns n samples of a centred Gaussian with the given standard
// deviation, scaled to sum 1. If n is even, the two middle samples have the
// weight of the centre, as in OpenCV's getGaussianKernel, not the weight half a
// sample from it.
func gaussian(n int, sigma float64) []float32 {
	values := make([]float64, n)
	sum := 0.0
	for i := range values {
		values[i] = 1
		if x := float64(2*i - (n - 1)); math.Abs(x) > 1 { // in half samples from the centre
			values[i] = math.Exp(-x * x / (8 * sigma * sigma))
		}
		sum += values[i]
	}
	weights := make([]float32, n)
	for i, v := range values {
		weights[i] = float32(v / sum)
	}
	return weights
}
