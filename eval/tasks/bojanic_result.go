package tasks

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"runtime"
	"slices"

	"descbench/eval"
	"descbench/eval/binary"
	"descbench/eval/stats"
)

// A BojanicAccumulator sums up the records of one descriptor, scene by scene.
// What it yields does not depend on their order.
type BojanicAccumulator struct {
	protocol Bojanic
	scenes   map[string][]bojanicTally // by repetition
}

// A bojanicTally is one scene in one repetition.
type bojanicTally struct {
	matching  part // APs of pairs that have a correct match
	retrieval part // APs of queries
	labelled  *binary.Samples
	queries   map[int32]bool
}

// NewBojanicAccumulator returns an accumulator without scenes.
func NewBojanicAccumulator(protocol Bojanic) *BojanicAccumulator {
	return &BojanicAccumulator{protocol, make(map[string][]bojanicTally)}
}

// Add adds the records of one scene, which it does not keep. A scene without a
// keypoint that every target shows has none.
func (a *BojanicAccumulator) Add(scene string, records []BojanicRecord) error {
	if a.scenes[scene] != nil {
		return fmt.Errorf("bojanic_2019: %s: added twice", scene)
	}
	tallies := make([]bojanicTally, a.protocol.Rounds())
	type pair struct{ repetition, k int32 }
	right, wrong := make(map[pair][]float64), make(map[pair][]float64)
	for i := range tallies {
		tallies[i] = bojanicTally{matching: part{scene: scene}, retrieval: part{scene: scene}, labelled: &binary.Samples{}, queries: make(map[int32]bool)}
	}
	for _, r := range records {
		if r.Scene != scene || r.Repetition < 0 || int(r.Repetition) >= len(tallies) {
			return fmt.Errorf("bojanic_2019: record of scene %s, repetition %d, want %s and fewer than %d", r.Scene, r.Repetition, scene, len(tallies))
		}
		t := &tallies[r.Repetition]
		t.queries[r.Row] = true
		switch {
		case r.K == kRetrieval:
			t.retrieval.sum += r.AP
			t.retrieval.n++
			continue
		case r.K > kOther && r.Correct:
			right[pair{r.Repetition, r.K}] = append(right[pair{r.Repetition, r.K}], r.Distance)
		case r.K > kOther:
			wrong[pair{r.Repetition, r.K}] = append(wrong[pair{r.Repetition, r.K}], r.Distance)
		}
		t.labelled.Add(r.K > kOther && r.Correct, r.Distance)
	}
	for _, p := range slices.SortedFunc(maps.Keys(right), func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.repetition, b.repetition), cmp.Compare(a.k, b.k))
	}) {
		t := &tallies[p.repetition].matching
		t.sum += averagePrecision(right[p], wrong[p])
		t.n++
	}
	a.scenes[scene] = tallies
	return nil
}

// Result returns the figures: each the mean over the repetitions of what is
// mean over pairs that have a correct match (matching), over queries
// (retrieval), or the AP of all labelled matches together (verification); with
// the standard deviation over the repetitions under the name …_std, and an
// interval of 95 % by the cluster bootstrap over scenes. The error is that of
// the context.
func (a *BojanicAccumulator) Result(ctx context.Context) ([]eval.Metric, []eval.Warning, error) {
	scenes := slices.Sorted(maps.Keys(a.scenes))
	l := &bojanicList{metricList: metricList{bootstraps: stats.NewBootstraps()}, rounds: a.protocol.Rounds()}
	in := func(category string) [][]bojanicTally {
		var out [][]bojanicTally
		for _, s := range scenes {
			if category == "" || eval.Category(s) == category {
				out = append(out, a.scenes[s])
			}
		}
		return out
	}
	all := in("")
	for _, x := range []struct{ scope, infix, category string }{
		{"all", "", ""},
		{"all", "viewpoint_", eval.Viewpoint}, {"all", "illumination_", eval.Illumination},
		{eval.Viewpoint, "", eval.Viewpoint}, {eval.Illumination, "", eval.Illumination}, {eval.Other, "", eval.Other},
	} {
		if err := l.figures(ctx, x.scope, x.infix, in(x.category)); err != nil {
			return nil, nil, err
		}
	}
	for i, s := range scenes {
		if err := l.figures(ctx, "scene:"+s, "", all[i:i+1]); err != nil {
			return nil, nil, err
		}
	}
	var warnings []eval.Warning
	var few []string
	for i, s := range scenes {
		if n := len(all[i][0].queries); n < max(a.protocol.N, 1) {
			few = append(few, fmt.Sprintf("%s (%d)", s, n))
		}
	}
	if len(few) > 0 {
		warnings = append(warnings, eval.Warning{Kind: "few-keypoints", Text: fmt.Sprintf(
			"bojanic_2019: fewer than %d reference keypoints stay inside every target: %s", max(a.protocol.N, 1), joined(few))})
	}
	return l.list, warnings, nil
}

// joined lists at most five things.
func joined(list []string) string {
	text := ""
	for i, s := range list {
		if i == 5 {
			return text + fmt.Sprintf(" and %d more", len(list)-i)
		}
		if i > 0 {
			text += ", "
		}
		text += s
	}
	return text
}

type bojanicList struct {
	metricList
	rounds int
}

// figures adds the figures of some scenes.
func (l *bojanicList) figures(ctx context.Context, scope, infix string, scenes [][]bojanicTally) error {
	if len(scenes) == 0 {
		return nil
	}
	mean := func(of func(bojanicTally) part) (func(repetition int, times []int32) float64, int) {
		n := 0
		for _, tallies := range scenes {
			for _, t := range tallies {
				n += of(t).n
			}
		}
		return func(repetition int, times []int32) float64 {
			sum, n := 0.0, 0.0
			for i, tallies := range scenes {
				p := of(tallies[repetition])
				sum += float64(float64(times[i]) * p.sum)
				n += float64(float64(times[i]) * float64(p.n))
			}
			return sum / n
		}, n / l.rounds
	}
	matching, pairs := mean(func(t bojanicTally) part { return t.matching })
	if err := l.overRounds(ctx, scope, "bojanic_matching_"+infix+"map", matching, pairs, len(scenes)); err != nil {
		return err
	}
	pools := make([]*binary.Pool, l.rounds)
	labelled := 0
	for r := range pools {
		curves := make([]*binary.Curve, len(scenes))
		for i, tallies := range scenes {
			var copied binary.Samples // Curve empties what it sorts
			copied.Merge(tallies[r].labelled)
			positives, negatives := copied.Len()
			labelled += positives + negatives
			var err error
			if curves[i], err = copied.Curve(); err != nil {
				return err
			}
		}
		pools[r] = binary.NewPool(curves)
	}
	verification := func(repetition int, times []int32) float64 { return pools[repetition].AveragePrecision(times) }
	if err := l.overRounds(ctx, scope, "bojanic_verification_"+infix+"ap", verification, labelled/l.rounds, len(scenes)); err != nil {
		return err
	}
	retrieval, queries := mean(func(t bojanicTally) part { return t.retrieval })
	return l.overRounds(ctx, scope, "bojanic_retrieval_"+infix+"map", retrieval, queries, len(scenes))
}

// overRounds adds the mean of a figure over the repetitions, and its standard
// deviation.
func (l *bojanicList) overRounds(ctx context.Context, scope, name string, figure func(repetition int, times []int32) float64, n, scenes int) error {
	rounds := func(times []int32) []float64 {
		var values []float64
		for r := range l.rounds {
			if v := figure(r, times); !math.IsNaN(v) {
				values = append(values, v)
			}
		}
		return values
	}
	once := make([]int32, scenes)
	for i := range once {
		once[i] = 1
	}
	values := rounds(once)
	interval, err := l.bootstraps.Of(scenes).Statistic(ctx, runtime.GOMAXPROCS(0), func(times []int32) float64 { return meanOf(rounds(times)) })
	if err != nil {
		return err
	}
	l.add(scope, name, meanOf(values), interval, n)
	if len(values) > 1 {
		l.add(scope, name+"_std", deviation(values), stats.Interval{Low: math.NaN(), High: math.NaN()}, len(values))
	}
	return nil
}

func meanOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// deviation returns the standard deviation of a sample.
func deviation(values []float64) float64 {
	mean, sum := meanOf(values), 0.0
	for _, v := range values {
		sum += float64((v - mean) * (v - mean))
	}
	return math.Sqrt(sum / float64(len(values)-1))
}
