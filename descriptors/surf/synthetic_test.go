package surf

import (
	"math"
	"math/rand/v2"

	"descbench/keypoints"
)

// render returns the image whose intensity at (x, y) is value(x, y), rounded.
func render(width, height int, value func(x, y float64) float64) *Gray {
	g := &Gray{Pix: make([]uint8, width*height), Width: width, Height: height}
	for y := range height {
		for x := range width {
			g.Pix[y*width+x] = uint8(math.Round(min(max(value(float64(x), float64(y)), 0), 255)))
		}
	}
	return g
}

// clouds returns a seeded image with blobs of many sizes.
func clouds(width, height int, seed uint64) *Gray {
	r := rand.New(rand.NewPCG(seed, 0))
	values := make([]float64, width*height)
	for range width * height / 100 {
		x0, y0 := r.Float64()*float64(width), r.Float64()*float64(height)
		sigma := 1.5 * math.Exp(2*r.Float64())
		height0 := 60 * (2*r.Float64() - 1)
		reach := int(4 * sigma)
		for y := max(int(y0)-reach, 0); y < min(int(y0)+reach, height); y++ {
			for x := max(int(x0)-reach, 0); x < min(int(x0)+reach, width); x++ {
				d2 := (float64(x)-x0)*(float64(x)-x0) + (float64(y)-y0)*(float64(y)-y0)
				values[y*width+x] += height0 * math.Exp(-d2/(2*sigma*sigma))
			}
		}
	}
	return render(width, height, func(x, y float64) float64 { return 128 + values[int(y)*width+int(x)] })
}

// defaults returns OpenCV's default parameters.
func defaults() keypoints.Params {
	return keypoints.Params{"hessian_threshold": 100.0, "n_octaves": int64(4), "n_octave_layers": int64(3), "extended": false, "upright": false}
}
