package features

import (
	"crypto/sha256"
	"encoding/hex"

	"descbench/keypoints"
)

// SetDigest names the keypoints of a scene's images: every attribute of every
// row, in order.
func SetDigest(sets []keypoints.Set) string {
	h := sha256.New()
	for _, s := range sets {
		h.Write(s.Bytes())
	}
	return hex.EncodeToString(h.Sum(nil))
}
