package features

import (
	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/config"
)

// A Describer describes keypoints of images that belong to no scene by one
// descriptor that looks at pixels. Nothing is cached. Close frees its network,
// if it has one.
type Describer struct {
	descriptor config.Descriptor
	nets       *networks
}

// NewDescriber returns a describer. It loads the descriptor's network, if it has
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

// Close frees the network.
func (p *Describer) Close() { p.nets.close() }

// Describe returns the rows of keypoints as they are compared: pooled, rooted
// and normalised as the descriptor says. Several goroutines may call it.
func (p *Describer) Describe(img detect.Image, kps []keypoints.Keypoint) (*descriptors.Matrix, error) {
	m, err := pooled(p.descriptor, kps, func(kps []keypoints.Keypoint) (*descriptors.Matrix, error) {
		return p.nets.extract(p.descriptor, img, kps)
	})
	if err != nil {
		return nil, err
	}
	if m, err = rooted(m, p.descriptor.Root); err != nil {
		return nil, err
	}
	return descriptors.Normalize(m, p.descriptor.Normalize)
}
