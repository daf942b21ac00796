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
