package descriptors

import (
	"fmt"
	"math"
)

// Root returns the element-wise square roots of the rows of m after division
// by their L1 norms, as Float32: the step that turns SIFT into RootSIFT, once
// Normalize with L2 follows. The Euclidean distances of the results are the
// Hellinger distances of the L1-normalised rows.
//
// Invalid rows stay so and are zero. It fails if m holds bits or a negative
// element. m is not modified.
//
// Source: Arandjelović, Zisserman, Three Things Everyone Should Know to Improve
// Object Retrieval, CVPR 2012, section 2.
func Root(m *Matrix) (*Matrix, error) {
	if m.Type == Bits {
		return nil, fmt.Errorf("root l1: rows of %v have no root, want uint8 or float32", m.Type)
	}
	return m.mapRows(func(i int, row []float64) error {
		sum := 0.0
		for j, v := range row {
			if v < 0 {
				return fmt.Errorf("root l1: row %d, element %d is %v, want no negative number", i, j, v)
			}
			sum += v
		}
		for j, v := range row {
			row[j] = math.Sqrt(v / sum)
		}
		return nil
	})
}
