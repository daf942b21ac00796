package tasks

import (
	"context"
	"fmt"
	"slices"

	"descbench/eval"
	"descbench/eval/patches"
	"descbench/eval/patches/internal/pairwise"
)

// Evaluate computes the metrics of the tasks selected by the options. It uses the
// options' protocol, distance, PCA, tasks and workers. The input must have been read
// for at least these tasks. The result does not depend on Workers.
func (in *Input) Evaluate(ctx context.Context, opt Options) (*Result, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	if err := in.has(opt.tasks()); err != nil {
		return nil, err
	}
	if opt.PCAPowerLaw && len(in.Split.Train) == 0 {
		return nil, errNoTraining(in.Split)
	}
	e := &evaluation{in: in, opt: opt, scopes: newScopes(in.Sequences)}
	e.result = &Result{
		Descriptor: in.Set.Name, Split: in.Split.Name,
		Protocol: opt.Protocol, Distance: opt.Distance, PCAPowerLaw: opt.PCAPowerLaw,
		Warnings: in.Set.Warnings(),
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
	}
	var err error
	if e.set, e.measure, err = pairwise.Prepare(set, opt.Distance); err != nil {
		return nil, err
	}
	if err := e.run(ctx); err != nil {
		return nil, err
	}
	for _, s := range e.scopes {
		switch s.name {
		case all:
			e.result.Figures = s.figures
		case eval.Illumination:
			e.result.Illumination = &s.figures
		case eval.Viewpoint:
			e.result.Viewpoint = &s.figures
		default:
			e.result.Sequences = append(e.result.Sequences, SequenceFigures{
				Name: s.name, Patches: in.Set.Patches(s.name), Figures: s.figures,
			})
		}
	}
	e.balanceMatching()
	return e.result, nil
}

// has returns an error if the lists of a task are missing.
func (in *Input) has(tasks []Task) error {
	for _, task := range tasks {
		var counts []int
		switch task {
		case Verification:
			counts = []int{len(in.Positive), len(in.Inter), len(in.Intra)}
		case Retrieval:
			counts = []int{len(in.Queries), len(in.Distractors)}
		}
		if slices.Contains(counts, 0) {
			return fmt.Errorf("the lists of %s have not been read", task)
		}
	}
	return nil
}

// An evaluation is the state of one call of Evaluate.
type evaluation struct {
	in      *Input
	opt     Options
	set     *patches.Set // prepared for measure
	measure pairwise.Measure
	scopes  []*scope
	result  *Result
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

func (e *evaluation) warn(kind, line string) {
	e.result.Warnings = append(e.result.Warnings, eval.Warning{Kind: kind, Text: line})
}

// A scope is the set of sequences that metrics cover: all sequences, the sequences of
// a category, or a single sequence.
type scope struct {
	name    string // "all", the category, or the sequence
	member  []bool // per sequence
	figures Figures
}

const all = "all"

// newScopes returns the scope of all sequences, the scope of every category that
// occurs, and the scopes of single sequences in their order.
func newScopes(s *Sequences) []*scope {
	var scopes []*scope
	add := func(name string, includes func(sequence string) bool) {
		c := &scope{name: name, member: make([]bool, len(s.Names))}
		for i, sequence := range s.Names {
			c.member[i] = includes(sequence)
		}
		if slices.Contains(c.member, true) {
			scopes = append(scopes, c)
		}
	}
	add(all, func(string) bool { return true })
	for _, category := range []string{eval.Illumination, eval.Viewpoint} {
		add(category, func(sequence string) bool { return eval.Category(sequence) == category })
	}
	for _, name := range s.Names {
		add(name, func(sequence string) bool { return sequence == name })
	}
	return scopes
}

func (s *scope) includes(sequence uint16) bool { return s.member[sequence] }
