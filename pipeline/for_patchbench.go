package pipeline

import (
	"context"
	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// What package patchbench needs of this one.

// A Describer describes keypoints by one descriptor that looks at pixels. Close
// frees its network, if it has one.
type Describer struct {
	descriptor config.Descriptor
	nets       *networks
}

// NewDescriber returns a describer.
func NewDescriber(d config.Descriptor) *Describer { return &Describer{d, newNetworks()} }

// Close frees the network.
func (p *Describer) Close() { p.nets.close() }

// Describe returns the rows of keypoints as they are compared: pooled, rooted
// and normalised as the descriptor says. Several goroutines may call it.
func (p *Describer) Describe(img detect.Image, kps []keypoints.Keypoint) (*descriptors.Matrix, error) {
	d := p.descriptor
	raw := func(kps []keypoints.Keypoint) (*descriptors.Matrix, error) {
		if d.ONNX != nil {
			return p.nets.describe(*d.ONNX, img, kps)
		}
		return extract.Extract(img, kps, d.Type, d.Params)
	}
	var m *descriptors.Matrix
	var err error
	if d.Pooling == nil {
		m, err = raw(kps)
	} else {
		pooling, wrong := poolingOf(d.Pooling)
		if wrong != nil {
			return nil, wrong
		}
		if m, err = raw(pooling.Scaled(kps, poolResizer(d))); err == nil {
			m, err = pooling.Pool(m)
		}
	}
	if err != nil {
		return nil, err
	}
	if m, err = rooted(m, d.Root); err != nil {
		return nil, err
	}
	return normalized(m, d.Normalize)
}

// PoolResizer returns how a descriptor's keypoints take another size.
func PoolResizer(d config.Descriptor) keypoints.Resizer { return poolResizer(d) }

// OpenStoredScene reads scene i of a stored set from the folder root, undecoded.
// It must be the one that the set is of.
func OpenStoredScene(ctx context.Context, root string, f *store.KeypointFile, i int) (*dataset.Scene, error) {
	return openSameScene(ctx, root, f.Path(), sceneOf(f.Scenes[i]))
}

// MakeFolder makes a folder in dir to compute in, and removes those that killed
// processes left.
func MakeFolder(dir string) (string, error) { return makeFolder(dir) }

// WriteJSON writes a file at once.
func WriteJSON(path string, v any) error { return writeJSON(path, v) }

// WriteBytes writes a file at once.
func WriteBytes(path string, b []byte) error { return writeBytes(path, b) }

// CurrentEnvironment is what goes into environment.json.
func CurrentEnvironment(version string) any { return currentEnvironment(version) }

// MetricsFile and DatabaseFile are the names that a run folder has for them.
const (
	MetricsFile  = "metrics.csv"
	DatabaseFile = "results.sqlite"
)

// Compared are a descriptor's figures of scenes.
type Compared struct {
	Name   string
	Scenes map[string]ComparedFigure
}

// A ComparedFigure is that of one scene. Figures are compared if their digests
// are equal: of what they stand on.
type ComparedFigure struct {
	Digest string
	Value  float64
}

// A FigureComparison compares descriptors with a baseline, each on the scenes
// that both have.
type FigureComparison struct{ comparing }

// NewFigureComparison returns a comparison that adds what it finds to out.
func NewFigureComparison(out *report.Comparison, base Compared) *FigureComparison {
	return &FigureComparison{comparing{base: base.descriptor(), out: out}}
}

// Add compares a descriptor.
func (c *FigureComparison) Add(d Compared) error { return c.addShared(d.descriptor()) }

// Judge corrects p over all that were added, and says which differences are
// real.
func (c *FigureComparison) Judge() { c.correct() }

func (d Compared) descriptor() *comparedDescriptor {
	out := &comparedDescriptor{name: d.Name, scenes: make(map[string]comparedScene)}
	for scene, f := range d.Scenes {
		out.scenes[scene] = comparedScene{digest: f.Digest, value: f.Value}
	}
	return out
}
