package nearest

import (
	"context"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"

	"descbench/descriptors"
)

// queriesPerBlock is how many queries a worker of Among takes at once.
const queriesPerBlock = 64

// Among ranks every query's truth among a sample of the candidates: less and
// equal count, as in a Result, those of the sample that are nearer than it and
// exactly as near. sample returns the sample of a query, without its truth,
// appended to out, which is scratch of the calling goroutine; calls come from
// several at once. Queries without a truth or a sample have counts of 0.
//
// An invalid query or truth has the whole sample before it.
func Among(ctx context.Context, queries, candidates *descriptors.Matrix, truth []int32, sample func(q int, out []int32) []int32, opt Options) (less, equal []int32, err error) {
	if err := check(queries, candidates, truth); err != nil {
		return nil, nil, err
	}
	m, err := NewMeasure(queries, candidates)
	if err != nil {
		return nil, nil, err
	}
	workers := opt.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	less, equal = make([]int32, len(truth)), make([]int32, len(truth))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(workers)
	for first := 0; first < len(truth); first += queriesPerBlock {
		g.Go(func() error {
			if opt.Slots != nil {
				if err := opt.Slots.Acquire(ctx, 1); err != nil {
					return err
				}
				defer opt.Slots.Release(1)
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			var drawn []int32
			var keys []float64
			for q := first; q < min(first+queriesPerBlock, len(truth)); q++ {
				if truth[q] < 0 {
					continue
				}
				if drawn = sample(q, drawn[:0]); len(drawn) > len(keys) {
					keys = make([]float64, len(drawn))
				}
				m.Order(q, drawn, keys)
				least, _ := m.key(q, int(truth[q]))
				for _, key := range keys[:len(drawn)] {
					switch {
					case math.IsInf(least, 1) || key < least:
						less[q]++
					case key == least:
						equal[q]++
					}
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	return less, equal, nil
}
