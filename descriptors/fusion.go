package descriptors

import (
	"errors"
	"fmt"
)

// Fuse returns a matrix whose row i is the aggregate of the rows i of parts,
// several descriptors of the same keypoints. They are fused as they would be
// compared: with UnitNorm, the normalised rows are. Nothing is applied to the
// result; the rows of a concatenation, say, are longer than 1.
//
// A row that is invalid in one part is invalid, whatever the aggregate: a
// keypoint without one of the descriptors is not comparable with those that
// have them all. So is a row that comes out as zeros.
//
// A mean is summed in float64 in the order of the parts, and each element
// rounded to float32 once. The result is Float32, except that parts which are
// all Uint8, raw, stay so under Max, Min and Concatenate, and alone.
//
// weights, with Weighted, are one per part, none negative, and are divided by
// their sum; the other aggregates take nil. It fails without parts, if one holds
// bits, if numbers of rows differ, or, but for Concatenate, dimensions. parts
// are not modified.
func Fuse(parts []*Matrix, aggregate Aggregate, weights []float64) (*Matrix, error) {
	if err := checkFusion(parts, aggregate, weights); err != nil {
		return nil, fmt.Errorf("fuse: %w", err)
	}
	finished := make([]*Matrix, len(parts))
	for i, part := range parts {
		finished[i] = part.writtenOut()
	}
	return aggregate.combine(finished, weights, true), nil
}

func checkFusion(parts []*Matrix, aggregate Aggregate, weights []float64) error {
	if len(parts) == 0 {
		return errors.New("no components, want at least one")
	}
	for i, part := range parts {
		switch {
		case part.Type == Bits:
			return fmt.Errorf("component %d holds %v, want uint8 or float32: binary descriptors cannot be fused", i+1, part.Type)
		case part.Rows != parts[0].Rows:
			return fmt.Errorf("component %d has %d rows, want %d as component 1 has: they must describe the same keypoints", i+1, part.Rows, parts[0].Rows)
		case aggregate != Concatenate && part.Dim != parts[0].Dim:
			return fmt.Errorf("component %d has dimension %d, want %d as component 1 has, or aggregate concatenate", i+1, part.Dim, parts[0].Dim)
		}
	}
	switch {
	case aggregate == Weighted:
		return checkWeights(weights, len(parts), "components")
	case aggregate > Weighted:
		return fmt.Errorf("aggregate %v, want concatenate, mean, max, min or weighted", aggregate)
	case weights != nil:
		return fmt.Errorf("weights with aggregate %v, want them with weighted only", aggregate)
	}
	return nil
}
