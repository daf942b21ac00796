package y2017

import (
	"context"
	"slices"

	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/eval/patches/internal/pairwise"
)

// Evaluate computes the metrics of the tasks selected by the options. It uses the
// options' protocol, distance, PCA, tasks and workers. The input must have been read
// for at least these tasks and this preprocessing. The result does not depend on Workers.
func (in *Input) Evaluate(ctx context.Context, opt Options) (*Result, error) {
	e := &evaluation{in: in, opt: opt, parts: newParts(in.Sequences)}
	e.result = &Result{
		Descriptor: in.Set.Name, Split: in.Split.Name,
		Protocol: opt.Protocol, Distance: opt.Distance, PCAPowerLaw: opt.PCAPowerLaw,
		Tasks: opt.tasks(), Facts: in.Set.Facts(),
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
	for i, name := range in.Sequences.Names {
		e.result.Sequences = append(e.result.Sequences, Sequence{name, in.Sequences.Patches[i]})
	}
	if slices.Contains(opt.tasks(), Matching) {
		if opt.Protocol == HB2016 {
			e.tell(fact.New(fact.CorrectMatches))
		}
		if easy, tough := e.parts[0].value(Matching, "map_e"), e.parts[0].value(Matching, "map_t"); easy < tough {
			e.tell(fact.New(fact.NoiseOrder).With("easy", easy).With("tough", tough))
		}
	}
	if err := e.addIntervals(ctx); err != nil {
		return nil, err
	}
	for _, p := range e.parts {
		for _, t := range Tasks() {
			e.result.Metrics = append(e.result.Metrics, p.metrics[t].Metrics...)
		}
	}
	return e.result, nil
}

// An evaluation is the state of one call of Evaluate.
type evaluation struct {
	in      *Input
	opt     Options
	set     *patches.Set // prepared for measure
	measure pairwise.Measure
	parts   []*part // all sequences first
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
