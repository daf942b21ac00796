package patches

import (
	"cmp"
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// Each calls do for the items 0 to n-1 on as many goroutines as workers (less than 1: GOMAXPROCS).
// After an error it starts no others. It returns the error of ctx, or that of the first item with
// one, which does not depend on workers, because items start in order.
func Each(ctx context.Context, workers, n int, do func(i int) error) error {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	faults := make([]error, n)
	g, running := errgroup.WithContext(ctx)
	g.SetLimit(workers)
	for i := 0; i < n && running.Err() == nil; i++ {
		g.Go(func() error {
			faults[i] = do(i)
			return faults[i]
		})
	}
	_ = g.Wait()
	return cmp.Or(ctx.Err(), cmp.Or(faults...))
}

// EachBlock is Each for blocks of up to size items. do gets the first item of a block and the end.
func EachBlock(ctx context.Context, workers, n, size int, do func(start, end int) error) error {
	return Each(ctx, workers, (n+size-1)/size, func(i int) error { return do(i*size, min((i+1)*size, n)) })
}
