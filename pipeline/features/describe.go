package features

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/pipeline/config"
)

// Load loads the keypoint sets that a descriptor and its parts need, and returns
// the sets that it describes, one per image. Call it before Rows and Rooted, which
// run while holding a processor slot. It is safe for concurrent use.
func (w *Scene) Load(ctx context.Context, d config.Descriptor) ([]keypoints.Set, error) {
	w.loading.Lock()
	defer w.loading.Unlock()
	for _, part := range w.Plan.Parts(d) {
		sets, err := w.Set(ctx, part.Keypoints)
		for i := range sets {
			err = cmp.Or(err, checkSizes(w.Plan.Config, w.Source, part, i, sets[i]))
		}
		if err != nil {
			return nil, err
		}
	}
	return w.Set(ctx, w.Plan.Config.SetOf(d))
}

// A Cost is what the rows of an image cost.
type Cost struct {
	Seconds float64 // of extraction, whenever that was; NaN for rows of another program
	Cached  bool    // nothing was extracted for this descriptor
}

// Rows returns a descriptor's rows for image i in the form in which they are
// compared, and their cost.
func (w *Scene) Rows(d config.Descriptor, i int) (*descriptors.Matrix, Cost, error) {
	b := builder{w, d.Name, i, Cost{Cached: true}}
	m, err := b.rows(d)
	return m, b.cost, err
}

// Rooted returns a descriptor's rows for image i before normalisation.
func (w *Scene) Rooted(d config.Descriptor, i int) (*descriptors.Matrix, error) {
	b := builder{w, d.Name, i, Cost{}}
	m, err := b.raw(d)
	if err != nil {
		return nil, err
	}
	return rooted(d, m)
}

// A builder makes the rows of one image for the descriptor of the given name, and
// adds up their cost.
type builder struct {
	*Scene
	name  string
	image int
	cost  Cost
}

func (b *builder) rows(d config.Descriptor) (*descriptors.Matrix, error) {
	m, err := b.raw(d)
	if err != nil {
		return nil, err
	}
	return compared(d, m)
}

// fused combines the rows of a fusion's parts, each in the form in which it
// would be compared on its own.
func (b *builder) fused(d config.Descriptor) (*descriptors.Matrix, error) {
	var rows []*descriptors.Matrix
	for _, part := range b.Plan.Parts(d) {
		m, err := b.rows(part)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part.Name, err)
		}
		rows = append(rows, m)
	}
	m, err := descriptors.Fuse(rows, d.Fusion.Aggregate)
	if err != nil {
		return nil, fmt.Errorf("descriptors[%s].of: %w", d.Name, err)
	}
	return m, nil
}

// raw returns a descriptor's raw rows; those of a fusion are combined from its parts. If Extract has not
// extracted them, because that failed, or if they have vanished from the cache, they are extracted alone.
func (b *builder) raw(d config.Descriptor) (*descriptors.Matrix, error) {
	if d.Fusion != nil {
		return b.fused(d)
	}
	if d.File != nil {
		b.cost.Seconds = math.NaN()
		return b.importedRows(d, b.image)
	}
	want, err := b.want(b.name, d, b.image)
	if err != nil {
		return nil, err
	}
	if err, failed := b.byProgram.Load(want.key); failed { // it is not called again
		return nil, err.(error)
	}
	m, seconds, err := b.kept(want)
	if err != nil {
		b.noteMiss(err)
		a := b.extract(b.image, []wanted{want})[0]
		if a.Err != nil {
			return nil, a.Err
		}
		m, seconds = a.Rows, a.Time.Seconds()
	}
	if by, ok := b.extracted.Load(want.key); ok && by == b.name {
		b.cost.Cached = false
	}
	b.cost.Seconds += seconds
	return m, nil
}

// rooted returns one row per keypoint, given the raw rows of scaled: pooled, and rooted if requested.
func rooted(d config.Descriptor, raw *descriptors.Matrix) (m *descriptors.Matrix, err error) {
	if m = raw; d.Pooling != nil {
		m, err = d.Pooling.Pool(raw)
	}
	if err == nil && d.Root == descriptors.L1 {
		m, err = descriptors.Root(m)
	}
	return m, err
}

// compared returns rows in the form in which they are compared, given the same as rooted.
func compared(d config.Descriptor, raw *descriptors.Matrix) (*descriptors.Matrix, error) {
	m, err := rooted(d, raw)
	if err != nil {
		return nil, err
	}
	if (d.File != nil || d.Command != nil) && m.Type == descriptors.Bits && d.Normalize == descriptors.L2 {
		return m, nil // the default, set before the file or the program stated its type
	}
	return descriptors.Normalize(m, d.Normalize)
}

// scaled returns the keypoints whose raw rows a descriptor is made of: with
// domain-size pooling, the keypoints at all sizes.
func scaled(d config.Descriptor, kps []keypoints.Keypoint) []keypoints.Keypoint {
	if d.Pooling == nil {
		return kps
	}
	kind, _ := descriptors.FindKind(d.Type)
	return d.Pooling.Scaled(kps, kind.Resizer(d.Params))
}
