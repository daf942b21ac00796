package tasks

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"descbench/eval"
	"descbench/eval/stats"
)

// A part is a scene's part in a figure: a sum over n things.
type part struct {
	scene string
	sum   float64
	n     int
}

// parted is what a figure is made of, scenes in order.
type parted []part

// in returns the parts of a category; all of them for "".
func (p parted) in(category string) parted {
	if category == "" {
		return p
	}
	return slices.DeleteFunc(slices.Clone(p), func(x part) bool { return eval.Category(x.scene) != category })
}

// A metricList collects metrics in order.
type metricList struct {
	list       []eval.Metric
	bootstraps *stats.Bootstraps
}

func (l *metricList) add(scope, name string, value float64, interval stats.Interval, n int) {
	if n > 0 && !math.IsNaN(value) {
		l.list = append(l.list, eval.Metric{Scope: scope, Name: name, Value: value, Low: interval.Low, High: interval.High, N: n})
	}
}

// micro adds Σ sums / Σ numbers, with its interval over the scenes that have
// any.
func (l *metricList) micro(scope, name string, parts parted) {
	var sums, numbers []float64
	sum, n := 0.0, 0
	for _, p := range parts {
		if p.n > 0 {
			sum += p.sum
			n += p.n
			sums = append(sums, p.sum)
			numbers = append(numbers, float64(p.n))
		}
	}
	l.add(scope, name, sum/float64(n), l.bootstraps.Of(len(sums)).Ratio(sums, numbers), n)
}

// total adds a count. It has no interval.
func (l *metricList) total(scope, name string, count int64, n int) {
	l.add(scope, name, float64(count), stats.Interval{Low: math.NaN(), High: math.NaN()}, n)
}

// categories returns those that scenes are of, in order.
func (p parted) categories() []string {
	var out []string
	for _, c := range []string{eval.Viewpoint, eval.Illumination, eval.Other} {
		if len(p.in(c)) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// WorkbenchResult returns the figures of one descriptor from the records of its
// scenes, in any order. relevance is "count", where other keypoints of a
// query's scene are not relevant in retrieval, or "ignore", where they are left
// out.
//
// Verification is the mean over scenes, retrieval that over queries; intervals
// are of 95 % by the cluster bootstrap over scenes.
func WorkbenchResult(records []WorkbenchRecord, protocol Workbench, relevance string) ([]eval.Metric, []eval.Warning) {
	records = slices.SortedFunc(slices.Values(records), func(a, b WorkbenchRecord) int { return cmp.Compare(a.Scene, b.Scene) })
	var verification, retrieval, counts parted
	fewer := 0
	total := map[string][3]int64{}
	for _, r := range records {
		v := part{scene: r.Scene}
		if !math.IsNaN(r.VerificationAP) {
			v.sum, v.n = r.VerificationAP, 1
		}
		verification = append(verification, v)
		sum := r.RetrievalAPSum
		if relevance == "ignore" {
			sum = r.RetrievalAPSumIgnoring
		}
		retrieval = append(retrieval, part{r.Scene, sum, int(r.RetrievalQueries)})
		counts = append(counts, part{scene: r.Scene, n: int(r.Queries)})
		if int(r.PoolScenes) < protocol.DistractorScenes {
			fewer++
		}
		for _, scope := range []string{"all", eval.Category(r.Scene), "scene:" + r.Scene} {
			t := total[scope]
			total[scope] = [3]int64{t[0] + r.TruePositives, t[1] + r.HardNegatives, t[2] + r.Distractors}
		}
	}
	l := metricList{bootstraps: stats.NewBootstraps()}
	numbers := func(scope string, queries parted) {
		n := 0
		for _, p := range queries {
			n += p.n
		}
		l.total(scope, "retrieval_num_true_positives", total[scope][0], n)
		l.total(scope, "retrieval_num_hard_negatives", total[scope][1], n)
		l.total(scope, "retrieval_num_distractors", total[scope][2], n)
	}
	l.micro("all", "keypoint_verification_ap", verification)
	l.micro("all", "verification_viewpoint_ap", verification.in(eval.Viewpoint))
	l.micro("all", "verification_illumination_ap", verification.in(eval.Illumination))
	l.micro("all", "keypoint_retrieval_ap", retrieval)
	l.micro("all", "retrieval_viewpoint_ap", retrieval.in(eval.Viewpoint))
	l.micro("all", "retrieval_illumination_ap", retrieval.in(eval.Illumination))
	numbers("all", counts)
	for _, c := range verification.categories() {
		l.micro(c, "keypoint_verification_ap", verification.in(c))
		l.micro(c, "keypoint_retrieval_ap", retrieval.in(c))
		numbers(c, counts.in(c))
	}
	for i, r := range records {
		scope := "scene:" + r.Scene
		l.micro(scope, "keypoint_verification_ap", verification[i:i+1])
		l.micro(scope, "keypoint_retrieval_ap", retrieval[i:i+1])
		numbers(scope, counts[i:i+1])
	}
	var warnings []eval.Warning
	if fewer > 0 {
		warnings = append(warnings, eval.Warning{Kind: "few-distractors", Text: fmt.Sprintf(
			"workbench_tasks: %d of %d scenes found fewer than %d other scenes to take distractors from", fewer, len(records), protocol.DistractorScenes)})
	}
	return l.list, warnings
}
