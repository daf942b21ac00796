package nearest

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

const (
	// blockRows is the number of queries that a worker takes at a time.
	blockRows = 64
	// maxPanel is the largest number of candidates that a kernel interleaves.
	// Smaller numbers must divide it.
	maxPanel = 64
	// maxStride is the largest number of candidates in a tile.
	maxStride = 256
	// tileBytes limits the size of a tile's packed candidates, so that they
	// stay in the second-level cache while a block of queries passes over them.
	tileBytes = 256 << 10
)

// padded returns n rounded up to a multiple of maxPanel.
func padded(n int) int { return (n + maxPanel - 1) / maxPanel * maxPanel }

// tileStride returns the number of candidates of rowBytes each in a tile.
func tileStride(rowBytes int) int {
	return min(max(tileBytes/rowBytes/maxPanel*maxPanel, maxPanel), maxStride)
}

// A blockFunc processes the queries from ≤ i < to.
type blockFunc func(ctx context.Context, from, to int) error

// eachBlock distributes the blocks of all rows, in ascending order, to workers.
// Each worker has its own blockFunc.
func eachBlock(ctx context.Context, opt Options, rows int, newWorker func() blockFunc) error {
	workers := opt.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, (rows+blockRows-1)/blockRows)

	var taken atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for range workers {
		work := newWorker()
		group.Go(func() error {
			for {
				from := int(taken.Add(1)-1) * blockRows
				if from >= rows {
					return nil
				}
				if err := inSlot(ctx, opt, work, from, min(from+blockRows, rows)); err != nil {
					return err
				}
			}
		})
	}
	return group.Wait()
}

func inSlot(ctx context.Context, opt Options, work blockFunc, from, to int) error {
	if opt.Slots != nil {
		if err := opt.Slots.Acquire(ctx, 1); err != nil {
			return err
		}
		defer opt.Slots.Release(1)
	}
	return work(ctx, from, to)
}
