package tasks

import (
	"context"
	"fmt"
	"math"

	"descbench/eval"
	"descbench/eval/binary"
	"descbench/eval/stats"
)

// Result returns the figures of the scenes so far, each the mean over the
// repetitions in which it is defined: over pairs that have a correct match
// (matching), over queries (retrieval), or the AP of all labelled matches
// together (verification). N counts pairs, queries or labelled matches over all
// repetitions. The standard deviation over the repetitions stands beside it
// under the name …_std. Intervals are of 95 % by the cluster bootstrap over
// scenes, which up to jobs goroutines draw. The error is that of the context.
func (a *BojanicAccumulator) Result(ctx context.Context, jobs int) ([]eval.Metric, []eval.Warning, error) {
	l := &bojanicList{metricList: metricList{bootstraps: stats.NewBootstraps()}, rounds: a.protocol.Rounds(), jobs: jobs}
	scenes := a.ledger.evaluated()
	for _, s := range scopes(scenes) {
		var tallies [][]bojanicTally
		for _, name := range s.scenes {
			tallies = append(tallies, a.ledger.scenes[name])
		}
		if err := l.figures(ctx, s, tallies); err != nil {
			return nil, nil, err
		}
	}
	return l.list, append(a.ledger.incomplete(), a.warnings(scenes)...), nil
}

func (a *BojanicAccumulator) warnings(scenes []string) []eval.Warning {
	var out []eval.Warning
	warn := func(kind, format string, args ...any) {
		out = append(out, eval.Warning{Kind: kind, Text: "bojanic_2019: " + fmt.Sprintf(format, args...)})
	}
	var few, alone []string
	want, queries, invalid := max(a.protocol.N, 1), 0, 0
	for _, name := range scenes {
		first := a.ledger.scenes[name][0] // all repetitions have as many keypoints
		if first.queries < want {
			few = append(few, fmt.Sprintf("%s (%d)", name, first.queries))
		}
		if first.queries > 0 && !first.elsewhere && first.invalid < first.queries {
			alone = append(alone, name)
		}
		for _, t := range a.ledger.scenes[name] {
			queries += t.queries
			invalid += t.invalid
		}
	}
	if len(few) > 0 {
		warn("few-keypoints", "fewer than %d reference keypoints stay inside every target: %s", want, listed(few))
	}
	if len(alone) > 0 {
		warn("few-distractors", "no other scene to take negatives from, so that retrieval is perfect: %s", listed(alone))
	}
	if invalid > 0 {
		warn("invalid-rows", "%d of %d reference keypoints describe nothing and have no match", invalid, queries)
	}
	return out
}

// A bojanicList collects figures that are means over repetitions.
type bojanicList struct {
	metricList
	rounds, jobs int
}

// figures adds the figures of a scope, whose scenes these are.
func (l *bojanicList) figures(ctx context.Context, s scope, scenes [][]bojanicTally) error {
	if err := l.means(ctx, s, "matching", "map", scenes, func(t bojanicTally) part { return t.matching }); err != nil {
		return err
	}
	if err := l.verification(ctx, s, scenes); err != nil {
		return err
	}
	return l.means(ctx, s, "retrieval", "map", scenes, func(t bojanicTally) part { return t.retrieval })
}

// means adds a figure that is Σ sums / Σ numbers over the scenes.
func (l *bojanicList) means(ctx context.Context, s scope, task, figure string, scenes [][]bojanicTally, of func(bojanicTally) part) error {
	if l.rounds == 1 { // no spread, and the interval of a plain ratio
		var parts []part
		for _, tallies := range scenes {
			parts = append(parts, of(tallies[0]))
		}
		l.ratio(s.names(bojanicNames(task, s.name, figure)), parts)
		return nil
	}
	n := 0
	var parts [][]part // by scene that has a part, by repetition
	for _, tallies := range scenes {
		var own []part
		total := 0
		for _, t := range tallies {
			own = append(own, of(t))
			total += of(t).n
		}
		if total > 0 {
			parts = append(parts, own)
			n += total
		}
	}
	return l.overRounds(ctx, s, task, figure, n, len(parts), func(round int, times []int32) float64 {
		sum, n := 0.0, 0.0
		for i, own := range parts {
			sum += float64(float64(times[i]) * own[round].sum)
			n += float64(float64(times[i]) * float64(own[round].n))
		}
		return sum / n
	})
}

// verification adds the AP of the labelled matches of all scenes together.
func (l *bojanicList) verification(ctx context.Context, s scope, scenes [][]bojanicTally) error {
	pools := make([]*binary.Pool, l.rounds)
	for round := range pools {
		var curves []*binary.Curve
		for _, tallies := range scenes {
			curves = append(curves, tallies[round].labelled)
		}
		pools[round] = binary.NewPool(curves)
	}
	n := 0
	for _, tallies := range scenes {
		for _, t := range tallies {
			positives, negatives := t.labelled.Len()
			n += int(positives + negatives)
		}
	}
	return l.overRounds(ctx, s, "verification", "ap", n, len(scenes), func(round int, times []int32) float64 {
		return pools[round].AveragePrecision(times)
	})
}

// overRounds adds the mean of a figure over the repetitions, and its standard
// deviation. The figure gets how often each of its scenes is taken.
func (l *bojanicList) overRounds(ctx context.Context, s scope, task, figure string, n, scenes int, of func(round int, times []int32) float64) error {
	values := func(times []int32) []float64 {
		var out []float64
		for round := range l.rounds {
			if v := of(round, times); !math.IsNaN(v) {
				out = append(out, v)
			}
		}
		return out
	}
	once := make([]int32, scenes)
	for i := range once {
		once[i] = 1
	}
	rounds := values(once)
	if len(rounds) == 0 {
		return ctx.Err()
	}
	interval, err := l.bootstraps.Of(scenes).Statistic(ctx, l.jobs, func(times []int32) float64 { return meanOf(values(times)) })
	if err != nil {
		return err
	}
	name, ofCategory := bojanicNames(task, s.name, figure)
	l.add(s.names(name, ofCategory), meanOf(rounds), interval, n)
	if len(rounds) > 1 {
		l.add(s.names(name+"_std", ofCategory+"_std"), deviation(rounds), noInterval, len(rounds))
	}
	return nil
}

// bojanicNames returns the name of a figure, and the one it has if it is a
// category's.
func bojanicNames(task, category, figure string) (name, ofCategory string) {
	return "bojanic_" + task + "_" + figure, "bojanic_" + task + "_" + category + "_" + figure
}

// meanOf returns the mean; NaN of nothing.
func meanOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// deviation returns the standard deviation of a sample of two or more.
func deviation(values []float64) float64 {
	mean, sum := meanOf(values), 0.0
	for _, v := range values {
		sum += float64((v - mean) * (v - mean))
	}
	return math.Sqrt(sum / float64(len(values)-1))
}
