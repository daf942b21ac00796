package y2017

import (
	"context"
	"math"
	"slices"
	"sort"

	"descbench/eval/binary"
	"descbench/eval/scope"
	"descbench/eval/stats"
)

// addIntervals adds 95 % intervals by the cluster bootstrap over sequences to the means over all
// sequences, if there are enough.
func (e *evaluation) addIntervals(ctx context.Context) error {
	n := len(e.in.Sequences)
	if n < fewestSequences {
		return nil
	}
	for _, t := range []Task{Matching, Retrieval} {
		metrics := e.parts[0].metrics[t].Metrics
		for i, m := range metrics {
			sums, counts := make([]float64, n), make([]float64, n)
			known := false
			for _, p := range e.parts {
				if of := find(p.metrics[t].Metrics, m.Name); p.sequence >= 0 && !math.IsNaN(of.Value) {
					items := float64(p.items[t])
					sums[p.sequence], counts[p.sequence], known = of.Value*items, items, true
				}
			}
			if !known {
				continue
			}
			v := stats.Resamples(n).Ratio(sums, counts)
			if v.High-v.Low < 1e-12 { // equal sequences, and rounding
				v.Low, v.High = m.Value, m.Value
			}
			metrics[i].Low, metrics[i].High = v.Low, v.High
		}
	}
	return e.addVerificationInterval(ctx)
}

// addVerificationInterval adds that of the mean over the cells of verification.
func (e *evaluation) addVerificationInterval(ctx context.Context) error {
	metrics := e.parts[0].metrics[Verification].Metrics
	i := slices.IndexFunc(metrics, func(m scope.Metric) bool { return m.Name == "patch_verification_mean_imbalanced_ap" })
	if i < 0 {
		return nil
	}
	n := len(e.in.Sequences)
	v, err := stats.Resamples(n).Statistic(ctx, e.opt.Workers, e.resampledVerification)
	// The histograms tie more distances than the value does, and count ties as
	// Grouped does: their deviation from the value is the interval's, too.
	shift := metrics[i].Value - e.resampledVerification(slices.Repeat([]uint8{1}, n))
	metrics[i].Low, metrics[i].High = max(0, v.Low+shift), min(1, v.High+shift)
	return err
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
