package eval

// CumulativeMatchCurve returns, for each rank K from 1, the share of the
// processed queries with rank ≤ K, given the histogram of ranks of a Result
// and the number of processed queries. It is nil if none was processed.
//
// Source: Phillips, Moon, Rizvi, Rauss, The FERET Evaluation Methodology for
// Face-Recognition Algorithms, PAMI 2000.
func CumulativeMatchCurve(histogram []int64, processed int) []float64 {
	if processed == 0 {
		return nil
	}
	curve := make([]float64, len(histogram))
	matched := int64(0)
	for i, n := range histogram {
		matched += n
		curve[i] = float64(matched) / float64(processed)
	}
	return curve
}
