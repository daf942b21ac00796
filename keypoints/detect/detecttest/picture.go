// Package detecttest provides images for tests of detection and description:
// synthetic ones, and real ones where available.
package detecttest

import (
	"math"
	"math/rand/v2"
	"testing"

	"gocv.io/x/gocv"

	"descbench/keypoints/detect"
)

// A Picture is an image in Go's memory that a test can draw and alter.
type Picture struct {
	W, H int
	Pix  []uint8 // W×H pixels of three bytes: blue, green, red
}

// NewPicture returns a picture with the blue, green and red values that colour
// returns for (x, y), rounded and clipped to 8 bits.
func NewPicture(w, h int, colour func(x, y int) (b, g, r float64)) Picture {
	p := Picture{W: w, H: h, Pix: make([]uint8, 0, 3*w*h)}
	for y := range h {
		for x := range w {
			b, g, r := colour(x, y)
			p.Pix = append(p.Pix, toByte(b), toByte(g), toByte(r))
		}
	}
	return p
}

// Grey returns a picture whose three channels are equal.
func Grey(w, h int, value func(x, y int) float64) Picture {
	return NewPicture(w, h, func(x, y int) (b, g, r float64) {
		v := value(x, y)
		return v, v, v
	})
}

func toByte(v float64) uint8 { return uint8(math.Round(min(max(v, 0), 255))) }

// Textured returns a colourful picture with detail at every scale: a grating
// overlaid with blobs of 1.5 to 15 px and strokes like handwriting. Equal seeds
// give equal pictures.
func Textured(w, h int, seed uint64) Picture {
	rnd := rand.New(rand.NewPCG(seed, 0))
	field := make([][3]float64, w*h)
	for i := range field {
		x, y := float64(i%w), float64(i/w)
		field[i] = [3]float64{110 + 20*math.Sin(x/7), 120 + 15*math.Sin(y/9), 115 + 15*math.Sin((x+y)/11)}
	}
	for range w * h / 150 {
		cx, cy, s := rnd.Float64()*float64(w), rnd.Float64()*float64(h), 1.5*math.Pow(10, rnd.Float64())
		var height [3]float64
		for c := range height {
			height[c] = 160 * (rnd.Float64() - 0.5)
		}
		stretch, turn := 1+3*rnd.Float64()*rnd.Float64(), rnd.Float64()*math.Pi
		addBlob(field, w, h, cx, cy, s, stretch, turn, height)
	}
	return NewPicture(w, h, func(x, y int) (b, g, r float64) {
		v := field[y*w+x]
		return v[0], v[1], v[2]
	})
}

// addBlob adds a Gaussian hill, stretched across the direction turn, in radians.
func addBlob(field [][3]float64, w, h int, cx, cy, s, stretch, turn float64, height [3]float64) {
	cos, sin := math.Cos(turn), math.Sin(turn)
	reach := 3 * s
	for y := max(0, int(cy-reach)); y <= min(h-1, int(cy+reach)); y++ {
		for x := max(0, int(cx-reach)); x <= min(w-1, int(cx+reach)); x++ {
			dx, dy := float64(x)-cx, float64(y)-cy
			u, v := cos*dx+sin*dy, (cos*dy-sin*dx)*stretch
			g := math.Exp(-(u*u + v*v) / (2 * s * s))
			for c := range height {
				field[y*w+x][c] += height[c] * g
			}
		}
	}
}

// At returns the pixel at (x, y).
func (p Picture) At(x, y int) (b, g, r float64) {
	v := p.Pix[3*(y*p.W+x):]
	return float64(v[0]), float64(v[1]), float64(v[2])
}

// Image returns the picture as an image that lives until the test ends.
func (p Picture) Image(t testing.TB) detect.Image {
	t.Helper()
	borrowed, err := gocv.NewMatFromBytes(p.H, p.W, gocv.MatTypeCV8UC3, p.Pix)
	if err != nil {
		t.Fatal(err)
	}
	defer borrowed.Close()
	return open(t, borrowed.Clone()) // a Mat whose pixels are OpenCV's own
}

func open(t testing.TB, bgr gocv.Mat) detect.Image {
	t.Helper()
	img, err := detect.NewImage(bgr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(img.Close)
	return img
}
