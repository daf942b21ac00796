package detect_test

import (
	"testing"

	"gocv.io/x/gocv"

	"descbench/eval/must"
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
