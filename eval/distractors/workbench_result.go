package distractors

import (
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

// result returns the metrics of scenes. Verification is the mean
// over scenes, retrieval the mean over queries with a +1. Counts have no interval, and their N counts queries.
func (w Workbench) result(ledger *scope.Ledger[WorkbenchRecord], failed []string) ([]scope.Metric, []fact.Fact) {
	list := &scope.List{}
	scenes := ledger.Scenes()
	for _, s := range scope.Of(scenes) {
		w.figures(figures[WorkbenchRecord]{s, list})
	}
	return list.Metrics, slices.Concat(failedFacts(workbenchTask, failed), w.facts(scenes))
}

func (w Workbench) figures(f figures[WorkbenchRecord]) {
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
		case w.alwaysPerfect(r):
			return scope.Fraction{}
		case w.HardNegatives == IgnoreHardNegatives:
			return scope.Fraction{Sum: r.RetrievalAPSumIgnoring, N: int(r.RetrievalQueries)}
		}
		return scope.Fraction{Sum: r.RetrievalAPSum, N: int(r.RetrievalQueries)}
	})
	f.alsoOfAll(first)
	var positives, hard, distractors, queries int
	for _, r := range f.Tallies() {
		positives += int(r.TruePositives)
		if w.HardNegatives == CountHardNegatives {
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
func (w Workbench) alwaysPerfect(r WorkbenchRecord) bool {
	return w.HardNegatives == IgnoreHardNegatives && r.Distractors == 0
}

func (w Workbench) facts(scenes []scope.Scene[WorkbenchRecord]) []fact.Fact {
	var few, none, alone []string
	fewer := fact.New(fact.FewDistractors).Of(workbenchTask).With("want", float64(w.DistractorScenes))
	var queries, invalid int64
	for _, s := range scenes {
		r := tallyOf(s)
		if int(r.PoolScenes) < w.DistractorScenes {
			few, fewer = append(few, s.Name), fewer.With(s.Name+" others", float64(r.PoolScenes))
		}
		if r.TruePositives == 0 {
			none = append(none, s.Name)
		} else if w.alwaysPerfect(r) {
			alone = append(alone, s.Name)
		}
		queries += r.Queries
		invalid += r.InvalidQueries
	}
	out := slices.Concat(aboutScenes(few, fewer),
		aboutScenes(none, fact.New(fact.NoPositives).Of(workbenchTask)),
		aboutScenes(alone, fact.New(fact.NoDistractors).Of(workbenchTask).Naming("excluded", "keypoint_retrieval_ap")))
	if invalid > 0 {
		out = append(out, fact.New(fact.InvalidInTask).Of(workbenchTask).Counting(int(invalid), int(queries)))
	}
	return out
}
