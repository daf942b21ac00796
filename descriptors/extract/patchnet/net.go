package patchnet

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"descbench/descriptors"
	"descbench/descriptors/onnx"
	"descbench/files"
	"descbench/keypoints"
	"descbench/keypoints/detect"
)

// A Net is a patch network. It is safe for concurrent use: OpenCV's network is
// not, so each goroutine runs its own copy. The number of copies is the largest
// number of concurrent calls of Describe so far.
type Net struct {
	options Options
	name    string
	digest  string
	program *onnx.Program
	dim     int

	mu   sync.Mutex
	idle []*network
}

// maxModel is the maximum size of a model file in bytes, as for every message of
// Protocol Buffers.
const maxModel = 2 << 30

// Open loads an ONNX model from a file; see Load.
func Open(path string, o Options) (*Net, error) {
	model, err := files.Read(path, maxModel)
	if err != nil {
		return nil, fmt.Errorf("patch network: %w", err)
	}
	n, err := Load(path, model, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}

// Load reads an ONNX model and runs it, so it fails if the model does not fit the
// options or if OpenCV cannot run it. The model has one input and one output with one
// descriptor per patch: the first dimension of the output is the batch, and the other
// dimensions are read as one row. The caller closes the network. If OpenCV crashes, in
// Load or later, the process ends with status 3 and a line that gives the model's name.
//
// OpenCV 4.6 does not support every operator; package onnx runs those of the usual
// normalisations itself.
func Load(name string, model []byte, o Options) (*Net, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("patch network: %w", err)
	}
	sum := sha256.Sum256(model)
	model = slices.Clone(model)
	m, err := onnx.Read(model)
	if err != nil {
		return nil, fmt.Errorf("patch network: load ONNX model: %w", err)
	}
	if err := o.checkInput(m); err != nil {
		return nil, fmt.Errorf("patch network: %w", err)
	}
	program, err := m.Cut()
	if err != nil {
		return nil, fmt.Errorf("patch network: load ONNX model: %w", err)
	}
	net := newNetwork(name, program)
	dim, err := o.try(net)
	if err != nil {
		net.close()
		return nil, fmt.Errorf("patch network: %w", err)
	}
	return &Net{options: o, name: name, program: program, digest: hex.EncodeToString(sum[:]), dim: dim, idle: []*network{net}}, nil
}

// Digest returns the SHA-256 digest of the model in hexadecimal.
func (n *Net) Digest() string { return n.digest }

// Close frees the network when all calls of Describe have returned.
func (n *Net) Close() {
	for _, idle := range n.idle {
		idle.close()
	}
}

// Describe returns the raw descriptors of the keypoints; row i describes
// kps[i]. Rows are invalid if the keypoint is not finite, has no size or is
// outside the image, or if the network's output is not finite or all zero.
//
// Patches are sampled bilinearly. If the samples are further apart than the
// image's pixels, finer detail is filtered out first. Beyond the image edge,
// the outermost pixels are repeated.
func (n *Net) Describe(img detect.Image, kps []keypoints.Keypoint) (*descriptors.Matrix, error) {
	m, err := n.describe(len(kps), func(b *batches) error {
		return b.image(img, 0, kps)
	})
	if err != nil {
		return nil, fmt.Errorf("patch network: describe %d keypoints: %w", len(kps), err)
	}
	return m, nil
}

// DescribeEach does the same for count images, at least one, with the same number
// of keypoints each, in batches that are filled over all of them: row i·per + k
// describes keypoint k of image i, with per = len(kps)/count. It calls image for one image
// after the other and closes what it returns.
func (n *Net) DescribeEach(count int, image func(i int) (detect.Image, error), kps []keypoints.Keypoint) (*descriptors.Matrix, error) {
	m, err := n.describe(len(kps), func(b *batches) error {
		per := len(kps) / count
		for i := range count {
			img, err := image(i)
			if err != nil {
				return err
			}
			err = b.image(img, i*per, kps[i*per:(i+1)*per])
			img.Close()
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("patch network: describe %d images: %w", count, err)
	}
	return m, nil
}

// describe returns the rows that fill adds to the batches.
func (n *Net) describe(rows int, fill func(*batches) error) (*descriptors.Matrix, error) {
	net := n.take()
	b := &batches{Net: n, net: net, out: descriptors.New(rows, n.dim, descriptors.Float32), input: make([]float32, n.options.inputs())}
	err := fill(b)
	if err == nil {
		err = b.flush()
	}
	if err != nil {
		net.close() // a network is unusable after an error
		return nil, err
	}
	n.put(net)
	b.out.MarkEmpty()
	return b.out, nil
}

// batches collects patches and runs the network whenever a batch is full. It
// pads the last batch with zeros, because another batch size would make OpenCV
// reallocate its memory, and could change the rows: which patches share a batch
// depends on the caller's keypoints and images alone.
type batches struct {
	*Net
	net   *network
	out   *descriptors.Matrix
	input []float32
	rows  []int // of out, for the patches in input
}

// image adds the keypoints of an image, the first of which belongs to row first.
func (b *batches) image(img detect.Image, first int, kps []keypoints.Keypoint) error {
	return EachPatch(img, kps, b.options, func(i int, patch []float32) error {
		copy(b.input[len(b.rows)*len(patch):], patch)
		if b.rows = append(b.rows, first+i); len(b.rows) < b.options.Batch {
			return nil
		}
		return b.flush()
	})
}

func (b *batches) flush() error {
	if len(b.rows) == 0 {
		return nil
	}
	clear(b.input[len(b.rows)*b.options.patchInputs():])
	output, dim, err := b.options.run(b.net, b.input)
	if err == nil && dim != b.dim {
		err = fmt.Errorf("the model returned %d numbers per patch, want %d as before", dim, b.dim)
	}
	if err != nil {
		return err
	}
	for i, row := range b.rows {
		copy(b.out.Float32[row*b.dim:(row+1)*b.dim], output[i*b.dim:])
	}
	b.rows = b.rows[:0]
	return nil
}

// take returns a network for exclusive use: an idle one, or a new one.
func (n *Net) take() *network {
	n.mu.Lock()
	defer n.mu.Unlock()
	if last := len(n.idle) - 1; last >= 0 {
		net := n.idle[last]
		n.idle = n.idle[:last]
		return net
	}
	return newNetwork(n.name, n.program)
}

func (n *Net) put(net *network) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.idle = append(n.idle, net)
}
