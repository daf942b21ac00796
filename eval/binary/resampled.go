package binary

// lanes is the number of resamples that Areas processes in one pass.
const lanes = 32

// A sumsFunc computes two sums over the sorted samples of a pool for as many
// resamples: that of precision × positives, and twice the number of pairs in which
// the positive is nearer. times[scene*lanes+l] is how often resample l includes a
// scene, negatives[l] the number of its negatives.
type sumsFunc func(samples []uint32, times, negatives []float64) (precision, twice [lanes]float64)

// sums is nil if the processor has no suitable instructions.
var sums = nativeSums()

// Areas sets auc[i] and ap[i] to ROCAUC(resamples[i]) and
// AveragePrecision(resamples[i]), with the same bits.
func (p *Pool) Areas(resamples [][]uint8, auc, ap []float64) {
	if sums == nil || len(p.samples) == 0 {
		for i, times := range resamples {
			auc[i], ap[i] = p.ROCAUC(times), p.AveragePrecision(times)
		}
		return
	}
	table := make([]float64, len(p.positives)*lanes)
	for len(resamples) > 0 {
		n := min(len(resamples), lanes)
		var positives, negatives [lanes]float64
		clear(table)
		for l, times := range resamples[:n] {
			for scene, t := range times {
				table[scene*lanes+l] = float64(t)
				positives[l] += float64(t) * float64(p.positives[scene])
				negatives[l] += float64(t) * float64(p.negatives[scene])
			}
		}
		precision, twice := sums(p.samples, table, negatives[:])
		for l := range n {
			auc[l] = twice[l] / (2 * positives[l] * negatives[l]) // NaN if a class is empty
			ap[l] = precision[l] / positives[l]
		}
		resamples, auc, ap = resamples[n:], auc[n:], ap[n:]
	}
}
