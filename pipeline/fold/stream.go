package fold

import (
	"context"

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
			if err := send(ctx, to, u); err != nil {
				return err
			}
		}
	}
	return nil
}

// A judged descriptor is one whose records have all been added.
type judged struct {
	descriptor store.Descriptor
	judge      *judge
}

// A computed result is that of a descriptor.
type computed struct {
	descriptor store.Descriptor
	result     eval.Result
}

func send[T any](ctx context.Context, to chan<- T, value T) error {
	select {
	case to <- value:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
