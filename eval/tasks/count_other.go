//go:build !cgo

package tasks

// Both functions do the same as those of count_cgo.go.

func (p *positives) count(distances []float64, counts []int64) {
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
	}
}

func countAtMost(distances, limits []float64, counts []int64) {
	for i, limit := range limits {
		for _, d := range distances {
			if d <= limit {
				counts[i]++
			}
		}
	}
}
