// Package detecttest provides images for tests of detection and description:
// synthetic ones, and real ones where available.
package detecttest

import (
	"math"
	"path/filepath"
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

// Textured returns a part of an image of testdata/scenes, of at most 640×480 px: another
// for another seed.
func Textured(w, h int, seed uint64) Picture {
	img := gocv.IMRead(filepath.Join(repository(), "testdata/scenes/v_synth_001/1.png"), gocv.IMReadColor)
	defer img.Close()
	left, top := int(97*seed)%(img.Cols()-w+1), int(61*seed)%(img.Rows()-h+1)
	return NewPicture(w, h, func(x, y int) (b, g, r float64) {
		v := img.GetVecbAt(top+y, left+x)
		return float64(v[0]), float64(v[1]), float64(v[2])
	})
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
