package keypoints

import "fmt"

// A Measure is what keypoints are selected by; more is better.
type Measure uint8

const (
	// ByResponse measures a keypoint by the strength that its detector gave it.
	ByResponse Measure = iota
	// BySize measures a keypoint by its diameter in pixels.
	BySize
	// ByOctave measures a keypoint by its octave, a whole number: the lowest byte
	// of the octave field, which is signed (SIFT's doubled image is octave -1).
	// The layer within the octave does not count.
	ByOctave
)

// String returns the name of the measure in configs.
func (m Measure) String() string {
	switch m {
	case ByResponse:
		return "response"
	case BySize:
		return "size"
	case ByOctave:
		return "octave"
	}
	return fmt.Sprintf("Measure(%d)", uint8(m))
}

// of returns what a keypoint measures.
func (m Measure) of(k Keypoint) float64 {
	switch m {
	case BySize:
		return float64(k.Size)
	case ByOctave:
		octave, _ := UnpackOctave(k.Octave)
		return float64(octave)
	}
	return float64(k.Response)
}
