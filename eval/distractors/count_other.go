//go:build !cgo

package distractors

// count does the same as that of count_cgo.go.
func (p *positives) count(distances []float64, counts []int64, limits []int32, within []int64) {
	largest := p.largest()
	for _, d := range distances {
		b := p.beyond // also for NaN
		if d <= largest {
			b = p.bin(max(d, p.least))
		}
		at := p.starts[b/binsPerStart] + int32(p.offsets[b])
		for p.distances[at] < d {
			at++
		}
		counts[at]++
		for k, limit := range limits {
			if at <= limit {
				within[k]++
			}
		}
	}
}
