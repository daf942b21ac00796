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

// Load gets the keypoint sets that a descriptor needs, its parts' too, and
// returns those that it describes. It must come before rows, which runs with
// a processor slot in hand.
func (w *Scene) Load(ctx context.Context, d config.Descriptor) ([]keypoints.Set, error) {
	if d.Fusion == nil {
		return w.Set(ctx, d.Keypoints)
	}
	for _, part := range w.Plan.Parts(d) {
		if _, err := w.Load(ctx, part); err != nil {
			return nil, err
		}
	}
	return w.Set(ctx, w.Plan.Config.SetOf(d))
}

// Rows returns the rows of a descriptor for image i as they are compared, and
// how long extraction took; 0 if all came from the cache.
func (w *Scene) Rows(d config.Descriptor, i int) (*descriptors.Matrix, time.Duration, error) {
	m, took, err := w.Rooted(d, i)
	if err != nil {
		return nil, 0, err
	}
	m, err = descriptors.Normalize(m, d.Normalize)
	return m, took, err
}

// Rooted returns the rows of a descriptor for image i before normalisation.
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

// fused joins the rows of a fusion's parts, each as it would be compared by
// itself.
func (w *Scene) fused(d config.Descriptor, i int) (*descriptors.Matrix, time.Duration, error) {
	var parts []*descriptors.Matrix
	var took time.Duration
	for _, part := range w.Plan.Parts(d) {
		m, t, err := w.Rows(part, i)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", part.Name, err)
		}
		parts = append(parts, m)
		took += t
	}
	m, err := descriptors.Fuse(parts, d.Fusion.Aggregate, d.Fusion.Weights)
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

// pooled returns the raw rows of a descriptor's keypoints, or what domain-size
// pooling makes of those of all sizes.
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

// poolingOf turns a config's pooling into that of package descriptors.
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

// rawSettings names what determines a descriptor's raw rows; pooling, rooting
// and normalisation come after and cost nothing.
func rawSettings(d config.Descriptor) string { return d.Type + " " + d.Params.String() }

// raw returns the raw rows of a descriptor for an image's keypoints, and how
// long they took to compute; 0 if they came from the cache.
func (w *Scene) raw(d config.Descriptor, i int, set keypoints.Set) (*descriptors.Matrix, time.Duration, error) {
	if d.File != nil {
		m, err := w.importedRows(d.File.Path, d.File.Origin, i, set)
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
	w.noteDamage(err)
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

// pick returns the rows of a set of detected keypoints, or nil if the set has
// others.
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
