package keypoints

import "fmt"

// A Measure is the value by which keypoints are selected; larger is better.
type Measure func(Keypoint) float64

// ByResponse measures a keypoint by the response that its detector assigned.
func ByResponse(k Keypoint) float64 { return float64(k.Response) }

// BySize measures a keypoint by its diameter in pixels.
func BySize(k Keypoint) float64 { return float64(k.Size) }

// ByOctave measures a keypoint by its octave, a whole number: the lowest byte
// of the octave field, which is signed (SIFT's doubled image is octave -1). The
// layer within the octave is ignored.
func ByOctave(k Keypoint) float64 {
	octave, _ := UnpackOctave(k.Octave)
	return float64(octave)
}

// ParseMeasure returns the measure with the given config name.
func ParseMeasure(name string) (Measure, error) {
	switch name {
	case "response":
		return ByResponse, nil
	case "size":
		return BySize, nil
	case "octave":
		return ByOctave, nil
	}
	return nil, fmt.Errorf("measure %q, want response, size or octave", name)
}
