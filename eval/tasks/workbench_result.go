package tasks

import (
	"fmt"
	"math"

	"descbench/eval"
	"descbench/eval/stats"
)

// What becomes in retrieval of the other keypoints of a query's scene.
const (
	CountHardNegatives  = "count"  // they are not relevant
	IgnoreHardNegatives = "ignore" // they are left out
)

// A WorkbenchAccumulator sums up the records of one descriptor, scene by scene.
// What it yields depends on the set of scenes alone, bit by bit, neither on
// their order nor on how they were split and merged. It may be used by one
// goroutine at a time.
type WorkbenchAccumulator struct {
	protocol      Workbench
	hardNegatives string
	ledger        ledger[WorkbenchRecord]
}

// NewWorkbenchAccumulator returns an accumulator without scenes. hardNegatives
// is CountHardNegatives or IgnoreHardNegatives; Add refuses others.
func NewWorkbenchAccumulator(descriptor string, protocol Workbench, hardNegatives string) *WorkbenchAccumulator {
	return &WorkbenchAccumulator{protocol, hardNegatives, newLedger[WorkbenchRecord]("workbench_tasks", descriptor)}
}

// Add adds the record of a scene. It fails, and adds nothing, if the record is
// of another descriptor, contradicts itself, or if its scene was added before.
func (a *WorkbenchAccumulator) Add(r WorkbenchRecord) error {
	if err := a.ledger.admit(r.Descriptor, r.Scene); err != nil {
		return err
	}
	if a.hardNegatives != CountHardNegatives && a.hardNegatives != IgnoreHardNegatives {
		return a.ledger.errorf(r.Scene, "hard negatives %q, want %s or %s", a.hardNegatives, CountHardNegatives, IgnoreHardNegatives)
	}
	if err := r.check(); err != nil {
		return a.ledger.errorf(r.Scene, "%w", err)
	}
	a.ledger.scenes[r.Scene] = r
	return nil
}

// check looks for contradictions.
func (r *WorkbenchRecord) check() error {
	switch {
	case min(r.TruePositives, r.HardNegatives, r.Distractors, r.RetrievalQueries, r.InvalidQueries, int64(r.PoolScenes)) < 0:
		return fmt.Errorf("negative counts in %+v", *r)
	case r.RetrievalQueries > r.Queries || r.InvalidQueries > r.Queries || r.RetrievalQueries > r.TruePositives:
		return fmt.Errorf("%d queries of which %d describe nothing and %d have %d true positives", r.Queries, r.InvalidQueries, r.RetrievalQueries, r.TruePositives)
	case (r.TruePositives > 0) != (r.VerificationAP >= 0 && r.VerificationAP <= 1), r.TruePositives == 0 && !math.IsNaN(r.VerificationAP):
		return fmt.Errorf("verification AP %v of %d true positives, want 0 to 1, or NaN without any", r.VerificationAP, r.TruePositives)
	}
	for _, sum := range []float64{r.RetrievalAPSum, r.RetrievalAPSumIgnoring} {
		if !(sum >= 0 && sum <= float64(r.RetrievalQueries)) {
			return fmt.Errorf("sum of retrieval APs %v over %d queries, want 0 to 1 for each", sum, r.RetrievalQueries)
		}
	}
	return nil
}

// Fail records that a scene could not be evaluated: its record, added before or
// later, then counts nowhere, and the task is incomplete.
func (a *WorkbenchAccumulator) Fail(scene string) { a.ledger.failed[scene] = true }

// Merge adds the scenes and failures of b, which must be of the same descriptor
// and protocol and have no scene in common with a. It fails, and adds nothing,
// if they are not. b is not modified.
func (a *WorkbenchAccumulator) Merge(b *WorkbenchAccumulator) error {
	if a.protocol != b.protocol || a.hardNegatives != b.hardNegatives {
		return fmt.Errorf("workbench_tasks: merge of figures of %+v, hard negatives %s, and %+v, %s", a.protocol, a.hardNegatives, b.protocol, b.hardNegatives)
	}
	return a.ledger.merge(&b.ledger)
}

// Result returns the figures of the scenes so far. Verification is the mean
// over scenes, retrieval that over queries with a +1, with intervals of 95 % by
// the cluster bootstrap over scenes; numbers have none, and their N counts
// queries.
func (a *WorkbenchAccumulator) Result() ([]eval.Metric, []eval.Warning) {
	l := metricList{bootstraps: stats.NewBootstraps()}
	scenes := a.ledger.evaluated()
	for _, s := range scopes(scenes) {
		a.figures(&l, s)
	}
	return l.list, append(a.ledger.incomplete(), a.warnings(scenes)...)
}

func (a *WorkbenchAccumulator) figures(l *metricList, s scope) {
	var verification, retrieval []part
	var positives, hard, distractors, queries int64
	for _, name := range s.scenes {
		r := a.ledger.scenes[name]
		if r.TruePositives > 0 {
			verification = append(verification, part{r.VerificationAP, 1})
		}
		sum := r.RetrievalAPSum
		if a.hardNegatives == IgnoreHardNegatives {
			sum = r.RetrievalAPSumIgnoring
		}
		retrieval = append(retrieval, part{sum, int(r.RetrievalQueries)})
		positives += r.TruePositives
		hard += r.HardNegatives
		distractors += r.Distractors
		queries += r.Queries
	}
	l.ratio(s.names("keypoint_verification_ap", "verification_"+s.name+"_ap"), verification)
	l.ratio(s.names("keypoint_retrieval_ap", "retrieval_"+s.name+"_ap"), retrieval)
	l.add(s.names("retrieval_num_true_positives", ""), float64(positives), noInterval, int(queries))
	l.add(s.names("retrieval_num_hard_negatives", ""), float64(hard), noInterval, int(queries))
	l.add(s.names("retrieval_num_distractors", ""), float64(distractors), noInterval, int(queries))
}

func (a *WorkbenchAccumulator) warnings(scenes []string) []eval.Warning {
	var out []eval.Warning
	warn := func(kind, format string, args ...any) {
		out = append(out, eval.Warning{Kind: kind, Text: "workbench_tasks: " + fmt.Sprintf(format, args...)})
	}
	var few, none []string
	var queries, invalid int64
	for _, name := range scenes {
		r := a.ledger.scenes[name]
		if int(r.PoolScenes) < a.protocol.DistractorScenes {
			few = append(few, fmt.Sprintf("%s (%d)", name, r.PoolScenes))
		}
		if r.TruePositives == 0 {
			none = append(none, name)
		}
		queries += r.Queries
		invalid += r.InvalidQueries
	}
	if len(few) > 0 {
		warn("few-distractors", "fewer than %d other scenes to take distractors from: %s", a.protocol.DistractorScenes, listed(few))
	}
	if len(none) > 0 {
		warn("no-positives", "no query has a ground truth; left out of every mean: %s", listed(none))
	}
	if invalid > 0 {
		warn("invalid-rows", "%d of %d queries describe nothing and are infinitely far from everything", invalid, queries)
	}
	return out
}
