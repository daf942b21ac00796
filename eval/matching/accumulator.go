package matching

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"descbench/eval"
)

// Options say how records are judged.
type Options struct {
	// TolerancePx is how near a match, or in the ratio test a nearest
	// neighbour, must be to be an inlier: 0 to eval.MaxTolerancePx. Figures
	// whose name has a tolerance, and the matching score, have their own.
	TolerancePx float64
}

// An Accumulator sums up the records of one descriptor, pair by pair. It keeps
// counts of each pair, not its queries.
//
// What it yields depends on the set of pairs alone, bit by bit: neither on the
// order in which they were added nor on how they were split and merged. It may
// be used by one goroutine at a time.
type Accumulator struct {
	descriptor string
	opt        Options
	scenes     map[string]map[int32]*pairTally // by name, by K
	failed     map[string]bool
}

// NewAccumulator returns an accumulator without pairs. Options that make no
// sense are refused by Add.
func NewAccumulator(descriptor string, opt Options) *Accumulator {
	return &Accumulator{
		descriptor: descriptor,
		opt:        opt,
		scenes:     make(map[string]map[int32]*pairTally),
		failed:     make(map[string]bool),
	}
}

// Add adds one image pair with the records of all its queries, in any order,
// which it does not keep, and its facts. It fails, and adds nothing, if the
// options make no sense, if the pair is of another descriptor or was added
// before, or if records and facts contradict each other.
func (a *Accumulator) Add(pair eval.Pair, queries []eval.Query, facts Facts) error {
	if err := a.add(pair, queries, facts); err != nil {
		return fmt.Errorf("%s: %s/1_%d: %w", a.descriptor, pair.Scene, pair.K, err)
	}
	return nil
}

func (a *Accumulator) add(pair eval.Pair, queries []eval.Query, facts Facts) error {
	if err := a.opt.check(); err != nil {
		return err
	}
	if err := checkPair(&pair); err != nil {
		return err
	}
	if err := checkQueries(&pair, queries); err != nil {
		return err
	}
	if err := facts.check(&pair, queries); err != nil {
		return err
	}
	p := newPairTally(pair, queries, facts, a.opt)
	if err := a.admits(p); err != nil {
		return err
	}
	a.insert(p)
	return nil
}

// admits fails if the pair cannot stand beside those that are there.
func (a *Accumulator) admits(p *pairTally) error {
	if p.pair.Descriptor != a.descriptor {
		return fmt.Errorf("records of descriptor %q", p.pair.Descriptor)
	}
	scene := a.scenes[p.pair.Scene]
	if scene[p.pair.K] != nil {
		return errors.New("added twice")
	}
	if len(scene) > 0 {
		if err := p.checkScene(first(scene)); err != nil {
			return err
		}
	}
	if len(a.scenes) == 0 {
		return nil
	}
	// All pairs that are there have the same estimators; any will do.
	other := first(first(a.scenes))
	if x, y := p.estimators(), other.estimators(); !slices.Equal(x, y) {
		return fmt.Errorf("corner errors of estimators %q, %s/1_%d has those of %q", x, other.pair.Scene, other.pair.K, y)
	}
	return nil
}

// first returns the value of the least key of a map that is not empty.
func first[K interface{ ~string | ~int32 }, V any](m map[K]V) V {
	return m[slices.Min(slices.Collect(maps.Keys(m)))]
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
// or later, then count nowhere. Reasons are kept by eval.Accumulator.
func (a *Accumulator) Fail(scene string) { a.failed[scene] = true }

// Merge adds the pairs and failures of b, which must be of the same descriptor
// and options and have no pair in common with a. It fails, and adds nothing, if
// they are not. b is not modified.
func (a *Accumulator) Merge(b *Accumulator) error {
	if a.opt != b.opt {
		return fmt.Errorf("%s: merge of figures with options %+v and %+v", a.descriptor, a.opt, b.opt)
	}
	if a.descriptor != b.descriptor {
		return fmt.Errorf("merge of figures of descriptors %q and %q", a.descriptor, b.descriptor)
	}
	for _, s := range ordered(b.scenes) {
		for _, p := range s.pairs {
			if err := a.admits(p); err != nil {
				return fmt.Errorf("%s: %s/1_%d: %w", a.descriptor, s.name, p.pair.K, err)
			}
		}
	}
	for _, scene := range b.scenes {
		for _, p := range scene {
			a.insert(p)
		}
	}
	maps.Copy(a.failed, b.failed)
	return nil
}

// evaluated returns the scenes that did not fail.
func (a *Accumulator) evaluated() []sceneTally {
	return slices.DeleteFunc(ordered(a.scenes), func(s sceneTally) bool { return a.failed[s.name] })
}

// ordered returns scenes by name, with their pairs by K: the order of all sums.
func ordered(scenes map[string]map[int32]*pairTally) []sceneTally {
	var out []sceneTally
	for _, name := range slices.Sorted(maps.Keys(scenes)) {
		s := sceneTally{name: name}
		for _, k := range slices.Sorted(maps.Keys(scenes[name])) {
			s.pairs = append(s.pairs, scenes[name][k])
		}
		out = append(out, s)
	}
	return out
}
