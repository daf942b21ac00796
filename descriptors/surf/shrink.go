package surf

import "math"

// patchSize is the side of the patch to which a window is resized, in samples
// one scale s apart.
const patchSize = 21

type patch [patchSize][patchSize]uint8

// A shrinker resizes windows to the patch size with the arithmetic of OpenCV's
// resize(INTER_AREA), which has four cases: a smaller window is interpolated,
// one of equal size is copied, one whose side is a multiple of the patch's is
// averaged in integers, and any other is averaged in float32. It holds one row
// of the window at a time. It is not safe for concurrent use.
type shrinker struct {
	row []uint8

	side  int // side of the window that spans belong to
	spans [patchSize]span
}

// A span is the range of window pixels, in either direction, whose weighted sum
// gives one pixel of the patch.
type span struct {
	first   int
	weights []float32
}

// shrink reads the whole window.
func (s *shrinker) shrink(w *window, p *patch) {
	if cap(s.row) < w.side {
		s.row = make([]uint8, w.side)
	}
	s.row = s.row[:w.side]
	inverse := patchSize / float64(w.side)
	scale := 1 / inverse // not side/patchSize, which rounds differently
	switch {
	case w.side < patchSize:
		s.enlarge(w, p, scale, inverse)
	case w.side == patchSize:
		for i := range p {
			w.next(p[i][:])
		}
	case scale == math.Trunc(scale):
		s.averageBlocks(w, p, int(scale))
	default:
		s.averageAreas(w, p, scale)
	}
}

// averageBlocks averages blocks of n×n pixels.
func (s *shrinker) averageBlocks(w *window, p *patch, n int) {
	weight := 1 / float32(n*n)
	for i := range p {
		var sums [patchSize]int
		for range n {
			w.next(s.row)
			for j := range sums {
				for _, v := range s.row[j*n:][:n] {
					sums[j] += int(v)
				}
			}
		}
		for j, sum := range sums {
			if n == 2 {
				p[i][j] = uint8((sum + 2) / 4) // halves are rounded up, not to even
			} else {
				p[i][j] = uint8(roundHalfEven(float32(sum) * weight))
			}
		}
	}
}

// averageAreas averages the area under each pixel of the patch. A row of the
// window may be under two of them.
func (s *shrinker) averageAreas(w *window, p *patch, scale float64) {
	s.setSpans(w.side, scale)
	var across [patchSize]float32 // sums over the last row read
	rows := 0                     // rows read
	for i, vertical := range s.spans {
		var sums [patchSize]float32
		for k, weight := range vertical.weights {
			for ; rows <= vertical.first+k; rows++ {
				w.next(s.row)
				s.sumAcross(&across)
			}
			for j, a := range across {
				sums[j] += float32(a * weight)
			}
		}
		for j, sum := range sums {
			p[i][j] = uint8(roundHalfEven(sum))
		}
	}
}

func (s *shrinker) sumAcross(across *[patchSize]float32) {
	for j := range across {
		weights := s.spans[j].weights
		pixels := s.row[s.spans[j].first:][:len(weights)]
		sum := float32(0)
		for k, weight := range weights {
			sum += float32(float32(pixels[k]) * weight)
		}
		across[j] = sum
	}
}

// setSpans sets the spans for a window of the given side. Pixels covered by
// less than a thousandth are left out.
func (s *shrinker) setSpans(side int, scale float64) {
	if s.side == side {
		return
	}
	s.side = side
	const least = 1e-3
	for i := range s.spans {
		begin := float64(float64(i) * scale)
		end := begin + scale
		width := min(scale, float64(side)-begin)
		last := min(int(math.Floor(end)), side-1)
		first := min(int(math.Ceil(begin)), last)
		weights := s.spans[i].weights[:0]
		s.spans[i].first = first
		if part := float64(first) - begin; part > least {
			s.spans[i].first--
			weights = append(weights, float32(part/width))
		}
		for range last - first {
			weights = append(weights, float32(1/width))
		}
		if part := end - float64(last); part > least {
			weights = append(weights, float32(min(part, 1, width)/width))
		}
		s.spans[i].weights = weights
	}
}

// enlarge interpolates between the pixels of a smaller window with weights in
// units of 1/2048.
func (s *shrinker) enlarge(w *window, p *patch, scale, inverse float64) {
	var rows [patchSize][patchSize]int // the rows of the window, each enlarged
	for i := range w.side {
		w.next(s.row)
		for j := range rows[i] {
			from, near, far := neighbours(j, scale, inverse)
			next := min(from+1, w.side-1)
			rows[i][j] = int(s.row[from])*near + int(s.row[next])*far
		}
	}
	for i := range p {
		from, near, far := neighbours(i, scale, inverse)
		next := min(from+1, w.side-1)
		for j := range p[i] {
			// Drops the same bits as OpenCV's 16-bit arithmetic.
			sum := near*(rows[from][j]>>4)>>16 + far*(rows[next][j]>>4)>>16
			p[i][j] = uint8((sum + 2) >> 2)
		}
	}
}

// neighbours returns the window pixel from which, together with the next one,
// pixel i of the patch is interpolated, and the weights of the two.
func neighbours(i int, scale, inverse float64) (from, near, far int) {
	const one = 2048
	from = int(math.Floor(float64(i) * scale))
	fraction := max(0, float32(float64(i+1)-float64(float64(from+1)*inverse)))
	fraction -= float32(math.Floor(float64(fraction)))
	return from, roundHalfEven((1 - fraction) * one), roundHalfEven(fraction * one)
}
