package surf

// Gray is an image of 8-bit intensities, of at least one pixel: pixel (x, y) is
// Pix[y*Width+x].
type Gray struct {
	Pix           []uint8
	Width, Height int // pixels
}

// contains reports whether (x, y) is inside one of the pixels.
func (g *Gray) contains(x, y float32) bool {
	return x >= -0.5 && float64(x) < float64(g.Width)-0.5 &&
		y >= -0.5 && float64(y) < float64(g.Height)-0.5
}

// An integral image holds at (x, y) the sum of the pixels left of x and above
// y. It has one more row and column than the image. Sums wrap around in large
// images, but the sum over a box is correct if it fits into the type itself.
type integral struct {
	sum        []int32
	rows, cols int
}

func newIntegral(g *Gray) *integral {
	s := &integral{rows: g.Height + 1, cols: g.Width + 1}
	s.sum = make([]int32, s.rows*s.cols)
	for y := range g.Height {
		above := s.sum[y*s.cols+1:][:g.Width]
		below := s.sum[(y+1)*s.cols+1:][:g.Width]
		row := int32(0)
		for x, v := range g.Pix[y*g.Width:][:g.Width] {
			row += int32(v)
			below[x] = above[x] + row
		}
	}
	return s
}
