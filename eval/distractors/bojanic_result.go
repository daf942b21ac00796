package distractors

import (
	"context"
	"math"
	"slices"

	"descbench/eval/binary"
	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/stats"
)

// result returns the metrics of scenes. Each is the mean over the
// repetitions in which it is defined. Within a repetition, matching is the mean over
// pairs with a correct match, retrieval is the mean over queries, and verification
// is the AP of all labelled matches, pooled. N counts pairs, queries or labelled
// matches over all repetitions. The standard deviation over the repetitions has the
// suffix _std.
func (b Bojanic) result(ctx context.Context, jobs int, ledger *scope.Ledger[[]bojanicTally], failed []string) ([]scope.Metric, []fact.Fact, error) {
	list := &scope.List{}
	scenes := ledger.Scenes()
	for _, s := range scope.Of(scenes) {
		f := bojanicFigures{figures[[]bojanicTally]{s, list}, b.Repetitions, jobs}
		if err := f.add(ctx); err != nil {
			return nil, nil, err
		}
	}
	return list.Metrics, slices.Concat(failedFacts(bojanicTask, failed), b.facts(scenes)), nil
}

func (b Bojanic) facts(scenes []scope.Scene[[]bojanicTally]) []fact.Fact {
	var few, alone []string
	want, queries, invalid := max(b.N, 1), 0, 0
	fewer := fact.New(fact.FewReference).Of(bojanicTask).With("want", float64(want))
	for _, s := range scenes {
		first := tallyOf(s)[0] // all repetitions have equally many keypoints
		if first.queries < want {
			few, fewer = append(few, s.Name), fewer.With(s.Name+" keypoints", float64(first.queries))
		}
		if !first.elsewhere && first.invalid < first.queries {
			alone = append(alone, s.Name)
		}
		for _, t := range tallyOf(s) {
			queries += t.queries
			invalid += t.invalid
		}
	}
	out := slices.Concat(aboutScenes(few, fewer),
		aboutScenes(alone, fact.New(fact.NoDistractors).Of(bojanicTask)))
	if invalid > 0 {
		out = append(out, fact.New(fact.InvalidInTask).Of(bojanicTask).Counting(invalid, queries))
	}
	return out
}

// bojanicFigures adds metrics that are means over repetitions.
type bojanicFigures struct {
	figures[[]bojanicTally]
	rounds, jobs int
}

func (f bojanicFigures) add(ctx context.Context) error {
	first := len(f.list.Metrics)
	if err := f.means(ctx, "bojanic_matching_map", func(t bojanicTally) scope.Fraction { return t.matching }); err != nil {
		return err
	}
	if err := f.verification(ctx); err != nil {
		return err
	}
	if err := f.means(ctx, "bojanic_retrieval_map", func(t bojanicTally) scope.Fraction { return t.retrieval }); err != nil {
		return err
	}
	f.alsoOfAll(first)
	return nil
}

// means adds a metric that is Σ Sum / Σ N over the scenes.
func (f bojanicFigures) means(ctx context.Context, name string, of func(bojanicTally) scope.Fraction) error {
	if f.rounds == 1 { // no standard deviation, and the interval of a ratio
		scope.Micro(f.list, f.Name, name, f.Scenes, func(s scope.Scene[[]bojanicTally]) scope.Fraction { return of(tallyOf(s)[0]) })
		return nil
	}
	n := 0
	var parts [][]scope.Fraction // by scene with items, by repetition
	for _, tallies := range f.Tallies() {
		var own []scope.Fraction
		total := 0
		for _, t := range tallies {
			own = append(own, of(t))
			total += of(t).N
		}
		if total > 0 {
			parts = append(parts, own)
			n += total
		}
	}
	return f.overRounds(ctx, name, n, len(parts), func(round int, resamples [][]uint8, figures []float64) {
		for r, times := range resamples {
			sum, n := 0.0, 0.0
			for i, own := range parts {
				sum += float64(float64(times[i]) * own[round].Sum)
				n += float64(float64(times[i]) * float64(own[round].N))
			}
			figures[r] = sum / n
		}
	})
}

// verification adds the AP of the labelled matches of all scenes, pooled.
func (f bojanicFigures) verification(ctx context.Context) error {
	n := 0
	resamplers := make([]*binary.Resampler, f.rounds)
	for round := range resamplers {
		var curves []*binary.Curve
		for _, tallies := range f.Tallies() {
			curves = append(curves, tallies[round].labelled)
			positives, negatives := tallies[round].labelled.Len()
			n += int(positives + negatives)
		}
		_, resamplers[round] = binary.Merge(curves)
	}
	return f.overRounds(ctx, "bojanic_verification_ap", n, len(f.Scenes), func(round int, resamples [][]uint8, figures []float64) {
		resamplers[round].Areas(resamples, make([]float64, len(resamples)), figures)
	})
}

// overRounds adds the mean of a metric over the repetitions and its standard
// deviation. of computes the metric of a repetition for each resample, which takes scene
// i resample[i] times.
func (f bojanicFigures) overRounds(ctx context.Context, name string, n, scenes int, of func(round int, resamples [][]uint8, figures []float64)) error {
	defined := func(resamples [][]uint8) [][]float64 { // by resample
		out, figures := make([][]float64, len(resamples)), make([]float64, len(resamples))
		for round := range f.rounds {
			of(round, resamples, figures)
			for r, v := range figures {
				if !math.IsNaN(v) {
					out[r] = append(out[r], v)
				}
			}
		}
		return out
	}
	rounds := defined([][]uint8{slices.Repeat([]uint8{1}, scenes)})[0]
	if len(rounds) == 0 {
		return ctx.Err()
	}
	intervals, err := stats.Resamples(scenes).Statistics(ctx, f.jobs, 1, func(batch [][]uint8, means [][]float64) {
		for r, values := range defined(batch) {
			means[0][r] = stats.Mean(values)
		}
	})
	if err != nil {
		return err
	}
	f.list.Add(f.Name, name, stats.Mean(rounds), n, intervals[0])
	if len(rounds) > 1 {
		f.list.Add(f.Name, name+"_std", stats.Deviation(rounds), len(rounds), stats.NoInterval())
	}
	return nil
}
