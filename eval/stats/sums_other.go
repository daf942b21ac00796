//go:build !cgo

package stats

// weightedSums is the Go version of the function in sums_cgo.go.
func weightedSums(times []uint8, values, out []float64) {
	clear(out)
	for ; len(out) > 0; out = out[block:] {
		for _, value := range values {
			for l, n := range times[:block] {
				out[l] += float64(float64(n) * value)
			}
			times = times[block:]
		}
	}
}
