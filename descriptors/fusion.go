package descriptors

import "fmt"

// Fuse returns the matrix whose row i aggregates row i of all parts, several
// descriptors of the same keypoints. Parts are fused in the form in which they
// would be compared: rows with UnitNorm are normalised first. The result is not
// normalised; rows of a concatenation, for example, are longer than 1.
//
// A row that is invalid in one part is invalid in the result, whatever the
// aggregate: a keypoint that lacks one of the descriptors is not comparable
// with keypoints that have all of them. A row that becomes all zeros is invalid
// too.
//
// A mean is summed in float64 in the order of the parts, and each element is
// rounded to float32 once. The result is Float32. The exception is raw Uint8
// parts: they stay Uint8 under Concatenate, and when there is only one part.
//
// There is at least one part. Fuse fails if a part holds bits, or if the numbers of rows or (except for
// Concatenate) the dimensions differ. parts are not modified.
func Fuse(parts []*Matrix, aggregate Aggregate) (*Matrix, error) {
	if err := checkFusion(parts, aggregate); err != nil {
		return nil, err
	}
	finished := make([]*Matrix, len(parts))
	for i, part := range parts {
		finished[i] = part.WrittenOut()
	}
	return aggregate.combine(finished, true), nil
}

func checkFusion(parts []*Matrix, aggregate Aggregate) error {
	for i, part := range parts {
		switch {
		case part.Type == Bits:
			return fmt.Errorf("component %d holds %v, want uint8 or float32: binary descriptors cannot be fused", i+1, part.Type)
		case part.Rows != parts[0].Rows:
			return fmt.Errorf("component %d has %d rows, want %d as in component 1: all must describe the same keypoints", i+1, part.Rows, parts[0].Rows)
		case aggregate != Concatenate && part.Dim != parts[0].Dim:
			return fmt.Errorf("component %d has rows of %d elements, component 1 of %d; want equal numbers, or aggregate: concatenate", i+1, part.Dim, parts[0].Dim)
		}
	}
	return nil
}
