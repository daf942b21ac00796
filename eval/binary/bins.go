package binary

import (
	"fmt"
	"math"
)

// Bins count samples at given edges and between them, so that the number of samples
// does not matter: 16 bytes per bin. A confusion matrix at a threshold that is an edge
// is exact. If every distance of a positive is an edge, so are all areas under curves
// and all operating points but that of equal error rates, because curves change in a
// straight line between two positives.
type Bins struct {
	edges *Edges
	// By bin. Bin 2i+1 is edge i, bin 2i all distances below it and above edge i-1.
	positives, negatives []int64
	most                 float64 // the largest distance above the last edge
	undefined            int64   // samples left out
}

// NewBins returns empty bins.
func NewBins(edges *Edges) *Bins {
	n := 2*edges.Len() + 1
	return &Bins{edges: edges, positives: make([]int64, n), negatives: make([]int64, n), most: math.Inf(-1)}
}

// Add adds one sample for each distance. Those in the list of indices are positives,
// the others negatives. It leaves out NaN, which are the distances of invalid rows.
func (b *Bins) Add(distances []float64, positives []int32) {
	for _, d := range distances {
		if d != d {
			b.undefined++
			continue
		}
		bin := b.edges.bin(d)
		b.negatives[bin]++
		if bin == len(b.negatives)-1 && d > b.most {
			b.most = d
		}
	}
	for _, i := range positives {
		if d := distances[i]; d == d {
			bin := b.edges.bin(d)
			b.negatives[bin]--
			b.positives[bin]++
		}
	}
}

// Undefined returns the number of samples that Add left out.
func (b *Bins) Undefined() int64 { return b.undefined }

// Merge adds the samples of other bins, which are not changed. It panics unless the edges of b
// are among those of other.
func (b *Bins) Merge(other *Bins) {
	b.undefined += other.undefined
	b.most = math.Max(b.most, other.most)
	if b.edges == other.edges {
		for i := range b.positives {
			b.positives[i] += other.positives[i]
			b.negatives[i] += other.negatives[i]
		}
		return
	}
	bin := 0 // of b, for each bin of other
	for i := range other.positives {
		at := i / 2
		if i%2 == 1 {
			bin = b.edges.bin(other.edges.at[at])
		} else if bin%2 == 1 {
			bin++
		}
		b.positives[bin] += other.positives[i]
		b.negatives[bin] += other.negatives[i]
	}
	if n := other.edges.Len(); n > 0 && bin == len(b.positives)-1 {
		b.most = math.Max(b.most, other.edges.at[n-1])
	}
	for _, edge := range b.edges.at {
		if other.edges.bin(edge)%2 == 0 {
			panic(fmt.Sprintf("binary: edge %v is not among the finer edges", edge))
		}
	}
}

// Curve returns the curve through the points that the bins know.
func (b *Bins) Curve() *Curve {
	c := &Curve{source: b.groups}
	for i := range b.positives {
		c.positiveCount += int(b.positives[i])
		c.negativeCount += int(b.negatives[i])
	}
	return c
}

// groups yields the samples of each bin that has any, with the largest distance at
// which a classifier answers Yes to just these and all earlier ones.
func (b *Bins) groups(yield func(group) bool) {
	for i := range b.positives {
		if b.positives[i] == 0 && b.negatives[i] == 0 {
			continue
		}
		upTo := b.most
		if i%2 == 1 {
			upTo = b.edges.at[i/2]
		} else if i/2 < b.edges.Len() {
			upTo = math.Nextafter(b.edges.at[i/2], math.Inf(-1))
		}
		if !yield(group{upTo, int(b.positives[i]), int(b.negatives[i])}) {
			return
		}
	}
}

// Errors returns by how much ROCAUC and AveragePrecision can be off because bins do not know the order
// of the samples between two edges: 0 if all positives are at edges, NaN without samples of both
// classes. Between edges, a positive is nearer than any number of the bin's negatives, and its precision
// is at most that of all positives before them, and at least that of the first positive behind them.
func (b *Bins) Errors() (rocAUC, averagePrecision float64) {
	var tp, fp float64
	for i := range b.positives {
		p, n := float64(b.positives[i]), float64(b.negatives[i])
		tp, fp = tp+p, fp+n
		if p == 0 || i%2 == 1 {
			continue
		}
		first := tp - p + 1
		rocAUC += p * n
		averagePrecision += p * (tp/(tp+fp-n) - first/(first+fp))
	}
	return rocAUC / (tp * fp), averagePrecision / tp
}
