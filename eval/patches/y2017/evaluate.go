package y2017

import (
	"context"
	"slices"

	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/eval/patches/internal/pairwise"
	"descbench/eval/scope"
)

// Evaluate computes the metrics of the tasks selected by the options. It uses the
// options' protocol, distance, PCA, tasks and workers. The input must have been read
// for at least these tasks and this preprocessing. The result does not depend on Workers.
func (in *Input) Evaluate(ctx context.Context, opt Options) (*Result, error) {
	e := &evaluation{in: in, opt: opt, parts: newParts(in.Sequences)}
	e.result = &Result{
		Descriptor: in.Set.Name, Split: in.Split.Name,
		Protocol: opt.Protocol, Distance: opt.Distance, PCAPowerLaw: opt.PCAPowerLaw,
		Facts: in.Set.Facts(),
	}
	set := in.Set
	if opt.PCAPowerLaw {
		var err error
		if set, err = whiten(set, in.Split); err != nil {
			return nil, err
		}
	}
	if n := opt.Normalisation; n != nil {
		var err error
		if set, err = n.apply(set, in.NormTrain, in.Split.Test); err != nil {
			return nil, err
		}
		e.result.Descriptor = set.Name
		both := slices.DeleteFunc(slices.Clone(in.Split.Test), func(s string) bool { return !slices.Contains(in.NormTrain, s) })
		if len(both) > 0 {
			e.tell(fact.New(fact.TrainedOnTest).Counting(len(both), len(in.Split.Test)).Naming("split", n.Split))
		}
	}
	var err error
	if e.set, e.measure, err = pairwise.Prepare(set, opt.Distance); err != nil {
		return nil, err
	}
	if err := e.run(ctx); err != nil {
		return nil, err
	}
	for _, s := range e.parts {
		switch s.name {
		case scope.All:
			e.result.Figures = s.figures
		case scope.Illumination:
			e.result.Illumination = &s.figures
		case scope.Viewpoint:
			e.result.Viewpoint = &s.figures
		default:
			e.result.Sequences = append(e.result.Sequences, SequenceFigures{
				Name: s.name, Patches: in.Set.Patches(s.name), Figures: s.figures,
			})
		}
	}
	if e.result.Matching != nil && opt.Protocol == HB2016 {
		e.tell(fact.New(fact.CorrectMatches))
	}
	if m := e.result.Matching; m != nil && m.MAP.Easy < m.MAP.Tough {
		e.tell(fact.New(fact.NoiseOrder).With("easy", float64(m.MAP.Easy)).With("tough", float64(m.MAP.Tough)))
	}
	e.balanceMatching()
	return e.result, e.summarise(ctx)
}

// An evaluation is the state of one call of Evaluate.
type evaluation struct {
	in      *Input
	opt     Options
	set     *patches.Set // prepared for measure
	measure pairwise.Measure
	parts   []*part
	result  *Result

	histograms []*histogram // of verification, by noise level and kind of negatives
}

func (e *evaluation) run(ctx context.Context) error {
	// Verification comes last: it needs the most memory, and no other task should
	// run before that memory is collected.
	for _, t := range []struct {
		task Task
		run  func(context.Context) error
	}{{Matching, e.match}, {Retrieval, e.retrieve}, {Verification, e.verify}} {
		if slices.Contains(e.opt.tasks(), t.task) {
			if err := t.run(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *evaluation) tell(f fact.Fact) { e.result.Facts = append(e.result.Facts, f) }

// A part holds the sequences of a scope and their metrics.
type part struct {
	name     string // "all", the category, or the sequence
	sequence int    // the only one of a part that is named after it; -1 for other parts
	member   []bool // per sequence
	figures  Figures
}

// newParts returns the part of all sequences, the part of every category that occurs,
// and the parts of single sequences in their order.
func newParts(s *Sequences) []*part {
	scenes := make([]scope.Scene[int], len(s.Names))
	for i, name := range s.Names {
		scenes[i] = scope.Scene[int]{Name: name, Parts: []scope.Part[int]{{Tally: i}}}
	}
	var parts []*part
	for _, of := range scope.Of(scenes) {
		p := &part{name: of.Name, sequence: -1, member: make([]bool, len(s.Names))}
		if of.Kind == scope.OneScene {
			p.name, p.sequence = of.Scenes[0].Name, of.Tallies()[0]
		}
		for _, i := range of.Tallies() {
			p.member[i] = true
		}
		if of.Name != scope.Other {
			parts = append(parts, p)
		}
	}
	return parts
}
