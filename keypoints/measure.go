package keypoints

// A Measure is the value by which keypoints are selected; larger is better.
type Measure uint8

const (
	// ByResponse measures a keypoint by the response that its detector
	// assigned.
	ByResponse Measure = iota
	// BySize measures a keypoint by its diameter in pixels.
	BySize
	// ByOctave measures a keypoint by its octave, a whole number: the lowest
	// byte of the octave field, which is signed (SIFT's doubled image is octave
	// -1). The layer within the octave is ignored.
	ByOctave
)

// String returns the measure's config name.
func (m Measure) String() string {
	return [...]string{"response", "size", "octave"}[m]
}

// of returns the measure of a keypoint.
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
