package surf

import (
	"slices"
	"testing"
)

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
