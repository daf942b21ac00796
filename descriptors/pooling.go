package descriptors

import (
	"errors"
	"fmt"
	"math"

	"descbench/keypoints"
)

// A Pooling describes every keypoint at several domain sizes and makes one row
// of their rows: Scaled, then any extractor, then Pool, then Root and Normalize
// as for every other descriptor.
//
// Source: Dong, Soatto, Domain-Size Pooling in Local Descriptors: DSP-SIFT,
// CVPR 2015. There it is the unweighted mean.
type Pooling struct {
	Scales    []float64 // domain sizes, as factors of the keypoint's size
	Weights   []float64 // of the scales in a mean, relative to each other; nil: all equal
	Aggregate Aggregate // any but Weighted

	// FixedOctave keeps the octave field of the keypoints, so that a scale
	// changes the window but not the image, and its blur, that is looked at.
	FixedOctave bool

	RootEach      bool // divide the row of each scale by its L1 norm and take square roots
	NormalizeEach Norm // then scale it to length 1; after rooting, which brings its own L1 norm
}

// Check fails if p cannot be carried out, and says what was expected.
func (p Pooling) Check() error {
	if len(p.Scales) == 0 {
		return errors.New("no scales, want at least one")
	}
	for i, s := range p.Scales {
		if !(s > 0) || math.IsInf(s, 1) {
			return fmt.Errorf("scale %d is %v, want a positive finite number", i+1, s)
		}
	}
	if p.Aggregate > Concatenate {
		return fmt.Errorf("aggregate %v, want mean, max, min or concatenate", p.Aggregate)
	}
	if p.Weights == nil {
		return nil
	}
	if p.Aggregate != Mean {
		return fmt.Errorf("weights with aggregate %v, want them with mean only", p.Aggregate)
	}
	return checkWeights(p.Weights, len(p.Scales), "scales")
}

// Scaled returns what an extractor is to describe, all in one go: keypoint i of
// kps at scale s of S is keypoint i·S+s of the result. kps is not modified.
//
// resize returns a keypoint with another size, in px, and with the octave field
// that agrees with it. For keypoints whose octave field is SIFT's it is
// keypoints.ScaleSpace.Resize, with the descriptor's n_octave_layers and sigma;
// it leaves a keypoint that SIFT found as it is at scale 1. An octave for which
// there is no image is not replaced by the nearest: the extractor must leave
// that row invalid.
//
// resize is called for scale 1 too, since it also gives an octave to keypoints
// of other detectors, whose field says something else. What does not read the
// octave field takes nil, as do descriptors that are to keep it: then, and with
// FixedOctave, only the size changes.
func (p Pooling) Scaled(kps []keypoints.Keypoint, resize func(k keypoints.Keypoint, size float32) keypoints.Keypoint) []keypoints.Keypoint {
	if p.FixedOctave || resize == nil {
		resize = func(k keypoints.Keypoint, size float32) keypoints.Keypoint {
			k.Size = size
			return k
		}
	}
	out := make([]keypoints.Keypoint, 0, len(kps)*len(p.Scales))
	for _, k := range kps {
		for _, s := range p.Scales {
			out = append(out, resize(k, float32(float64(k.Size)*s)))
		}
	}
	return out
}

// Pool returns one row per keypoint, from the rows of what Scaled returns, as
// the extractor gave them: first each is rooted and normalised by itself, where
// p asks for it, then the rows of a keypoint are aggregated. Nothing is applied
// to the result.
//
// Mean, Max and Min are taken over the scales whose row is valid; the weights
// are those of these scales, divided by their sum. Concatenate, whose rows are S
// times as long, in the order of the scales, needs all S. A row without enough
// valid scales is invalid, and so is one that comes out as zeros, or whose valid
// scales all have weight zero.
//
// A mean is summed in float64 in the order of the scales, and each element
// rounded to float32 once. It does not depend on that order if the rows are
// Uint8 and the weights equal, and otherwise by rounding only. What leaves the
// elements of Uint8 rows as they are is Uint8 again: Max, Min, Concatenate, and
// any aggregate of one scale, which is then the plain descriptor.
//
// It fails if m holds bits, if its number of rows is not a multiple of S, or
// where Check, Root and Normalize do. m is not modified.
func (p Pooling) Pool(m *Matrix) (*Matrix, error) {
	if err := p.Check(); err != nil {
		return nil, fmt.Errorf("pool: %w", err)
	}
	if m.Type == Bits {
		return nil, fmt.Errorf("pool: rows of %v cannot be pooled, want uint8 or float32", m.Type)
	}
	scales := len(p.Scales)
	if m.Rows%scales != 0 {
		return nil, fmt.Errorf("pool: %d rows, want a multiple of %d, the number of scales", m.Rows, scales)
	}
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
	return p.Aggregate.combine(parts, p.Weights, p.Aggregate == Concatenate), nil
}

// finishEach returns the rows of m as they are aggregated.
func (p Pooling) finishEach(m *Matrix) (*Matrix, error) {
	if p.RootEach {
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
	return m.writtenOut(), nil
}
