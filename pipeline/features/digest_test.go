package features

import (
	"testing"

	"descbench/keypoints"
)

// Exported keypoints that are imported again have the same digest: only their class, the
// row in the file, is another.
func TestSetDigestIsThatOfAllAttributesButTheClass(t *testing.T) {
	of := func(k keypoints.Keypoint) string {
		return SetDigest([]keypoints.Set{{Keypoints: []keypoints.Keypoint{k}}})
	}
	k := keypoints.Keypoint{X: 1, Y: 2, Size: 3, Angle: 4, Response: 5, Octave: 6, ClassID: -1}
	imported, scored := k, k
	imported.ClassID, scored.Response = 0, 7
	if of(imported) != of(k) || of(scored) == of(k) || imported.ClassID != 0 {
		t.Errorf("imported %s, exported %s, with another response %s", of(imported), of(k), of(scored))
	}
}
