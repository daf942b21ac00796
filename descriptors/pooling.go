package descriptors

import (
	"fmt"

	"descbench/keypoints"
)

// A Pooling describes every keypoint at several domain sizes and combines the
// rows into one. Call Scaled, then any extractor, then Pool, then Root and
// Normalize as for every other descriptor. Configs are checked for what the fields
// demand.
//
// Source: Dong, Soatto, Domain-Size Pooling in Local Descriptors: DSP-SIFT,
// CVPR 2015, which uses the unweighted mean.
type Pooling struct {
	Scales    []float64 // domain sizes, as factors of the keypoint's size; one or more, above 0
	Aggregate Aggregate

	RootEach      Norm // L1: divide the row of each scale by its L1 norm and take square roots
	NormalizeEach Norm // then scale it to length 1; applied after rooting
}

// Scaled returns the keypoints to pass to the extractor in one call: keypoint i
// of kps at scale s of S is keypoint i·S+s of the result. kps is not modified.
//
// resize returns a keypoint with another size, in px, and the matching octave
// field. For keypoints with SIFT's octave field it is
// keypoints.ScaleSpace.Resize with the descriptor's n_octave_layers and sigma;
// at scale 1 it leaves a SIFT keypoint unchanged. An octave without an image is
// not replaced by the nearest one: the extractor must leave that row invalid.
//
// resize is called for scale 1 too, because it also assigns an octave to
// keypoints of other detectors, whose octave field has another meaning.
func (p Pooling) Scaled(kps []keypoints.Keypoint, resize keypoints.Resizer) []keypoints.Keypoint {
	out := make([]keypoints.Keypoint, 0, len(kps)*len(p.Scales))
	for _, k := range kps {
		for _, s := range p.Scales {
			out = append(out, resize(k, float32(float64(k.Size)*s)))
		}
	}
	return out
}

// Pool returns one row per keypoint from the raw rows that the extractor
// returned for Scaled. It roots and normalises each row if p asks for it, then
// aggregates the rows of each keypoint. It does not post-process the result.
//
// Mean uses the scales whose row is valid. Concatenate joins the rows in the
// order of the scales, giving rows S times as long, and needs all S. A row is invalid if it
// lacks enough valid scales, or if it becomes all zeros.
//
// A mean is summed in float64 in the order of the scales, and each element is
// rounded to float32 once. For Uint8 rows it does not depend
// on that order; otherwise it does so only by rounding. Aggregates that only
// copy elements of Uint8 rows return Uint8: Concatenate, and a mean
// of one scale, which equals the plain descriptor.
//
// Pool fails if m holds bits, or if Root or Normalize fails. m is not modified.
func (p Pooling) Pool(m *Matrix) (*Matrix, error) {
	if m.Type == Bits {
		return nil, fmt.Errorf("pool: %v rows cannot be pooled, want uint8 or float32", m.Type)
	}
	scales := len(p.Scales)
	each, err := p.finishEach(m)
	if err != nil {
		return nil, fmt.Errorf("pool: %w", err)
	}
	parts := make([]*Matrix, scales)
	rows := make([]int, m.Rows/scales)
	for s := range parts {
		for i := range rows {
			rows[i] = i*scales + s
		}
		parts[s] = each.Select(rows)
	}
	return p.Aggregate.combine(parts, p.Aggregate == Concatenate), nil
}

// finishEach returns the rows of m in the form in which they are aggregated.
func (p Pooling) finishEach(m *Matrix) (*Matrix, error) {
	if p.RootEach == L1 {
		rooted, err := Root(m)
		if err != nil {
			return nil, err
		}
		m = rooted
	}
	m, err := Normalize(m, p.NormalizeEach)
	if err != nil {
		return nil, err
	}
	return m.WrittenOut(), nil
}
