package patchnet

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// A Net is a patch network. It may be used by many goroutines, each of which
// runs a copy of OpenCV's network, which is not safe for that: there are as many
// copies as Describe ever ran at a time.
type Net struct {
	options Options
	model   []byte
	digest  string
	dim     int

	mu     sync.Mutex
	idle   []network
	closed bool
}

// Open is Load of a file.
func Open(path string, o Options) (*Net, error) {
	model, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("patch network: %w", err)
	}
	n, err := Load(model, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}

// Load loads an ONNX model and tries it, so that a model that does not fit the
// options, or that OpenCV cannot run, is an error here. The model has one input
// and one output, which holds one descriptor per patch: whatever its shape, its
// first dimension is the batch, and the others are read as one row. The caller
// closes the network.
//
// OpenCV 4.6 does not know every operation. Of those that networks end with to
// bring descriptors to unit length it knows few; such an end may be left away,
// as rows are normalised later.
func Load(model []byte, o Options) (*Net, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("patch network: %w", err)
	}
	sum := sha256.Sum256(model)
	n := &Net{options: o, model: slices.Clone(model), digest: hex.EncodeToString(sum[:])}
	first, err := loadNetwork(n.model)
	if err != nil {
		return nil, fmt.Errorf("patch network: load ONNX model: %w", err)
	}
	err = o.checkInput(n.model)
	if err == nil {
		n.dim, err = o.try(first)
	}
	if err != nil {
		first.close()
		return nil, fmt.Errorf("patch network: %w", err)
	}
	n.idle = []network{first}
	return n, nil
}

// Digest returns the SHA-256 of the model in hexadecimal.
func (n *Net) Digest() string { return n.digest }

// Close frees the network. Calls of Describe under way end as if it were open;
// later ones fail. Closing twice does no harm.
func (n *Net) Close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	for _, idle := range n.idle {
		idle.close()
	}
	n.idle = nil
}

// Describe returns the raw descriptors of the keypoints, row i being that of
// kps[i]. Rows are invalid of keypoints that are not finite, have no size or lie
// outside the image, and where the network's output is not finite or all zero.
//
// Patches are sampled bilinearly, without what is finer than their samples
// where they are coarser than the image; beyond its edge the image goes on as
// its outermost pixels are.
func (n *Net) Describe(img detect.Image, kps []keypoints.Keypoint) (*descriptors.Matrix, error) {
	m, err := n.describe(img, kps)
	if err != nil {
		return nil, fmt.Errorf("patch network: describe %d keypoints: %w", len(kps), err)
	}
	return m, nil
}

func (n *Net) describe(img detect.Image, kps []keypoints.Keypoint) (*descriptors.Matrix, error) {
	if err := img.Check(); err != nil {
		return nil, err
	}
	sampler, err := newSampler(img, kps, n.options)
	if err != nil {
		return nil, err
	}
	net, err := n.take()
	if err != nil {
		return nil, err
	}
	m := descriptors.New(len(kps), n.dim, descriptors.Float32)
	if err := n.fill(m, net, sampler, kps); err != nil {
		net.close() // what OpenCV left of it is not to be used again
		return nil, err
	}
	n.put(net)
	m.MarkEmpty()
	return m, nil
}

// fill computes the rows of the keypoints that have patches, a batch at a time.
// The last is filled up with zeros: a batch of another size would make OpenCV
// lay out its memory anew.
func (n *Net) fill(m *descriptors.Matrix, net network, sampler *sampler, kps []keypoints.Keypoint) error {
	size := n.options.patchInputs()
	input := make([]float32, n.options.inputs())
	var rows []int // of the patches in input
	flush := func() error {
		if len(rows) == 0 {
			return nil
		}
		clear(input[len(rows)*size:])
		output, dim, err := n.options.run(net, input, false)
		if err == nil && dim != n.dim {
			err = fmt.Errorf("the model gave %d numbers for a patch, and %d before", dim, n.dim)
		}
		if err != nil {
			return err
		}
		for i, row := range rows {
			copy(m.Float32[row*n.dim:(row+1)*n.dim], output[i*n.dim:])
		}
		rows = rows[:0]
		return nil
	}
	for row, k := range kps {
		if !sampler.describable(k) || !sampler.patch(k, input[len(rows)*size:][:size]) {
			continue
		}
		if rows = append(rows, row); len(rows) < n.options.Batch {
			continue
		}
		if err := flush(); err != nil {
			return err
		}
	}
	return flush()
}

// take returns a network that nobody else uses.
func (n *Net) take() (network, error) {
	net, ok, err := n.takeIdle()
	if ok || err != nil {
		return net, err
	}
	net, err = loadNetwork(n.model)
	if err != nil {
		return network{}, fmt.Errorf("load ONNX model once more: %w", err)
	}
	return net, nil
}

// takeIdle returns a network that nobody uses; ok is false if there is none.
func (n *Net) takeIdle() (net network, ok bool, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return network{}, false, errors.New("the network is closed")
	}
	last := len(n.idle) - 1
	if last < 0 {
		return network{}, false, nil
	}
	net = n.idle[last]
	n.idle = n.idle[:last]
	return net, true, nil
}

func (n *Net) put(net network) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		net.close()
		return
	}
	n.idle = append(n.idle, net)
}
