package keypoints

import "testing"

func TestAMeasureIsWhatItsNameSays(t *testing.T) {
	k := Keypoint{Response: 0.25, Size: 7.5, Octave: 0x3201fe} // ξ 50/255-½, layer 1, octave -2
	want := map[string]float64{"response": 0.25, "size": 7.5, "octave": -2}
	for _, by := range []Measure{ByResponse, BySize, ByOctave} {
		if got := by.of(k); got != want[by.String()] {
			t.Errorf("%s: got %v, want %v", by, got, want[by.String()])
		}
	}
}

func TestByOctaveMeasuresTheLevelAndNotThePackedInteger(t *testing.T) {
	// OpenCV's SIFT: the doubled image is 255 in the lowest byte; layer and ξ
	// above it make the packed integers of low octaves the larger ones.
	for packed, want := range map[int32]float64{
		0x0001ff: -1, 0xff03ff: -1, 0x800100: 0, 0x050203: 3, 0: 0, 7: 7,
	} {
		if got := ByOctave.of(Keypoint{Octave: packed}); got != want {
			t.Errorf("%#x: octave %v, want %v", packed, got, want)
		}
	}
	coarse, fine := Keypoint{Octave: 0x000102, ClassID: 1}, Keypoint{Octave: 0xff0300, ClassID: 2}
	if got := (Set{Keypoints: []Keypoint{fine, coarse}}).TopRows(1, ByOctave); got[0] != 1 {
		t.Errorf("row %d is the top by octave, want the one of octave 2", got[0])
	}
}
