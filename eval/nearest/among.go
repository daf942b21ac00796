package nearest

import (
	"context"
	"fmt"
	"math"

	"descbench/descriptors"
)

// Among ranks every query's truth among a sample of the candidates: less and
// equal count, as in a Result, those of the sample that are nearer than the
// truth and exactly as near; an invalid query or truth has the whole sample
// before it. Queries without a truth, or whose sample is empty, have counts of
// 0.
//
// sample returns the sample of a query that has a truth: rows of candidates
// other than the truth, in any order. It may append them to out, which is empty
// memory of the calling worker, and is called by several at once. Among fails
// where Search does, and if a sample has rows that it may not have.
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
			return fmt.Errorf("nearest: sample of query %d holds row %d, want rows of %d candidates other than its truth %d", q, row, n, truth)
		}
	}
	return nil
}

// count returns how many keys are below and at the truth's. If that is
// infinite, query or truth is invalid, and all count as nearer.
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
