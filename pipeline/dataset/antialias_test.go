package dataset

import (
	"image"
	"testing"

	"gocv.io/x/gocv"

	"descbench/eval/must"
)

// The grey levels are NumPy's: a Gaussian along each axis with σ = (factor − 1) / 2 in a
// window of 4σ, at least 3, made odd, with reflected borders, then linear interpolation
// between pixel centres, as kornia's resize(..., antialias=True).
func TestAntialiasedImagesAreThoseOfKornia(t *testing.T) {
	img := gocv.NewMatWithSize(40, 48, gocv.MatTypeCV8UC3)
	defer img.Close()
	for y := range 40 {
		for x := range 48 {
			v := uint8((x*x*7 + y*13 + x*y*3) % 256)
			for c := range 3 {
				img.SetUCharAt(y, 3*x+c, v)
			}
		}
	}
	out := gocv.NewMat()
	defer out.Close()
	for size, points := range map[image.Point][][3]int{
		{X: 20, Y: 13}: {{0, 0, 26}, {0, 19, 108}, {2, 1, 151}, {3, 1, 92}, {5, 7, 117}, {6, 11, 131}, {9, 1, 132}, {12, 0, 155}, {12, 19, 131}},
		{X: 7, Y: 50}:  {{0, 1, 144}, {1, 1, 143}, {3, 1, 103}, {4, 0, 94}}, // a window of 11 along x alone
	} {
		must.Do(t, antialiased(img, &out, size))
		for _, p := range points {
			if got := int(out.GetUCharAt(p[0], 3*p[1]+1)); got != p[2] {
				t.Errorf("%v, row %d, column %d: %d, want %d", size, p[0], p[1], got, p[2])
			}
		}
	}
}

// Of an image scaled to 300×200, a crop of 200×200 keeps the columns from 50; scripts that
// scale coordinates multiply by the factor and subtract 50.
func TestACropKeepsTheMiddle(t *testing.T) {
	r := Resizing{Size: func(int, int) (int, int) { return 300, 200 }, Crop: [2]int{200, 200}, Interpolation: Linear, Scaled: true}
	img := gocv.NewMatWithSize(400, 600, gocv.MatTypeCV8UC3)
	for y := range 400 {
		for x := range 600 {
			img.SetUCharAt(y, 3*x, uint8(x/4)) // the column of the scaled image, halved
		}
	}
	out := must.Get(r.resized(img))(t)
	defer out.Close()
	if out.Cols() != 200 || out.Rows() != 200 || out.GetUCharAt(100, 0) != 25 || out.GetUCharAt(100, 3*199) != 124 {
		t.Errorf("%d×%d, first %d, last %d; want 200×200, 25, 124", out.Cols(), out.Rows(), out.GetUCharAt(100, 0), out.GetUCharAt(100, 3*199))
	}
}

// As OpenCV advises: INTER_AREA to shrink, INTER_LINEAR to enlarge, here in any direction.
func TestTheInterpolationIsThatOfOpenCV(t *testing.T) {
	img := gocv.NewMatWithSize(40, 60, gocv.MatTypeCV8UC3)
	defer img.Close()
	for at := range 40 * 60 * 3 {
		img.SetUCharAt(at/180, at%180, uint8(at*at%251))
	}
	for _, c := range []struct {
		interpolation Interpolation
		size          image.Point
		want          gocv.InterpolationFlags
	}{
		{Auto, image.Pt(25, 17), gocv.InterpolationArea}, {Auto, image.Pt(25, 41), gocv.InterpolationLinear}, {Auto, image.Pt(61, 17), gocv.InterpolationLinear},
		{Auto, image.Pt(60, 17), gocv.InterpolationArea}, {Auto, image.Pt(25, 40), gocv.InterpolationArea},
		{Linear, image.Pt(25, 17), gocv.InterpolationLinear}, {Area, image.Pt(70, 50), gocv.InterpolationArea},
	} {
		want := gocv.NewMat()
		must.Do(t, gocv.Resize(img, &want, c.size, 0, 0, c.want))
		got, err := Resizing{Size: func(int, int) (int, int) { return c.size.X, c.size.Y }, Interpolation: c.interpolation}.resized(img.Clone())
		must.Do(t, err)
		if difference := gocv.NormWithMats(got, want, gocv.NormInf); difference != 0 {
			t.Errorf("%s to %v: grey levels differ by up to %v", c.interpolation, c.size, difference)
		}
		got.Close()
		want.Close()
	}
}
