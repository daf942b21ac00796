package y2017

import (
	"context"
	"math"
	"slices"

	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/eval/patches/internal/pairwise"
	"descbench/eval/scope"
	"descbench/eval/stats"
)

// Evaluate computes the metrics of the tasks selected by the options. It uses the
// options' protocol, distance, PCA, tasks and workers. The input must have been read
// for at least these tasks and this preprocessing. The result does not depend on Workers.
func (in *Input) Evaluate(ctx context.Context, opt Options) (*Result, error) {
	e := &evaluation{in: in, opt: opt, set: in.Set, measure: pairwise.Measure(opt.Distance), parts: newParts(in.Sequences)}
	e.result = &Result{
		Descriptor: in.Set.Name, Split: in.Split.Name,
		Protocol: opt.Protocol, Distance: opt.Distance, PCAPowerLaw: opt.PCAPowerLaw,
		Tasks: opt.tasks(), Sequences: in.Sequences, Facts: in.Set.Facts(),
	}
	if opt.PCAPowerLaw {
		var err error
		if e.set, err = whiten(in.Set, in.Split); err != nil {
			return nil, err
		}
	}
	if err := e.run(ctx); err != nil {
		return nil, err
	}
	e.tellChance()
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
	set     *patches.Set // whitened, if so chosen
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

// tellChance tells if no task at the easy noise level, in which descriptors are best, is better than with rows in a
// random order: one nearest neighbour of an image pair is correct, and positives are as far as negatives of the same sequence.
func (e *evaluation) tellChance() {
	const fewPatches, aboveChance, usefulAUC = 20, 2, 0.55 // a mean; a multiple of chance
	chance := 0.0
	for _, s := range e.in.Sequences {
		chance += 1 / float64(s.Patches*len(e.in.Sequences))
	}
	share, auc := e.parts[0].value(Matching, "success_rate_e"), e.parts[0].value(Verification, "e_intra_balanced_auc") // NaN of tasks that were not run
	switch {
	case chance > 1.0/fewPatches || share >= aboveChance*chance || auc >= usefulAUC:
	case !math.IsNaN(share):
		e.tell(fact.New(fact.PatchesAtChance).With("share", share).With("chance", chance))
	case !math.IsNaN(auc):
		e.tell(fact.New(fact.PatchesAtChance).With("auc", auc))
	}
}

// A part holds the metrics of the sequences of a scope.
type part struct {
	scope    string
	sequence int    // the only one of a part of one sequence; -1 for other parts
	member   []bool // per sequence
	metrics  map[Task]*scope.List
	items    map[Task]int // numbers of image pairs and queries
	rates    rates        // of verification, mean of the cells so far
}

// newParts returns the part of all sequences, the part of every category that occurs,
// and the parts of single sequences in their order.
func newParts(sequences []Sequence) []*part {
	scenes := make([]scope.Scene[int], len(sequences))
	for i, s := range sequences {
		scenes[i] = scope.Scene[int]{Name: s.Name, Parts: []scope.Part[int]{{Tally: i}}}
	}
	var parts []*part
	for _, of := range scope.Of(scenes) {
		p := &part{scope: of.Name, sequence: -1, member: make([]bool, len(sequences)), metrics: map[Task]*scope.List{}, items: map[Task]int{}}
		for _, t := range Tasks() {
			p.metrics[t] = &scope.List{}
		}
		for _, i := range of.Tallies() {
			if p.member[i] = true; of.Kind == scope.OneScene {
				p.sequence = i
			}
		}
		if of.Name != scope.Other {
			parts = append(parts, p)
		}
	}
	return parts
}

// add adds a metric over n items, without interval.
func (p *part) add(t Task, name string, v float64, n int) {
	p.metrics[t].Add(p.scope, "patch_"+string(t)+"_"+name, v, n, stats.NoInterval())
}

// addMeans adds the values at the noise levels and their mean; n is the number of items in all three.
func (p *part) addMeans(t Task, name string, v [3]float64, n int) {
	for i, noise := range Noises() {
		p.add(t, name+"_"+noise, v[i], n/3)
	}
	p.add(t, name+"_mean", (v[0]+v[1]+v[2])/3, n)
}

// value returns a metric that was added.
func (p *part) value(t Task, name string) float64 {
	return find(p.metrics[t].Metrics, "patch_"+string(t)+"_"+name).Value
}
