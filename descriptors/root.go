package descriptors

import (
	"fmt"
	"math"
)

// Root divides each row of m by its L1 norm and returns the element-wise square
// roots as Float32. Root followed by Normalize with L2 turns SIFT into
// RootSIFT. Euclidean distances of the results are Hellinger distances of the
// L1-normalised rows.
//
// Invalid rows stay invalid and are zero. Root fails if m holds bits or a
// negative element. m is not modified.
//
// Source: Arandjelović, Zisserman, Three Things Everyone Should Know to Improve
// Object Retrieval, CVPR 2012, section 2.
func Root(m *Matrix) (*Matrix, error) {
	if m.Type == Bits {
		return nil, fmt.Errorf("root l1: %v rows have no root, want uint8 or float32", m.Type)
	}
	return m.mapRows(func(i int, row []float64) error {
		sum := 0.0
		for j, v := range row {
			if v < 0 {
				return fmt.Errorf("root l1: row %d, element %d is %v, want a number of at least 0", i, j, v)
			}
			sum += v
		}
		for j, v := range row {
			row[j] = math.Sqrt(v / sum)
		}
		return nil
	})
}
