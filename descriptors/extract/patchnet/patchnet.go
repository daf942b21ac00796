// Package patchnet describes keypoints with a neural network that maps an image
// patch to a descriptor. The network is an ONNX file. OpenCV's dnn module runs its
// convolutions on the CPU; package onnx runs what OpenCV does not.
package patchnet

import (
	"fmt"
	"math"
)

// Version is part of the key of cached features. Increase it with every change
// that gives a different row or validity for the same image, keypoints, model
// and options.
const Version = 3

// Channels are the channels of a pixel that a network gets, in the order of its
// input.
type Channels string

// The channels that a network can get.
const (
	Gray Channels = "gray" // 1: the grey image
	BGR  Channels = "bgr"  // 3: blue, green, red
	RGB  Channels = "rgb"  // 3: red, green, blue
)

// Options define the patch that a network gets and its format.
type Options struct {
	// InputSize is the side of the network's input in pixels. The input has the
	// shape batch × channels × InputSize × InputSize.
	InputSize int
	// Magnification is the ratio of the patch side in the image to the
	// keypoint's size. 6 is the width of SIFT's descriptor: 4 cells of 3σ,
	// where σ is half the size.
	Magnification float64
	Channels      Channels
	// Upright keeps patches aligned with the image axes; otherwise they are
	// rotated by the keypoint's angle.
	Upright bool
	// Mean and Std map pixels v from 0 to 255 to the network's input: (v −
	// Mean) / Std. Each holds one number, or one per channel in the order of
	// Channels.
	Mean, Std []float64
	// Standardize uses the mean and standard deviation of each patch, over all
	// its channels, instead of Mean and Std. A patch of equal values then has
	// zero deviation, and its row is invalid.
	Standardize bool
	// Batch is the number of patches per run of the network. It must match a
	// model with a fixed batch size.
	Batch int
}

// DefaultOptions returns the options for a network that takes 32×32 grey pixels
// from 0 to 1.
func DefaultOptions() Options {
	return Options{InputSize: 32, Magnification: 6, Channels: Gray, Mean: []float64{0}, Std: []float64{255}, Batch: 64}
}

// planes returns the number of channels per pixel.
func (o Options) planes() int {
	if o.Channels == Gray {
		return 1
	}
	return 3
}

// check returns an error if OpenCV cannot hold a batch. Configs are checked for the rest.
func (o Options) check() error {
	if o.inputs() > math.MaxInt32 {
		return fmt.Errorf("a batch of %d patches of %d×%d×%d numbers, want at most %d numbers", o.Batch, o.planes(), o.InputSize, o.InputSize, math.MaxInt32)
	}
	return nil
}

// patchInputs returns the number of input values per patch.
func (o Options) patchInputs() int { return o.planes() * o.InputSize * o.InputSize }

// inputs returns the number of input values per batch.
func (o Options) inputs() int { return o.Batch * o.patchInputs() }
