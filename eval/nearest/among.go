package nearest

import (
	"context"
	"fmt"
	"math"

	"descbench/descriptors"
)

// Among ranks every query's truth among a sample of the candidates. As in
// Result, less and equal count the sampled candidates that are nearer than the
// truth and exactly as near. If the query or its truth is invalid, the whole
// sample counts as nearer. Queries without a truth or with an empty sample have
// counts of 0.
//
// sample returns the sample of a query that has a truth: rows of candidates
// other than the truth, in any order. It may append them to out, an empty
// buffer of the calling worker. Several workers call it concurrently. Among
// fails if Search would fail, and if a sample contains invalid row numbers or
// the truth.
func Among(ctx context.Context, queries, candidates *descriptors.Matrix, truth []int32,
	sample func(q int, out []int32) []int32, opt Options) (less, equal []int32, err error) {
	if err := check(queries, candidates, truth); err != nil {
		return nil, nil, err
	}
	k, err := kernelNamed(opt.Kernel)
	if err != nil {
		return nil, nil, err
	}
	m, err := newMeasure(queries, candidates, k)
	if err != nil {
		return nil, nil, err
	}
	less, equal = make([]int32, len(truth)), make([]int32, len(truth))
	err = eachBlock(ctx, opt, len(truth), func() blockFunc {
		var drawn []int32
		var keys []float64
		return func(ctx context.Context, from, to int) error {
			for q := from; q < to; q++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				if truth[q] < 0 {
					continue
				}
				drawn = sample(q, drawn[:0])
				if err := checkSample(q, drawn, truth[q], candidates.Rows); err != nil {
					return err
				}
				if len(drawn) > len(keys) {
					keys = make([]float64, len(drawn))
				}
				m.Order(q, drawn, keys)
				less[q], equal[q] = count(keys[:len(drawn)], m.keyOf(q, int(truth[q])))
			}
			return nil
		}
	})
	if err != nil {
		return nil, nil, err
	}
	return less, equal, nil
}

func checkSample(q int, rows []int32, truth int32, n int) error {
	for _, row := range rows {
		if row < 0 || int(row) >= n || row == truth {
			return fmt.Errorf("nearest: sample of query %d contains row %d, want rows of the %d candidates other than its truth %d", q, row, n, truth)
		}
	}
	return nil
}

// count returns the number of keys below and equal to the truth's key. If that
// is infinite, the query or the truth is invalid, and all keys count as nearer.
func count(keys []float64, truth float64) (less, equal int32) {
	if math.IsInf(truth, 1) {
		return int32(len(keys)), 0
	}
	for _, key := range keys {
		if key < truth {
			less++
		} else if key == truth {
			equal++
		}
	}
	return less, equal
}
