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
