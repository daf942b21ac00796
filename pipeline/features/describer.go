package features

import (
	"slices"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
)

// A Describer computes one pixel-based descriptor for images that do not belong
// to a scene. It caches nothing. Close frees its network, if it has one.
type Describer struct {
	descriptor config.Descriptor
	nets       *networks
}

// NewDescriber returns a Describer and loads the descriptor's network, if it has
// one.
func NewDescriber(d config.Descriptor) (*Describer, error) {
	detect.UseOneThread()
	p := &Describer{d, newNetworks()}
	if d.ONNX != nil {
		if _, err := p.nets.get(*d.ONNX); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Settings identifies what raw rows depend on in addition to images and keypoints:
// the settings, the content of a network's model, and the software that computes them.
func (p *Describer) Settings() (string, error) {
	settings := rawSettings(p.descriptor)
	if p.descriptor.ONNX != nil {
		var err error
		if settings, err = p.nets.settings(*p.descriptor.ONNX); err != nil {
			return "", err
		}
	}
	return settings + "; " + plan.CurrentEnvironment("").ExtractionKey(), nil
}

// Close frees the network.
func (p *Describer) Close() { p.nets.close() }

// DescribePatches returns the row of the same keypoint in each of count images, in
// the form in which rows are compared: pooled, rooted and normalised as the
// descriptor's config says. It calls patch for one image after the other and closes
// what it returns. A network gets full batches of patches. It is safe for concurrent
// use.
func (p *Describer) DescribePatches(count int, patch func(i int) (detect.Image, error), k keypoints.Keypoint) (*descriptors.Matrix, error) {
	kps := scaled(p.descriptor, slices.Repeat([]keypoints.Keypoint{k}, count))
	m, err := p.nets.extractEach(p.descriptor, count, patch, kps)
	if err == nil {
		m, err = pooled(p.descriptor, m)
	}
	if err != nil {
		return nil, err
	}
	return Finished(p.descriptor, m)
}

// Finished returns raw rows, pooled or fused, in the form in which they are compared:
// rooted and normalised as the descriptor's config says.
func Finished(d config.Descriptor, m *descriptors.Matrix) (*descriptors.Matrix, error) {
	m, err := rooted(m, d.Root)
	if err != nil {
		return nil, err
	}
	return descriptors.Normalize(m, d.Normalize)
}
