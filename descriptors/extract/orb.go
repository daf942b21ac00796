package extract

import (
	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// extractORB describes keypoints by the patch around them in the pyramid level
// given by their octave. OpenCV drops keypoints at the border and sorts the
// others by level.
func extractORB(img detect.Image, kps []keypoints.Keypoint, p keypoints.Params) (*descriptors.Matrix, error) {
	q := queryOf(kps, describableByORB(img, p))
	q.tag()
	for i := range q.given {
		if q.given[i].Angle == keypoints.NoAngle {
			q.given[i].Angle = 0 // upright; OpenCV would use -1 as an angle
		}
	}
	return compute("orb", img.Gray, len(kps), p, q)
}

const orbBytes = 32

// describableByORB returns a function that reports whether a keypoint can be
// described with ORB's pyramid. Without this check OpenCV builds as many levels
// as the largest octave requires, even for SIFT's packed octaves, and reads
// outside an image without a border.
func describableByORB(img detect.Image, p keypoints.Params) func(keypoints.Keypoint) bool {
	w, h := img.Width(), img.Height()
	levels := detect.ORBLevels(w, h, p)
	inside := keypoints.Border{Rule: keypoints.HalfOpen}
	return func(k keypoints.Keypoint) bool {
		return k.Finite() && k.Octave >= 0 && int(k.Octave) < levels && inside.Contains(k.X, k.Y, w, h)
	}
}

// spread re-encodes ORB's rows so that their Hamming distance is the right
// distance. With wta_k = 3 or 4 a row holds 128 numbers from 0 to 3 in two bits
// each, and the intended distance (OpenCV's NORM_HAMMING2) is how many of them
// differ. With the 3-bit codes 000, 011, 101 and 110, any two numbers differ in
// exactly two bits.
func spread(m *descriptors.Matrix, p keypoints.Params) (*descriptors.Matrix, error) {
	if p.Int("wta_k") == 2 {
		return m, nil
	}
	const numbers = 4 * orbBytes
	out := descriptors.New(m.Rows, 3*numbers, descriptors.Bits)
	out.CopyMarks(m)
	for i := range m.Rows {
		if m.IsInvalid(i) {
			continue
		}
		from, to := m.Uint8[i*m.Stride():], out.Uint8[i*out.Stride():]
		for j := range numbers {
			code := [...]uint8{0b000, 0b011, 0b101, 0b110}[from[j/4]>>(j%4*2)&3]
			for b := range 3 {
				to[(3*j+b)/8] |= code >> b & 1 << ((3*j + b) % 8)
			}
		}
	}
	return out, nil
}
