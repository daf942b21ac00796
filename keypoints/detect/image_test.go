package detect_test

import (
	"testing"

	"gocv.io/x/gocv"

	"descbench/internal/must"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// ITU-R BT.601, the weights that OpenCV documents for BGR2GRAY.
func TestGreyIsTheWeightedSumOfTheChannels(t *testing.T) {
	p := detecttest.Textured(40, 30, 3)
	img := p.Image(t)
	for y := range p.H {
		for x := range p.W {
			b, g, r := p.At(x, y)
			want := 0.299*r + 0.587*g + 0.114*b
			if got := float64(img.Gray.GetUCharAt(y, x)); got < want-0.51 || got > want+0.51 {
				t.Fatalf("(%d, %d): grey %v, want %.2f", x, y, got, want)
			}
		}
	}
}

func TestGreyOfAGreyImageIsTheImage(t *testing.T) {
	img := detecttest.Grey(256, 8, func(x, _ int) float64 { return float64(x) }).Image(t)
	for x := range 256 {
		if got := img.Gray.GetUCharAt(0, x); int(got) != x {
			t.Errorf("grey of (%d, %d, %d) is %d", x, x, x, got)
		}
	}
}

func TestSizeIsThatOfTheColourImage(t *testing.T) {
	img := detecttest.Textured(40, 30, 1).Image(t)
	if img.Width() != 40 || img.Height() != 30 {
		t.Errorf("%d×%d, want 40×30", img.Width(), img.Height())
	}
}

func TestNewImageRefusesWhatIsNotEightBitColour(t *testing.T) {
	for name, mat := range map[string]gocv.Mat{
		"empty, as after a failed decoding": gocv.NewMat(), "zero": {},
		"grey": gocv.NewMatWithSize(20, 20, gocv.MatTypeCV8UC1), "16 bit": gocv.NewMatWithSize(20, 20, gocv.MatTypeCV16UC3),
	} {
		if _, err := detect.NewImage(mat); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestClosingTwiceDoesNoHarm(t *testing.T) {
	img := must.Get(detect.NewImage(gocv.NewMatWithSize(20, 20, gocv.MatTypeCV8UC3)))(t)
	img.Close()
	img.Close()
	new(detect.Image).Close()
}
