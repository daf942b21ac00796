// Package patchnet describes keypoints with a neural network that maps an image
// patch to a descriptor. The network is an ONNX file. OpenCV's dnn module runs its
// convolutions on the CPU; package onnx runs what OpenCV does not.
package patchnet

import (
	"fmt"
	"math"

	"descbench/descriptors"
)

// Version is part of the key of cached features. Increase it with every change
// that gives a different row or validity for the same image, keypoints, model
// and options.
const Version = 4

// Options define the patch that a network gets and its format.
type Options descriptors.PatchNetwork

// DefaultOptions returns the options for a network that takes 32×32 grey pixels
// from 0 to 1.
func DefaultOptions() Options { return Options(descriptors.DefaultPatchNetwork()) }

func (o Options) planes() int { return descriptors.PatchNetwork(o).Planes() }

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
