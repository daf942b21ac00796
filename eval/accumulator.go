package eval

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Options say how records are judged.
type Options struct {
	TolerancePx float64 // a truth this near makes its query processed, a match this near is correct; 0 to MaxTolerancePx
	Ties        TieRule
	Cutoffs     []int // the K of precision_at_K and recall_at_K, ascending
	// FixedGallery says that the records have ranks in a fixed gallery.
	FixedGallery bool

	// Queries with a truth that count as excluded all the same, as protocols
	// other than ours have it.
	ExcludeInvalid  bool    // those whose own descriptor is invalid
	ExcludeBeyondPx float64 // those projected to |x| or |y| beyond it; 0: none
}

// excludes reports whether a query is excluded whatever its truth.
func (o Options) excludes(q *Query) bool {
	if o.ExcludeInvalid && q.Invalid {
		return true
	}
	far := math.Max(math.Abs(q.ProjectedX), math.Abs(q.ProjectedY))
	return o.ExcludeBeyondPx > 0 && far > o.ExcludeBeyondPx
}

// An Accumulator sums up the records of one descriptor, pair by pair. It keeps
// a few numbers and a histogram of each pair, not its queries.
//
// What it yields depends on the set of pairs alone, bit by bit: neither on the
// order in which they were added nor on how they were split and merged. It may
// be used by one goroutine at a time.
type Accumulator struct {
	descriptor string
	opt        Options
	scenes     map[string]map[int32]*pairTally // by name, by K
	failed     map[string][]string             // reasons by scene, sorted, each once
}

// NewAccumulator returns an accumulator without pairs. Options that make no
// sense are refused by Add.
func NewAccumulator(descriptor string, opt Options) *Accumulator {
	opt.Cutoffs = slices.Clone(opt.Cutoffs)
	return &Accumulator{
		descriptor: descriptor,
		opt:        opt,
		scenes:     make(map[string]map[int32]*pairTally),
		failed:     make(map[string][]string),
	}
}

// Add adds one image pair with the records of all its queries, which it does
// not keep. It fails, and adds nothing, if the options make no sense, if the
// pair is of another descriptor or was added before, or if the records
// contradict each other.
func (a *Accumulator) Add(pair Pair, queries []Query) error {
	if err := a.add(pair, queries); err != nil {
		return fmt.Errorf("%s: %s/1_%d: %w", a.descriptor, pair.Scene, pair.K, err)
	}
	return nil
}

func (a *Accumulator) add(pair Pair, queries []Query) error {
	if err := a.opt.check(); err != nil {
		return err
	}
	if err := pair.check(); err != nil {
		return err
	}
	if err := a.admits(&pair); err != nil {
		return err
	}
	byRow := func(p, q Query) int { return int(p.Row) - int(q.Row) }
	if !slices.IsSortedFunc(queries, byRow) {
		queries = slices.SortedStableFunc(slices.Values(queries), byRow)
	}
	if err := pair.checkQueries(queries); err != nil {
		return err
	}
	a.insert(newPairTally(pair, queries, a.opt))
	return nil
}

// admits fails if the pair cannot stand beside those that are there.
func (a *Accumulator) admits(pair *Pair) error {
	if pair.Descriptor != a.descriptor {
		return fmt.Errorf("records of descriptor %q", pair.Descriptor)
	}
	scene := a.scenes[pair.Scene]
	if scene[pair.K] != nil {
		return errors.New("added twice")
	}
	if len(scene) == 0 {
		return nil
	}
	return pair.checkScene(&scene[slices.Min(slices.Collect(maps.Keys(scene)))].pair)
}

func (a *Accumulator) insert(p *pairTally) {
	scene := a.scenes[p.pair.Scene]
	if scene == nil {
		scene = make(map[int32]*pairTally)
		a.scenes[p.pair.Scene] = scene
	}
	scene[p.pair.K] = p
}

// Fail records that the scene could not be evaluated. Its pairs, added before
// or later, then count nowhere.
func (a *Accumulator) Fail(scene, reason string) {
	reasons := a.failed[scene]
	if i, found := slices.BinarySearch(reasons, reason); !found {
		a.failed[scene] = slices.Insert(reasons, i, reason)
	}
}

// Merge adds the pairs and failures of b, which must be of the same descriptor
// and options and have no pair in common with a. It fails, and adds nothing, if
// they are not. b is not modified.
func (a *Accumulator) Merge(b *Accumulator) error {
	if !a.opt.equal(b.opt) {
		return fmt.Errorf("%s: merge of figures with options %+v and %+v", a.descriptor, a.opt, b.opt)
	}
	if a.descriptor != b.descriptor {
		return fmt.Errorf("merge of figures of descriptors %q and %q", a.descriptor, b.descriptor)
	}
	for _, name := range slices.Sorted(maps.Keys(b.scenes)) {
		for _, k := range slices.Sorted(maps.Keys(b.scenes[name])) {
			if err := a.admits(&b.scenes[name][k].pair); err != nil {
				return fmt.Errorf("%s: %s/1_%d: %w", a.descriptor, name, k, err)
			}
		}
	}
	for _, scene := range b.scenes {
		for _, p := range scene {
			a.insert(p)
		}
	}
	for scene, reasons := range b.failed {
		for _, reason := range reasons {
			a.Fail(scene, reason)
		}
	}
	return nil
}

func (o Options) equal(p Options) bool {
	return o.TolerancePx == p.TolerancePx && o.Ties == p.Ties && slices.Equal(o.Cutoffs, p.Cutoffs) &&
		o.FixedGallery == p.FixedGallery && o.ExcludeInvalid == p.ExcludeInvalid && o.ExcludeBeyondPx == p.ExcludeBeyondPx
}

// RunningMAP returns the micro mAP of the pairs so far, for progress. It is not
// ok while no query was processed.
func (a *Accumulator) RunningMAP() (micro float64, ok bool) {
	t := scope{scenes: a.evaluated()}.tally()
	return t.trueMAP().value(), t.processed > 0
}

// evaluated returns the scenes that did not fail, by name, with their pairs by
// K: the order of all sums.
func (a *Accumulator) evaluated() []sceneTally {
	var scenes []sceneTally
	for _, name := range slices.Sorted(maps.Keys(a.scenes)) {
		if _, failed := a.failed[name]; failed {
			continue
		}
		s := sceneTally{name: name}
		for _, k := range slices.Sorted(maps.Keys(a.scenes[name])) {
			s.pairs = append(s.pairs, a.scenes[name][k])
		}
		scenes = append(scenes, s)
	}
	return scenes
}

// failures returns the reason of each failed scene.
func (a *Accumulator) failures() map[string]string {
	out := make(map[string]string, len(a.failed))
	for scene, reasons := range a.failed {
		out[scene] = strings.Join(reasons, "; ")
	}
	return out
}
