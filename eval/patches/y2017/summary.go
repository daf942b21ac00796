package y2017

import (
	"context"
	"math"
	"slices"
	"sort"

	"descbench/eval/binary"
	"descbench/eval/patches"
	"descbench/eval/scope"
	"descbench/eval/stats"
)

// A Summary holds one value per task over all sequences, as the figures of HPatches
// do: verification over six cells, matching over noise levels, and retrieval over noise
// levels and the seven pool sizes. Tasks that were not run are nil.
type Summary struct {
	Verification *Estimate
	Matching     *Estimate
	Retrieval    *Estimate
}

// An Estimate is a mean average precision with its 95 % interval by the cluster
// bootstrap over sequences, which is NaN below fewestSequences.
type Estimate struct {
	Value Share
	stats.Interval
}

// ByNoise returns the means at each noise level of a task that was run. Their mean is in the
// Summary.
func (r *Figures) ByNoise(t Task) []float64 {
	means := make([]float64, len(Noises()))
	for n := range means {
		switch t {
		case Verification:
			means[n] = float64(r.Verification.noise(n).mean().ImbalancedAP)
		case Matching:
			means[n] = float64(r.Matching.MAP.noises()[n])
		case Retrieval:
			for _, size := range PoolSizes() {
				means[n] += float64(r.Retrieval.MAP.at(size).noises()[n])
			}
			means[n] /= float64(len(PoolSizes()))
		}
	}
	return means
}

// HasIntervals reports whether the estimates of the summary have intervals.
func (r *Result) HasIntervals() bool { return len(r.Sequences) >= fewestSequences }

// fewestSequences is the smallest number of sequences with an interval.
const fewestSequences = 5

// summarise sets the summary of the result, whose metrics are complete.
func (e *evaluation) summarise(ctx context.Context) error {
	r := e.result
	r.intervals = r.meanIntervals()
	estimate := func(value Share, metric string) *Estimate {
		if v, ok := r.intervals[metric]; ok {
			return &Estimate{value, v}
		}
		return &Estimate{value, stats.NoInterval()}
	}
	if r.Matching != nil {
		r.Summary.Matching = estimate(r.Matching.MAP.Mean, "patch_matching_map_mean")
	}
	if r.Retrieval != nil {
		r.Summary.Retrieval = estimate(r.Retrieval.meanOfPools(), "patch_retrieval_mean_map")
	}
	if r.VerificationMean != nil {
		v := &Estimate{r.VerificationMean.ImbalancedAP, stats.NoInterval()}
		r.Summary.Verification = v
		if r.HasIntervals() {
			var err error
			if v.Interval, err = stats.Resamples(len(r.Sequences)).Statistic(ctx, patches.Workers(e.opt.Workers), e.resampledVerification); err != nil {
				return err
			}
			// The histograms tie more distances than the value does, and count ties as
			// Grouped does: their deviation from the value is the interval's, too.
			shift := float64(v.Value) - e.resampledVerification(slices.Repeat([]uint8{1}, len(r.Sequences)))
			v.Low, v.High = max(0, v.Low+shift), min(1, v.High+shift)
			r.intervals["patch_verification_mean_imbalanced_ap"] = v.Interval
		}
	}
	return nil
}

// meanIntervals returns the intervals of the means over image pairs and queries, by metric.
func (r *Result) meanIntervals() map[string]stats.Interval {
	intervals := make(map[string]stats.Interval)
	if !r.HasIntervals() {
		return intervals
	}
	type mean struct{ sums, counts []float64 } // by sequence
	means := make(map[string]mean)
	add := func(i, n int, of Figures) {
		for _, m := range of.metrics("") {
			if means[m.Name].sums == nil {
				means[m.Name] = mean{make([]float64, len(r.Sequences)), make([]float64, len(r.Sequences))}
			}
			means[m.Name].sums[i], means[m.Name].counts[i] = m.Value*float64(n), float64(n)
		}
	}
	for i, s := range r.Sequences {
		if m := s.Matching; m != nil {
			add(i, len(m.Pairs), Figures{Matching: m})
		}
		if q := s.Retrieval; q != nil {
			add(i, len(q.Queries), Figures{Retrieval: q})
		}
	}
	for _, m := range r.Figures.metrics(scope.All) {
		if of, ok := means[m.Name]; ok {
			v := stats.Resamples(len(r.Sequences)).Ratio(of.sums, of.counts)
			if v.High-v.Low < 1e-12 { // equal sequences, and rounding
				v.Low, v.High = m.Value, m.Value
			}
			intervals[m.Name] = v
		}
	}
	return intervals
}

// meanOfPools returns the mean over the pool sizes, each once.
func (r *RetrievalFigures) meanOfPools() Share {
	sum := Share(0)
	for _, size := range PoolSizes() {
		sum += r.MAP.Mean[size]
	}
	return sum / Share(len(PoolSizes()))
}

// A histogram counts the imbalanced pairs of a cell by distance, for each sequence.
// Bin i ends with edge i. The last one has the infinite distances, of pairs that are never
// retrieved. The pairs of a bin count as ties. Only intervals depend on it.
type histogram struct {
	edges                []float64
	positives, negatives [][]int64 // by sequence, by bin
}

// verificationBins is the largest number of edges of a histogram.
const verificationBins = 256

// newHistogram returns an empty histogram whose edges divide a regular sample of the
// distances evenly.
func newHistogram(sequences int, lists ...[]float64) *histogram {
	const sample = 1 << 13
	var some []float64
	for _, list := range lists {
		for i := 0; i < len(list); i += max(1, len(list)/sample) {
			some = append(some, list[i])
		}
	}
	slices.Sort(some)
	some = some[:sort.SearchFloat64s(some, math.Inf(1))]
	h := &histogram{positives: make([][]int64, sequences), negatives: make([][]int64, sequences)}
	for i := range min(verificationBins, len(some)) {
		h.edges = append(h.edges, some[i*len(some)/min(verificationBins, len(some))])
	}
	h.edges = append(slices.Compact(h.edges), math.MaxFloat64)
	return h
}

// count returns the numbers of ascending distances by bin.
func (h *histogram) count(ascending []float64) []int64 {
	counts := make([]int64, len(h.edges)+1)
	before := 0
	for i, edge := range h.edges {
		upto := before + sort.Search(len(ascending)-before, func(k int) bool { return ascending[before+k] > edge })
		counts[i], before = int64(upto-before), upto
	}
	counts[len(h.edges)] = int64(len(ascending) - before)
	return counts
}

// averagePrecision returns it with sequence i taken times[i] times.
func (h *histogram) averagePrecision(times []uint8) float64 {
	var steps binary.GroupedPrecision
	all := int64(0)
	for bin := range len(h.edges) + 1 {
		var positives, negatives int64
		for i, n := range times {
			positives += int64(n) * h.positives[i][bin]
			negatives += int64(n) * h.negatives[i][bin]
		}
		if all += positives; bin < len(h.edges) {
			steps.Add(positives, negatives)
		}
	}
	if all == 0 {
		return math.NaN()
	}
	return steps.Sum() / float64(all)
}

// resampledVerification returns the mean over the six cells with sequence i taken
// times[i] times.
func (e *evaluation) resampledVerification(times []uint8) float64 {
	sum := 0.0
	for _, h := range e.histograms {
		sum += h.averagePrecision(times)
	}
	return sum / float64(len(e.histograms))
}
