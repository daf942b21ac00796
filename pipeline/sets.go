package pipeline

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"descbench/keypoints"
	"descbench/pipeline/config"
)

// selectSteps applies a set's border and selection to one image's keypoints.
func selectSteps(s keypoints.Set, set *config.KeypointSet, width, height int) keypoints.Set {
	if set.Border != nil {
		s = s.InsideBorder(width, height, borderOf(set))
	}
	if set.Top != nil {
		by, err := keypoints.ParseMeasure(set.Top.By)
		mustBeChecked(set, err)
		s = s.Top(set.Top.PerImage, by)
	}
	return s
}

// borderOf returns the border of a set; without one, the edge of the image.
func borderOf(set *config.KeypointSet) keypoints.Border {
	if set.Border == nil {
		return keypoints.Border{}
	}
	rule, err := keypoints.ParseBorderRule(set.Border.Rule)
	mustBeChecked(set, err)
	return keypoints.Border{Px: set.Border.Px, Rule: rule}
}

// mustBeChecked panics on an error that a checked config cannot cause.
func mustBeChecked(set *config.KeypointSet, err error) {
	if err != nil {
		panic(fmt.Sprintf("keypoint set %s: %v, although the config was checked", set.Name, err))
	}
}

// setDigest names the keypoints of a scene's images: every attribute of every
// row, in order.
func setDigest(sets []keypoints.Set) string {
	h := sha256.New()
	for _, s := range sets {
		h.Write(setBytes(s))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// setBytes is a set as bytes: its length, then its rows.
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
