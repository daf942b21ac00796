package fold

import (
	"context"
	"fmt"

	"descbench/eval"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A unitOf is the eval unit of a scene, or none if the scene failed.
type unitOf struct {
	scene  string
	unit   store.EvalUnit
	failed bool
}

// readUnits sends the units of all descriptors in the order of the plan.
func readUnits(ctx context.Context, f plan.Folder, p *plan.Plan, units plan.Units, to chan<- unitOf) error {
	for _, d := range p.Config.Descriptors {
		for _, scene := range p.Scenes {
			u := unitOf{scene: scene, failed: plan.Missing(f.Eval(d.Name, scene))}
			if !u.failed {
				file, err := units.Of(f.Eval(d.Name, scene), scene)
				if err == nil {
					u.unit, err = store.ReadEval(file)
				}
				if err != nil {
					return plan.Recreate(err)
				}
			}
			select {
			case to <- u:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
	}
	return nil
}

// resultsInOrder computes and writes the results of descriptors one after the other,
// while the records of the next one are added.
type resultsInOrder struct {
	ctx    context.Context
	writer *writer
	out    *Folded
	last   chan error // the error of the last result; nil before the first
}

// add computes a result when those before are written. It returns their error.
func (r *resultsInOrder) add(d store.Descriptor, compute func() (eval.Result, error)) error {
	if err := r.wait(); err != nil {
		return err
	}
	r.last = make(chan error, 1)
	go func(done chan<- error) {
		result, err := compute()
		if err != nil {
			done <- fmt.Errorf("%s: %w", d.Name, err)
			return
		}
		// All metrics of all descriptors would take too much memory.
		r.out.add(d, store.Brief(result))
		done <- r.writer.add(r.ctx, d, result)
	}(r.last)
	return nil
}

// wait waits until the last result is written.
func (r *resultsInOrder) wait() error {
	if r.last == nil {
		return nil
	}
	err := <-r.last
	r.last = nil
	return err
}
