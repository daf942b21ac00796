package surf

import (
	"slices"
	"testing"
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
		want, wantRows := DetectAndDescribe(g, p)
		if len(want) < 20 {
			t.Fatalf("%d keypoints", len(want))
		}
		got, gotRows := DetectAndDescribe(padded, p)
		if !slices.Equal(got, want) || !slices.Equal(gotRows.Float32, wantRows.Float32) {
			t.Errorf("upright %v: the padding of rows changes the result", upright)
		}
	}
}
