package extract_test

import (
	"math"
	"testing"

	"descbench/keypoints"
)

func TestBRISKDropsKeypointsWithoutRoomAndKeepsTheirRows(t *testing.T) {
	img := cornered(200, 160, 1).Image(t)
	var kps []keypoints.Keypoint
	for x := 0; x <= 200; x += 4 {
		kps = append(kps, keypoints.Keypoint{X: float32(x), Y: 80, Size: 12})
	}
	m := mustExtract(t, img, kps, "brisk", params(t, "brisk"))
	// The pattern's outermost ring has radius 10.8·0.85 for size 7.2 and grows
	// with it; its samples are blurred (Leutenegger et al., section 3.2.1).
	ring := 10.8 * 0.85 * 12 / 7.2
	for i, k := range kps {
		room := math.Min(float64(k.X), 200-float64(k.X))
		if room < ring && !m.IsInvalid(i) || room > 1.5*ring+4 && m.IsInvalid(i) {
			t.Errorf("keypoint at x = %v, with a pattern of %.1f px: invalid %v", k.X, ring, m.IsInvalid(i))
		}
	}
	if m.CountInvalid() == 0 || m.CountInvalid() == m.Rows {
		t.Errorf("%d of %d rows are invalid", m.CountInvalid(), m.Rows)
	}
	none := mustExtract(t, img, kps[:2], "brisk", params(t, "brisk"))
	if none.CountInvalid() != 2 {
		t.Errorf("%d of 2 keypoints at the border are invalid", none.CountInvalid())
	}
}
