package fold

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime/debug"

	"golang.org/x/sync/errgroup"

	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"descbench/pipeline/store/unitfile"
)

// EachUnit calls do for the eval unit of a descriptor in every scene, in the order of
// the plan, and reads the next unit at the same time. A scene that failed has no unit.
func EachUnit(ctx context.Context, units *plan.Units, descriptor string, do func(scene string, unit *unitfile.EvalUnit) error) error {
	return eachUnit(ctx, units.Plan, &unitSource{Units: units}, descriptor, do)
}

func eachUnit(ctx context.Context, p *plan.Plan, from source, descriptor string, do func(scene string, unit *unitfile.EvalUnit) error) error {
	type sceneUnit struct {
		scene string
		unit  *unitfile.EvalUnit
	}
	work, ctx := errgroup.WithContext(ctx)
	next := make(chan sceneUnit, 1)
	work.Go(func() error {
		defer close(next)
		for _, scene := range p.Scenes {
			u := sceneUnit{scene: scene}
			unit, err := from.unit(descriptor, scene)
			if err == nil {
				u.unit = &unit
			} else if !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			if err := send(ctx, next, u); err != nil {
				return err
			}
		}
		return nil
	})
	work.Go(func() error {
		for u := range next {
			if err := do(u.scene, u.unit); err != nil {
				return err
			}
		}
		return nil
	})
	return work.Wait()
}

func readUnit(units *plan.Units, descriptor, scene string) (unit unitfile.EvalUnit, err error) {
	unit, err = plan.ReadUnit(units, units.Eval(descriptor), scene, unitfile.Eval)
	if err != nil {
		return unit, plan.Recreate(err)
	}
	return unit, nil
}

// outputs take what a folding reads and computes, each in the order of the plan. They
// are called at the same time as each other.
type outputs struct {
	queries func([]record.Query) error // nil: not wanted
	pairs   func([]record.Pair) error  // nil: not wanted
	result  func(context.Context, store.Descriptor, ranking.Result) error
}

// A judged descriptor is one whose records have all been added.
type judged struct {
	descriptor store.Descriptor
	judge      *judge
}

// fold streams the records into the accumulators and outputs. It reads the next
// unit, hands on queries, and computes and hands on the result of the previous descriptor
// at the same time.
func (r *folding) fold(ctx context.Context, to outputs) error {
	// Most memory is that of rows and metrics that have just been used. With the
	// default of 100 it would be as much as the rest; collecting it earlier costs no
	// measurable time here.
	const percent = 50
	if before := debug.SetGCPercent(percent); before >= 0 && before < percent {
		debug.SetGCPercent(before)
	} else {
		defer debug.SetGCPercent(before)
	}
	work, ctx := errgroup.WithContext(ctx)
	queries := make(chan []record.Query, 1)
	complete := make(chan judged) // the records of a descriptor
	work.Go(func() error {
		for rows := range queries {
			if err := to.queries(rows); err != nil {
				return plan.Fault(err)
			}
		}
		return nil
	})
	work.Go(func() error {
		for d := range complete {
			result, err := d.judge.result(ctx, r.from)
			if err != nil {
				return fmt.Errorf("%s: %w", d.descriptor.Name, err)
			}
			if err := to.result(ctx, d.descriptor, result); err != nil {
				return err
			}
		}
		return nil
	})
	work.Go(func() error {
		defer close(queries)
		defer close(complete)
		for _, d := range r.plan.Config.Descriptors {
			judge := newJudge(r.plan.Config, d)
			err := eachUnit(ctx, r.plan, r.from, d.Name, func(scene string, unit *unitfile.EvalUnit) error {
				if unit == nil {
					return judge.failAgain(r.from, scene)
				}
				if differs := r.note(d, r.plan.Config.SetOf(d), unit.Pairs); differs != "" {
					judge.ranking.Fail(scene, differs)
					return nil
				}
				if err := judge.add(*unit); err != nil {
					return unfit(r.from.path(d.Name, scene), err)
				}
				if to.pairs != nil {
					if err := to.pairs(unit.Pairs); err != nil {
						return plan.Fault(err)
					}
				}
				if to.queries == nil {
					return nil
				}
				return send(ctx, queries, unit.Queries)
			})
			if err != nil {
				return err
			}
			// Now, so that only the samples of one descriptor are in memory.
			if err := judge.nearest.close(ctx); err != nil {
				return fmt.Errorf("%s: %w", d.Name, err)
			}
			if err := send(ctx, complete, judged{r.describe(d, r.plan.Config.SetOf(d)), judge}); err != nil {
				return err
			}
		}
		return nil
	})
	return cmp.Or(work.Wait(), r.from.end())
}

func send[T any](ctx context.Context, to chan<- T, value T) error {
	select {
	case to <- value:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
