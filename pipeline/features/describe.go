package features

import (
	"context"
	"fmt"
	"time"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Load loads the keypoint sets that a descriptor and its parts need, and returns
// the sets that it describes, one per image. Call it before Rows and Rooted,
// which run while holding a processor slot.
func (w *Scene) Load(ctx context.Context, d config.Descriptor) ([]keypoints.Set, error) {
	if d.Fusion == nil {
		sets, err := w.Set(ctx, d.Keypoints)
		for i := range sets {
			if err == nil {
				err = w.checkSizes(d, i, sets[i])
			}
		}
		return sets, err
	}
	for _, part := range w.Plan.Parts(d) {
		if _, err := w.Load(ctx, part); err != nil {
			return nil, err
		}
	}
	return w.Set(ctx, w.Plan.Config.SetOf(d))
}

// Rows returns a descriptor's rows for image i in the form in which they are
// compared, and the extraction time, which is 0 if all rows came from the cache.
func (w *Scene) Rows(d config.Descriptor, i int) (*descriptors.Matrix, time.Duration, error) {
	m, took, err := w.Rooted(d, i)
	if err != nil {
		return nil, 0, err
	}
	if d.File != nil && m.Type == descriptors.Bits && d.Normalize == descriptors.L2 {
		return m, took, nil // the default, set before the file stated its type
	}
	m, err = descriptors.Normalize(m, d.Normalize)
	return m, took, err
}

// Rooted returns a descriptor's rows for image i before normalisation.
func (w *Scene) Rooted(d config.Descriptor, i int) (*descriptors.Matrix, time.Duration, error) {
	var m *descriptors.Matrix
	var took time.Duration
	var err error
	if d.Fusion != nil {
		m, took, err = w.fused(d, i)
	} else {
		m, took, err = w.pooled(d, i, w.sets[d.Keypoints][i])
	}
	if err != nil {
		return nil, 0, err
	}
	m, err = rooted(m, d.Root)
	return m, took, err
}

// rooted returns the raw rows, rooted if requested.
func rooted(raw *descriptors.Matrix, root descriptors.Norm) (*descriptors.Matrix, error) {
	if root == descriptors.L1 {
		return descriptors.Root(raw)
	}
	return raw, nil
}

// fused combines the rows of a fusion's parts, each in the form in which it
// would be compared on its own.
func (w *Scene) fused(d config.Descriptor, i int) (*descriptors.Matrix, time.Duration, error) {
	parts := w.Plan.Parts(d)
	var rows []*descriptors.Matrix
	var took time.Duration
	for _, part := range parts {
		m, t, err := w.Rows(part, i)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", part.Name, err)
		}
		rows = append(rows, m)
		took += t
	}
	if err := w.checkParts(d, parts, rows, i); err != nil {
		return nil, 0, err
	}
	m, err := descriptors.Fuse(rows, d.Fusion.Aggregate, d.Fusion.Weights)
	return m, took, err
}

// pooled returns a descriptor's rows before rooting and normalisation.
func (w *Scene) pooled(d config.Descriptor, i int, set keypoints.Set) (*descriptors.Matrix, time.Duration, error) {
	var took time.Duration
	m, err := pooled(d, set.Keypoints, func(kps []keypoints.Keypoint) (m *descriptors.Matrix, err error) {
		m, took, err = w.raw(d, i, keypoints.Set{Keypoints: kps})
		return m, err
	})
	return m, took, err
}

// pooled returns the raw rows of the keypoints, or, with domain-size pooling,
// the raw rows at all sizes pooled into one row per keypoint.
func pooled(d config.Descriptor, kps []keypoints.Keypoint, raw func([]keypoints.Keypoint) (*descriptors.Matrix, error)) (*descriptors.Matrix, error) {
	if d.Pooling == nil {
		return raw(kps)
	}
	pooling := poolingOf(d.Pooling)
	kind, _ := descriptors.FindKind(d.Type)
	m, err := raw(pooling.Scaled(kps, kind.Resizer(d.Params)))
	if err != nil {
		return nil, err
	}
	return pooling.Pool(m)
}

// poolingOf converts a config's pooling to that of package descriptors.
func poolingOf(p *config.Pooling) descriptors.Pooling {
	out := descriptors.Pooling{
		Scales: p.Scales, Weights: p.WeightList, Aggregate: p.Aggregate, FixedOctave: p.FixedOctave,
		RootEach: p.RootEach == descriptors.L1, NormalizeEach: p.NormalizeEach,
	}
	if p.Weights != descriptors.ListedWeights {
		out.Weights = p.Weights.Weights(p.Scales, descriptors.WeightSigma)
	}
	return out
}

// rawSettings identifies the settings that determine a descriptor's raw rows.
// Pooling, rooting and normalisation are applied later and are cheap.
func rawSettings(d config.Descriptor) string { return d.Type + " " + d.Params.String() }

// raw returns a descriptor's raw rows for an image's keypoints, and the
// extraction time, which is 0 if they came from the cache.
func (w *Scene) raw(d config.Descriptor, i int, set keypoints.Set) (*descriptors.Matrix, time.Duration, error) {
	if d.File != nil {
		m, err := w.importedRows(d.File, i, set)
		return m, 0, err
	}
	settings := rawSettings(d)
	if d.ONNX != nil {
		digest, err := w.nets.settings(*d.ONNX)
		if err != nil {
			return nil, 0, err
		}
		settings = digest
	}
	key := store.Key("features", w.environment.ExtractionKey(), w.Source.Images[i].Digest, string(set.Bytes()), settings)
	m, err := w.cache.Features(key)
	if err == nil {
		return m, 0, nil
	}
	w.noteMiss(err)
	m, took := w.pictures[i].onePass[settings].pick(set)
	if m == nil {
		img, err := w.image(i)
		if err != nil {
			return nil, 0, err
		}
		start := time.Now()
		if m, err = w.nets.extract(d, *img, set.Keypoints); err != nil {
			return nil, 0, err
		}
		took = time.Since(start)
	}
	return m, took, plan.Fault(w.cache.PutFeatures(key, m))
}

// pick returns the rows of the set's keypoints, or nil if any of them was not
// detected in the same pass.
func (d describedDetection) pick(set keypoints.Set) (*descriptors.Matrix, time.Duration) {
	if d.raw == nil {
		return nil, 0
	}
	rows := make([]int, set.Len())
	for i, k := range set.Keypoints {
		row, ok := d.rowOf[k]
		if !ok {
			return nil, 0
		}
		rows[i] = row
	}
	return d.raw.Select(rows), d.took
}
