// Package paired compares the cost of two pieces of work in benchmarks. It runs them
// in turn and counts processor time, because on a machine with other users wall time
// says little, and neither do two measurements made at different times.
package paired

import (
	"slices"
	"testing"
	"time"
)

// Work is a piece of work. It returns the processor time that it took.
type Work func() time.Duration

// Here returns the work of calling f in this process. Its time includes that of
// everything else that the process does meanwhile.
func Here(f func()) Work {
	return func() time.Duration {
		start := CPU()
		f()
		return CPU() - start
	}
}

// Compare runs ours and then the peer's work in every iteration. It reports the
// median time of each as cpu-s and peer-cpu-s, and the median of the ratios of the
// two as ratio.
func Compare(b *testing.B, ours, peer Work) {
	b.Helper()
	var a, p, ratios []float64
	for b.Loop() {
		x, y := ours().Seconds(), peer().Seconds()
		a, p, ratios = append(a, x), append(p, y), append(ratios, x/y)
	}
	b.ReportMetric(median(a), "cpu-s")
	b.ReportMetric(median(p), "peer-cpu-s")
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(0, "ns/op") // the sum of both says nothing
}

// median returns the median of v, the lower one of an even number of values.
func median(v []float64) float64 {
	slices.Sort(v)
	return v[(len(v)-1)/2]
}
