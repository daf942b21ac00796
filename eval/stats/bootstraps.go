package stats

// FixedSeed is the seed of the resamples behind the interval of a single
// figure: fixed, so that a figure has the same interval whenever and wherever
// it is computed.
const FixedSeed = 1

// Bootstraps holds a Bootstrap for each number of scenes, made on first use:
// figures of equally many scenes share their resamples. It may be used by one
// goroutine at a time.
type Bootstraps struct {
	bySize map[int]*Bootstrap
}

// NewBootstraps returns Bootstraps of the seed FixedSeed.
func NewBootstraps() *Bootstraps { return &Bootstraps{make(map[int]*Bootstrap)} }

// Of returns the Bootstrap of so many scenes.
func (b *Bootstraps) Of(scenes int) *Bootstrap {
	if b.bySize[scenes] == nil {
		b.bySize[scenes] = NewBootstrap(FixedSeed, scenes)
	}
	return b.bySize[scenes]
}
