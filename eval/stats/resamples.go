package stats

import (
	"slices"
	"sync"
)

// FixedSeed is the seed of the resamples for the interval of a metric or of a
// difference, and of random sign flips. It is fixed so that a metric has the same
// interval wherever it is computed.
const FixedSeed = 1

// keptSizes bounds the memory of the resamples that are kept to 80 kB per scene.
const keptSizes = 8

// FewestScenes is the number of scenes below which Resamples gives no interval.
// Resamples of fewer have too few different values: those of two scenes have three, and
// the interval is as narrow as the scenes happen to be alike.
const FewestScenes = 5

var kept struct {
	sync.Mutex
	last []*Bootstrap // at most keptSizes, last used first
}

// Resamples returns the Bootstrap with FixedSeed for the given number of scenes. The
// metrics of all descriptors over equally many scenes share their resamples, which
// are drawn on first use. Those used last are kept, because metrics that leave out a
// few scenes need many sizes. It is safe for concurrent use.
func Resamples(scenes int) *Bootstrap {
	if scenes < FewestScenes {
		return &Bootstrap{scenes: scenes}
	}
	kept.Lock()
	defer kept.Unlock()
	i := slices.IndexFunc(kept.last, func(b *Bootstrap) bool { return b.scenes == scenes })
	if i < 0 {
		i = len(kept.last)
		kept.last = append(kept.last, NewBootstrap(FixedSeed, scenes))
	}
	found := kept.last[i]
	kept.last = slices.Insert(slices.Delete(kept.last, i, i+1), 0, found)
	kept.last = slices.Delete(kept.last, min(len(kept.last), keptSizes), len(kept.last))
	return found
}
