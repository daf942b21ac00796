package surf

import (
	"hash/crc32"
	"math"
	"testing"
)

// The weights are the values of OpenCV 4.6's getGaussianKernel, to the last
// bit: they must not depend on the machine's exponential function.
func TestGaussianWeightsAreThoseOfOpenCV(t *testing.T) {
	for _, c := range []struct {
		n     int
		sigma float64
		half  []float32
	}{
		{13, orientationSigma, []float32{0x1.282748p-7, 0x1.64ff86p-6, 0x1.6eb6e4p-5, 0x1.40ff98p-4,
			0x1.dedf96p-4, 0x1.30623ap-3, 0x1.49bc24p-3}},
		{20, float64(gradientSigma), []float32{0x1.f6898ap-10, 0x1.1f18f4p-8, 0x1.2b4116p-7, 0x1.1c8ee8p-6,
			0x1.edafecp-6, 0x1.86ae6p-5, 0x1.1a0a9cp-4, 0x1.737ecap-4, 0x1.be639ap-4, 0x1.eef842p-4}},
	} {
		got := gaussian(c.n, c.sigma)
		sum := 0.0
		for i, v := range got {
			want := c.half[min(i, c.n-1-i)]
			if v != want {
				t.Errorf("weight %d of %d is %x, want %x", i, c.n, v, want)
			}
			sum += float64(v)
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Errorf("sum of %d weights is %v, want 1", c.n, sum)
		}
	}
}

// The windows are bytes of a linear congruential generator; the checksums
// (CRC-32) are of what OpenCV 4.6's resize(INTER_AREA) makes of them.
func TestWindowsShrinkAsInOpenCV(t *testing.T) {
	var s shrinker // one for all, to see that no window leaves traces
	for _, c := range []struct {
		side     int
		checksum uint32
	}{
		{1, 0xec78e3b1}, {2, 0x6ac6f765}, {3, 0x82918531}, {10, 0xda8e2683}, {20, 0xd842a5fc}, // enlarged
		{21, 0x4c1c099b},                                      // copied
		{22, 0x006b3093}, {30, 0xb3ec6575}, {333, 0x8af291a8}, // areas
		{42, 0xef140477}, {63, 0xf0aa28f9}, {84, 0xba7b0f57}, // blocks
		{100, 0x46763cb9}, {1029, 0xf45fdba5}, // 1029 = 49 × 21
	} {
		var p patch
		w := uprightWindow(c.side, lcg(c.side))
		s.shrink(&w, &p)
		var bytes []uint8
		for i := range p {
			bytes = append(bytes, p[i][:]...)
		}
		if got := crc32.ChecksumIEEE(bytes); got != c.checksum {
			t.Errorf("side %d: checksum is %08x, want %08x", c.side, got, c.checksum)
		}
	}
}

// lcg returns side×side bytes.
func lcg(side int) []uint8 {
	pix := make([]uint8, side*side)
	state := uint32(side)
	for i := range pix {
		state = state*1664525 + 1013904223
		pix[i] = uint8(state >> 24)
	}
	return pix
}

// uprightWindow returns a window with the given pixels, row by row. Its rows
// are the columns of an image from the bottom up.
func uprightWindow(side int, pix []uint8) window {
	g := &Gray{Pix: make([]uint8, side*side), Width: side, Height: side}
	for i := range side {
		for j := range side {
			g.Pix[(side-1-j)*side+i] = pix[i*side+j]
		}
	}
	return window{gray: g, side: side, upright: true, bottom: side - 1}
}
