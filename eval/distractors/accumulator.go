package distractors

import (
	"context"
	"fmt"

	"descbench/eval/fact"
	"descbench/eval/scope"
)

// Protocols are those of an evaluation; nil are those that it does not have.
type Protocols struct {
	Workbench *Workbench
	Bojanic   *Bojanic
}

// An Accumulator computes the metrics of one descriptor from its records, added scene by scene. It keeps
// 8 bytes per distance. Its results are bit-identical for any order of the scenes and of the records of
// a scene. It is not safe for concurrent use.
type Accumulator struct {
	Protocols
	workbench *scope.Ledger[WorkbenchRecord]
	bojanic   *scope.Ledger[[]bojanicTally] // by repetition
	failed    []string                      // scenes
}

// NewAccumulator returns an accumulator without scenes.
func NewAccumulator(descriptor string, p Protocols) *Accumulator {
	return &Accumulator{p, scope.NewLedger[WorkbenchRecord](descriptor), scope.NewLedger[[]bojanicTally](descriptor), nil}
}

// Add adds all records of one scene, which may be in any order, and ignores those of other protocols. A
// scene without a keypoint that stays inside every target has no records of Bojanic. Add fails if a
// record belongs to another descriptor, one of Bojanic to another scene or repetition, or if the scene was
// added before.
func (a *Accumulator) Add(scene string, workbench []WorkbenchRecord, bojanic []BojanicRecord) error {
	for _, r := range workbench {
		if a.Workbench == nil {
			break
		}
		if err := a.workbench.Enter(r.Descriptor, r.Scene, 0, r); err != nil {
			return fmt.Errorf("%s: %w", workbenchTask, err)
		}
	}
	if a.Bojanic == nil {
		return nil
	}
	tallies, err := a.Bojanic.tallies(a.bojanic.Descriptor, scene, bojanic)
	if err == nil {
		err = a.bojanic.Enter(a.bojanic.Descriptor, scene, 0, tallies)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", bojanicTask, err)
	}
	return nil
}

// Fail records that a scene, of which no records are added, could not be evaluated: a warning reports
// the tasks as incomplete.
func (a *Accumulator) Fail(scene string) { a.failed = append(a.failed, scene) }

// Result returns the metrics of the scenes added so far. Intervals are those of scope.List, computed by
// up to jobs goroutines. The only possible error is that of the context.
func (a *Accumulator) Result(ctx context.Context, jobs int) (metrics []scope.Metric, facts []fact.Fact, err error) {
	if a.Workbench != nil {
		metrics, facts = a.Workbench.result(a.workbench, a.failed)
	}
	if a.Bojanic == nil {
		return metrics, facts, nil
	}
	more, others, err := a.Bojanic.result(ctx, jobs, a.bojanic, a.failed)
	return append(metrics, more...), append(facts, others...), err
}
