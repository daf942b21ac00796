package stats

// FixedSeed is the seed of the resamples for the interval of a single metric.
// It is fixed so that a metric has the same interval wherever it is computed.
const FixedSeed = 1

// Bootstraps holds one Bootstrap per number of scenes, created on first use, so
// metrics over equally many scenes share their resamples. It is not safe for
// concurrent use.
type Bootstraps struct {
	bySize map[int]*Bootstrap
}

// NewBootstraps returns empty Bootstraps with seed FixedSeed.
func NewBootstraps() *Bootstraps { return &Bootstraps{make(map[int]*Bootstrap)} }

// Of returns the Bootstrap for the given number of scenes.
func (b *Bootstraps) Of(scenes int) *Bootstrap {
	if b.bySize[scenes] == nil {
		b.bySize[scenes] = NewBootstrap(FixedSeed, scenes)
	}
	return b.bySize[scenes]
}
