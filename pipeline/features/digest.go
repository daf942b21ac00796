package features

import (
	"crypto/sha256"
	"descbench/keypoints"
	"encoding/binary"
	"encoding/hex"
	"math"
)

// SetDigest returns a digest of the keypoints of a scene's images. It covers
// every attribute of every row, in order.
func SetDigest(sets []keypoints.Set) string {
	h := sha256.New()
	for _, s := range sets {
		h.Write(setBytes(s))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// setBytes encodes a set as bytes: its length, then its rows.
func setBytes(s keypoints.Set) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(s.Len()))
	for _, k := range s.Keypoints {
		for _, v := range [...]float32{k.X, k.Y, k.Size, k.Angle, k.Response} {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(k.Octave))
		b = binary.LittleEndian.AppendUint32(b, uint32(k.ClassID))
	}
	return b
}
