package stats

// block is the number of patterns side by side in the table of a Bootstrap.
const block = 32

// A sumsFunc sets out[b*block+l] to Σ times × values of pattern l of block b, added in
// the order of the scenes, given how often each scene was drawn: times[(b*scenes+i)*block+l].
// There is at least one scene and one block.
type sumsFunc func(times []uint8, values, out []float64)

// native is nil if the processor has no suitable instructions.
var native = nativeSums()

// timesLimit is more than the number of times that a scene is drawn.
const timesLimit = 32

// portableSums takes the products from a table. Eight sums at once keep the processor
// busy, because an addition waits for the previous one of its sum.
func portableSums(times []uint8, values, out []float64) {
	products := make([][timesLimit]float64, len(values))
	for i, v := range values {
		for t := range products[i] {
			products[i][t] = float64(t) * v
		}
	}
	for b := 0; b < len(out); b += block {
		for l := 0; l < block; l += 8 {
			var s0, s1, s2, s3, s4, s5, s6, s7 float64
			for i := range products {
				of, t := &products[i], (*[8]uint8)(times[i*block+l:])
				s0 += of[t[0]%timesLimit]
				s1 += of[t[1]%timesLimit]
				s2 += of[t[2]%timesLimit]
				s3 += of[t[3]%timesLimit]
				s4 += of[t[4]%timesLimit]
				s5 += of[t[5]%timesLimit]
				s6 += of[t[6]%timesLimit]
				s7 += of[t[7]%timesLimit]
			}
			*(*[8]float64)(out[b+l:]) = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
		}
		times = times[len(values)*block:]
	}
}
