package features

import (
	"fmt"
	"sync"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/descriptors/extract/patchnet"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
)

// networks holds the patch networks of a run. They are loaded on first use and
// shared by all scenes.
type networks struct {
	mu     sync.Mutex
	loaded map[string]*patchnet.Net // by model and options
}

func newNetworks() *networks { return &networks{loaded: make(map[string]*patchnet.Net)} }

// close frees all networks.
func (n *networks) close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, net := range n.loaded {
		net.Close()
	}
	clear(n.loaded)
}

func (n *networks) get(o descriptors.PatchNetwork) (*patchnet.Net, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	key := fmt.Sprintf("%+v", o)
	if net := n.loaded[key]; net != nil {
		return net, nil
	}
	net, err := patchnet.Open(o.Model, patchnet.Options(o))
	if err != nil {
		// Affects the whole run, not only the scene that comes first.
		return nil, plan.Fault(err)
	}
	n.loaded[key] = net
	return net, nil
}

// settings identifies what a network's rows depend on: the model's content and
// the options, but not the file name.
func (n *networks) settings(o descriptors.PatchNetwork) (string, error) {
	net, err := n.get(o)
	if err != nil {
		return "", err
	}
	o.Model = net.Digest()
	return fmt.Sprintf("onnx %d %+v", patchnet.Version, o), nil
}

// extract returns the raw rows of a pixel-based descriptor.
func (n *networks) extract(d config.Descriptor, img detect.Image, kps []keypoints.Keypoint) (*descriptors.Matrix, error) {
	if d.ONNX == nil {
		return extract.Extract(img, kps, d.Type, d.Params)
	}
	net, err := n.get(*d.ONNX)
	if err != nil {
		return nil, err
	}
	return net.Describe(img, kps)
}

// extractEach returns the raw rows of the keypoints of count images, at least one,
// with the same number of keypoints each, one image after the other.
func (n *networks) extractEach(d config.Descriptor, count int, image func(i int) (detect.Image, error), kps []keypoints.Keypoint) (*descriptors.Matrix, error) {
	if d.ONNX != nil {
		net, err := n.get(*d.ONNX)
		if err != nil {
			return nil, err
		}
		return net.DescribeEach(count, image, kps)
	}
	return each(count, image, kps, func(i int, img detect.Image, kps []keypoints.Keypoint) (*descriptors.Matrix, error) {
		return extract.Extract(img, kps, d.Type, d.Params)
	})
}

// each joins the rows of count images, each described by its share of the keypoints.
func each(count int, image func(i int) (detect.Image, error), kps []keypoints.Keypoint, describe func(i int, img detect.Image, kps []keypoints.Keypoint) (*descriptors.Matrix, error)) (*descriptors.Matrix, error) {
	var all *descriptors.Matrix
	per := len(kps) / count
	for i := range count {
		img, err := image(i)
		if err != nil {
			return nil, err
		}
		m, err := describe(i, img, kps[i*per:(i+1)*per])
		img.Close()
		if err == nil && all != nil && (m.Dim != all.Dim || m.Type != all.Type) {
			err = fmt.Errorf("rows of %s, want %s as before", elements(m), elements(all))
		}
		if err != nil {
			return nil, fmt.Errorf("patch %d: %w", i, err)
		}
		if all == nil {
			all = descriptors.New(len(kps), m.Dim, m.Type)
		}
		for k := range per {
			all.CopyRow(i*per+k, m, k)
		}
	}
	return all, nil
}
