package patchnet

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/openfile"
)

// A Net is a patch network. It is safe for concurrent use: OpenCV's network is
// not, so each goroutine runs its own copy. The number of copies is the largest
// number of concurrent calls of Describe so far.
type Net struct {
	options Options
	model   []byte
	digest  string
	dim     int

	mu     sync.Mutex
	idle   []network
	closed bool
}

// maxModel is the maximum size of a model file in bytes, as for every message of
// Protocol Buffers.
const maxModel = 2 << 30

// Open loads an ONNX model from a file; see Load.
func Open(path string, o Options) (*Net, error) {
	model, err := openfile.Read(path, maxModel)
	if err != nil {
		return nil, fmt.Errorf("patch network: %w", err)
	}
	n, err := Load(model, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}

// Load loads an ONNX model and runs it once, so it fails if the model does not
// fit the options or if OpenCV cannot run it. The model has one input and one
// output with one descriptor per patch: the first dimension of the output is
// the batch, and the other dimensions are read as one row. The caller closes
// the network.
//
// OpenCV 4.6 does not support every operation. It supports few of those that
// networks use at the end to scale descriptors to unit length. Such a final
// step may be removed, because rows are normalised later.
func Load(model []byte, o Options) (*Net, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("patch network: %w", err)
	}
	sum := sha256.Sum256(model)
	n := &Net{options: o, model: slices.Clone(model), digest: hex.EncodeToString(sum[:])}
	if err := checkGraph(n.model); err != nil {
		return nil, fmt.Errorf("patch network: load ONNX model: %w", err)
	}
	if err := o.checkInput(n.model); err != nil {
		return nil, fmt.Errorf("patch network: %w", err)
	}
	if err := o.survives(n.model); err != nil {
		return nil, fmt.Errorf("patch network: %w", err)
	}
	first, err := loadNetwork(n.model)
	if err != nil {
		return nil, fmt.Errorf("patch network: load ONNX model: %w", err)
	}
	if n.dim, err = o.try(first); err != nil {
		first.close()
		return nil, fmt.Errorf("patch network: %w", err)
	}
	n.idle = []network{first}
	return n, nil
}

// Digest returns the SHA-256 digest of the model in hexadecimal.
func (n *Net) Digest() string { return n.digest }

// Close frees the network. Running calls of Describe finish normally; later
// calls fail. Closing twice is harmless.
func (n *Net) Close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.closed = true
	for _, idle := range n.idle {
		idle.close()
	}
	n.idle = nil
}

// Describe returns the raw descriptors of the keypoints; row i describes
// kps[i]. Rows are invalid if the keypoint is not finite, has no size or is
// outside the image, or if the network's output is not finite or all zero.
//
// Patches are sampled bilinearly. If the samples are further apart than the
// image's pixels, finer detail is filtered out first. Beyond the image edge,
// the outermost pixels are repeated.
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
		net.close() // a network is unusable after an error
		return nil, err
	}
	n.put(net)
	m.MarkEmpty()
	return m, nil
}

// fill computes the rows of the keypoints that have patches, batch by batch. It
// pads the last batch with zeros, because another batch size would make OpenCV
// reallocate its memory.
func (n *Net) fill(m *descriptors.Matrix, net network, sampler *sampler, kps []keypoints.Keypoint) error {
	size := n.options.patchInputs()
	input := make([]float32, n.options.inputs())
	var rows []int // rows of the patches in input
	flush := func() error {
		if len(rows) == 0 {
			return nil
		}
		clear(input[len(rows)*size:])
		output, dim, err := n.options.run(net, input, false)
		if err == nil && dim != n.dim {
			err = fmt.Errorf("the model returned %d numbers per patch, want %d as before", dim, n.dim)
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

// take returns a network for exclusive use.
func (n *Net) take() (network, error) {
	net, ok, err := n.takeIdle()
	if ok || err != nil {
		return net, err
	}
	net, err = loadNetwork(n.model)
	if err != nil {
		return network{}, fmt.Errorf("load another copy of the ONNX model: %w", err)
	}
	return net, nil
}

// takeIdle returns an idle network; ok is false if there is none.
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
