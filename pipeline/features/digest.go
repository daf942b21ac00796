package features

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"descbench/keypoints"
)

// SetDigest returns a digest of the keypoints of a scene's images. It covers
// every attribute of every row, in order, but the class: that of imported keypoints is
// their row in the file.
func SetDigest(sets []keypoints.Set) string {
	h := sha256.New()
	for _, s := range sets {
		s.Keypoints = slices.Clone(s.Keypoints)
		for i := range s.Keypoints {
			s.Keypoints[i].ClassID = -1
		}
		h.Write(s.Bytes())
	}
	return hex.EncodeToString(h.Sum(nil))
}
