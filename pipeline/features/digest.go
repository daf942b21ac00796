package features

import (
	"crypto/sha256"
	"encoding/hex"

	"descbench/keypoints"
)

// SetDigest returns a digest of the keypoints of a scene's images. It covers
// every attribute of every row, in order.
func SetDigest(sets []keypoints.Set) string {
	h := sha256.New()
	for _, s := range sets {
		h.Write(s.Bytes())
	}
	return hex.EncodeToString(h.Sum(nil))
}
