package stats

import "slices"

// FixedSeed is the seed of the resamples for the interval of a metric or of a
// difference, and of random sign flips. It is fixed so that a metric has the same
// interval wherever it is computed.
const FixedSeed = 1

// Bootstraps holds one Bootstrap per number of scenes, created on first use, so
// metrics over equally many scenes share their resamples. It keeps those used
// last, because metrics that leave out a few scenes need many sizes. It is not
// safe for concurrent use.
type Bootstraps struct {
	kept []*Bootstrap // at most keptSizes, last used first
}

// keptSizes bounds the memory of Bootstraps to 40 kB per scene.
const keptSizes = 4

// NewBootstraps returns empty Bootstraps with seed FixedSeed.
func NewBootstraps() *Bootstraps { return &Bootstraps{} }

// Of returns the Bootstrap for the given number of scenes.
func (b *Bootstraps) Of(scenes int) *Bootstrap {
	i := slices.IndexFunc(b.kept, func(k *Bootstrap) bool { return k.scenes == scenes })
	if i < 0 {
		i = len(b.kept)
		b.kept = append(b.kept, NewBootstrap(FixedSeed, scenes))
	}
	found := b.kept[i]
	b.kept = slices.Insert(slices.Delete(b.kept, i, i+1), 0, found)
	b.kept = slices.Delete(b.kept, min(len(b.kept), keptSizes), len(b.kept))
	return found
}
