package distractors

import (
	"fmt"
	"slices"

	"descbench/eval/fact"
	"descbench/eval/scope"
)

// How retrieval treats the other keypoints of a query's scene.
const (
	CountHardNegatives  = "count"  // as not relevant
	IgnoreHardNegatives = "ignore" // left out
)

const workbenchTask = "workbench_tasks"

// A WorkbenchAccumulator computes metrics from the records of one descriptor, added
// scene by scene. Its results are bit-identical for any order of the scenes. It is
// not safe for concurrent use.
type WorkbenchAccumulator struct {
	protocol      Workbench
	hardNegatives string
	ledger        *scope.Ledger[WorkbenchRecord]
}

// NewWorkbenchAccumulator returns an accumulator without scenes. hardNegatives is
// CountHardNegatives or IgnoreHardNegatives.
func NewWorkbenchAccumulator(descriptor string, protocol Workbench, hardNegatives string) *WorkbenchAccumulator {
	return &WorkbenchAccumulator{protocol, hardNegatives, scope.NewLedger[WorkbenchRecord](descriptor)}
}

// Add adds the record of a scene. It fails, and adds nothing, if the record belongs
// to another descriptor or if its scene was added before.
func (a *WorkbenchAccumulator) Add(r WorkbenchRecord) error {
	if err := a.ledger.Enter(r.Descriptor, r.Scene, 0, r); err != nil {
		return fmt.Errorf("%s: %w", workbenchTask, err)
	}
	return nil
}

// Fail records that a scene could not be evaluated. Its record, added before or
// later, is then ignored, and a warning reports the task as incomplete.
func (a *WorkbenchAccumulator) Fail(scene string) { a.ledger.Fail(scene, "") }

// Result returns the metrics of the scenes added so far. Verification is the mean
// over scenes, retrieval the mean over queries with a +1. Their intervals are those
// of scope.List. Counts have no interval, and their N counts queries.
func (a *WorkbenchAccumulator) Result() ([]scope.Metric, []fact.Fact) {
	list := scope.NewList()
	scenes := a.ledger.Scenes()
	for _, s := range scope.Of(scenes) {
		a.figures(figures[WorkbenchRecord]{s, list})
	}
	return list.Metrics, a.facts(scenes)
}

func (a *WorkbenchAccumulator) figures(f figures[WorkbenchRecord]) {
	first := len(f.list.Metrics)
	scope.Micro(f.list, f.Name, "keypoint_verification_ap", f.Scenes, func(s scope.Scene[WorkbenchRecord]) scope.Fraction {
		if r := tallyOf(s); r.TruePositives > 0 {
			return scope.Fraction{Sum: r.VerificationAP, N: 1}
		}
		return scope.Fraction{}
	})
	scope.Micro(f.list, f.Name, "keypoint_retrieval_ap", f.Scenes, func(s scope.Scene[WorkbenchRecord]) scope.Fraction {
		r := tallyOf(s)
		switch {
		case a.alwaysPerfect(r):
			return scope.Fraction{}
		case a.hardNegatives == IgnoreHardNegatives:
			return scope.Fraction{Sum: r.RetrievalAPSumIgnoring, N: int(r.RetrievalQueries)}
		}
		return scope.Fraction{Sum: r.RetrievalAPSum, N: int(r.RetrievalQueries)}
	})
	f.alsoOfAll(first)
	var positives, hard, distractors, queries int
	for _, r := range f.Tallies() {
		positives += int(r.TruePositives)
		if a.hardNegatives == CountHardNegatives {
			hard += int(r.HardNegatives)
		}
		distractors += int(r.Distractors)
		queries += int(r.Queries)
	}
	if queries > 0 {
		f.list.Count(f.Name, "retrieval_num_true_positives", positives, queries)
		f.list.Count(f.Name, "retrieval_num_hard_negatives", hard, queries)
		f.list.Count(f.Name, "retrieval_num_distractors", distractors, queries)
	}
}

// alwaysPerfect reports whether retrieval has only relevant candidates in a scene.
func (a *WorkbenchAccumulator) alwaysPerfect(r WorkbenchRecord) bool {
	return a.hardNegatives == IgnoreHardNegatives && r.Distractors == 0
}

func (a *WorkbenchAccumulator) facts(scenes []scope.Scene[WorkbenchRecord]) []fact.Fact {
	var few, none, alone []string
	fewer := fact.New(fact.FewDistractors).Of(workbenchTask).With("want", float64(a.protocol.DistractorScenes))
	var queries, invalid int64
	for _, s := range scenes {
		r := tallyOf(s)
		if int(r.PoolScenes) < a.protocol.DistractorScenes {
			few, fewer = append(few, s.Name), fewer.With(s.Name+" others", float64(r.PoolScenes))
		}
		if r.TruePositives == 0 {
			none = append(none, s.Name)
		} else if a.alwaysPerfect(r) {
			alone = append(alone, s.Name)
		}
		queries += r.Queries
		invalid += r.InvalidQueries
	}
	out := slices.Concat(failedFacts(workbenchTask, a.ledger.Failed()),
		aboutScenes(few, fewer),
		aboutScenes(none, fact.New(fact.NoPositives).Of(workbenchTask)),
		aboutScenes(alone, fact.New(fact.NoDistractors).Of(workbenchTask).Naming("excluded", "keypoint_retrieval_ap")))
	if invalid > 0 {
		out = append(out, fact.New(fact.InvalidInTask).Of(workbenchTask).Counting(int(invalid), int(queries)))
	}
	return out
}
