package nearest

import (
	"encoding/binary"
	"math/bits"

	"descbench/descriptors"
)

// SquaredDistance returns the canonical d² of row i of a and row j of b as
// stored; for bits, the number of differing bits. Both must have the same type
// and dimension.
func SquaredDistance(a *descriptors.Matrix, i int, b *descriptors.Matrix, j int) float64 {
	n := a.Stride()
	switch a.Type {
	case descriptors.Float32:
		return squaredDistance(a.Float32[i*n:(i+1)*n], b.Float32[j*n:(j+1)*n])
	case descriptors.Bits:
		return float64(differingBits(a.Uint8[i*n:(i+1)*n], b.Uint8[j*n:(j+1)*n]))
	default:
		return float64(squaredDistanceOfBytes(a.Uint8[i*n:(i+1)*n], b.Uint8[j*n:(j+1)*n]))
	}
}

// squaredDistance returns the canonical d² of two float32 rows: the sum of (a_i
// − b_i)² in float64, index ascending. The conversion of each square prevents a
// fused multiply-add, which some processors would use.
func squaredDistance(a, b []float32) float64 {
	sum := 0.0
	b = b[:len(a)]
	for i, x := range a {
		d := float64(x) - float64(b[i])
		sum += float64(d * d)
	}
	return sum
}

// SquaredDistances4 returns the canonical d² of four pairs of float32 rows, all of the
// same length. One sum is a chain of dependent additions; four sums overlap.
func SquaredDistances4(a, b *[4][]float32) [4]float64 {
	n := len(a[0])
	a0, a1, a2, a3 := a[0][:n], a[1][:n], a[2][:n], a[3][:n]
	b0, b1, b2, b3 := b[0][:n], b[1][:n], b[2][:n], b[3][:n]
	var s0, s1, s2, s3 float64
	for i := range a0 {
		d0, d1 := float64(a0[i])-float64(b0[i]), float64(a1[i])-float64(b1[i])
		d2, d3 := float64(a2[i])-float64(b2[i]), float64(a3[i])-float64(b3[i])
		s0 += float64(d0 * d0)
		s1 += float64(d1 * d1)
		s2 += float64(d2 * d2)
		s3 += float64(d3 * d3)
	}
	return [4]float64{s0, s1, s2, s3}
}

func squaredDistanceOfBytes(a, b []uint8) int {
	sum := 0
	b = b[:len(a)]
	for i, x := range a {
		d := int(x) - int(b[i])
		sum += d * d
	}
	return sum
}

func differingBits(a, b []uint8) int {
	b = b[:len(a)]
	n := 0
	for ; len(a) >= 8; a, b = a[8:], b[8:] {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(a) ^ binary.LittleEndian.Uint64(b))
	}
	for i, x := range a {
		n += bits.OnesCount8(x ^ b[i])
	}
	return n
}
