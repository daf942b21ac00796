package surf

import (
	"math"
	"slices"
	"strings"
	"testing"

	"descbench/keypoints"
)

func TestIntegralHoldsTheSumsAboveAndLeft(t *testing.T) {
	g := &Gray{Width: 3, Height: 2, Stride: 4, Pix: []uint8{
		1, 2, 3, 99, // 99 is beyond the width
		4, 5, 6,
	}}
	want := []int32{
		0, 0, 0, 0,
		0, 1, 3, 6,
		0, 5, 12, 21,
	}
	if got := newIntegral(g).sum; !slices.Equal(got, want) {
		t.Errorf("integral image is %v, want %v", got, want)
	}
}

func TestImpossibleInputIsAnError(t *testing.T) {
	good := &Gray{Pix: make([]uint8, 12), Width: 4, Height: 3, Stride: 4}
	params := func(change func(*Params)) Params {
		p := defaults()
		change(&p)
		return p
	}
	for name, c := range map[string]struct {
		gray   *Gray
		params Params
		want   string
	}{
		"no image":        {nil, defaults(), "image is nil"},
		"no pixels":       {&Gray{}, defaults(), "image is 0×0 pixels"},
		"negative height": {&Gray{Pix: good.Pix, Width: 4, Height: -3, Stride: 4}, defaults(), "image is 4×-3 pixels"},
		"narrow stride":   {&Gray{Pix: good.Pix, Width: 4, Height: 3, Stride: 3}, defaults(), "stride of 3"},
		"short rows":      {&Gray{Pix: good.Pix[:11], Width: 4, Height: 3, Stride: 4}, defaults(), "has only 11 bytes"},
		"no rows":         {&Gray{Width: 4, Height: 1, Stride: 4}, defaults(), "has only 0 bytes"},
		"huge height":     {&Gray{Pix: good.Pix, Width: 1, Height: math.MaxInt, Stride: math.MaxInt}, defaults(), "has only 12 bytes"},
		"low threshold":   {good, params(func(p *Params) { p.HessianThreshold = -1 }), "Hessian threshold is -1"},
		"NaN threshold":   {good, params(func(p *Params) { p.HessianThreshold = math.NaN() }), "Hessian threshold is NaN"},
		"huge threshold":  {good, params(func(p *Params) { p.HessianThreshold = 1e300 }), "Hessian threshold is 1e+300"},
		"no octave":       {good, params(func(p *Params) { p.NOctaves = 0 }), "number of octaves is 0"},
		"no layer":        {good, params(func(p *Params) { p.NOctaveLayers = -2 }), "number of layers per octave is -2"},
	} {
		_, err := Detect(c.gray, c.params)
		_, _, errDescribe := Describe(c.gray, []keypoints.Keypoint{{X: 1, Y: 1, Size: 1}}, c.params)
		_, _, errBoth := DetectAndDescribe(c.gray, c.params)
		for _, err := range []error{err, errDescribe, errBoth} {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error is %v, want one with %q", name, err, c.want)
			}
		}
	}
}

func TestBytesBetweenRowsDoNotCount(t *testing.T) {
	g := clouds(180, 140, 2)
	padded := &Gray{Width: g.Width, Height: g.Height, Stride: g.Width + 7}
	for y := range g.Height {
		padded.Pix = append(padded.Pix, g.Pix[y*g.Width:][:g.Width]...)
		padded.Pix = append(padded.Pix, 255, 0, 255, 0, 255, 0, 255)
	}
	for _, upright := range []bool{false, true} {
		p := defaults()
		p.Upright = upright
		want, wantRows, err := DetectAndDescribe(g, p)
		if err != nil || len(want) < 20 {
			t.Fatalf("%d keypoints, error %v", len(want), err)
		}
		got, gotRows, err := DetectAndDescribe(padded, p)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) || !slices.Equal(gotRows.Float32, wantRows.Float32) {
			t.Errorf("upright %v: the padding of rows changes the result", upright)
		}
	}
}
