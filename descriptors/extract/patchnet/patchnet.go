// Package patchnet describes keypoints with a neural network that maps a patch
// of the image to a descriptor, given as an ONNX file and run by OpenCV's dnn
// module on the CPU.
package patchnet

import (
	"fmt"
	"math"
)

// Version is part of the key of cached features. Raise it with every change
// after which the same image, keypoints, model and options give another row, or
// another verdict on which rows are invalid.
const Version = 1

// Channels are what a network sees of a pixel, in its input's order.
type Channels string

// What a network may see.
const (
	Gray Channels = "gray" // 1: the grey image
	BGR  Channels = "bgr"  // 3: blue, green, red
	RGB  Channels = "rgb"  // 3: red, green, blue
)

// Options say which patch a network sees, and how.
type Options struct {
	// InputSize is the side of the network's input, in pixels: its input has the
	// shape batch × channels × InputSize × InputSize.
	InputSize int
	// Magnification is the side of the patch in the image by the keypoint's
	// size. 6 is the width of SIFT's descriptor: 4 cells of 3σ, σ being half
	// the size.
	Magnification float64
	Channels      Channels
	// Upright leaves patches as they lie in the image; else they are turned by
	// the keypoint's angle.
	Upright bool
	// Mean and Std make the network's input of pixels v from 0 to 255:
	// (v − Mean) / Std. Each is one number, or one for each channel in the order
	// of Channels.
	Mean, Std []float64
	// Standardize takes the mean and the standard deviation of each patch, over
	// all its channels, in place of Mean and Std. A patch of equal numbers then
	// has none, and its row is invalid.
	Standardize bool
	// Batch is how many patches the network sees at a time. A model whose batch
	// is fixed needs that.
	Batch int
}

// DefaultOptions returns the options of a network that sees 32×32 grey pixels
// from 0 to 1.
func DefaultOptions() Options {
	return Options{InputSize: 32, Magnification: 6, Channels: Gray, Mean: []float64{0}, Std: []float64{255}, Batch: 64}
}

// planes returns how many numbers the network sees of a pixel; 0 if Channels is
// none of those above.
func (o Options) planes() int {
	switch o.Channels {
	case Gray:
		return 1
	case BGR, RGB:
		return 3
	}
	return 0
}

func (o Options) check() error {
	switch {
	case o.InputSize < 1 || o.InputSize > 1024:
		return fmt.Errorf("input size %d, want 1 to 1024 px", o.InputSize)
	case !(o.Magnification > 0 && o.Magnification <= 1000):
		return fmt.Errorf("magnification %v, want more than 0 and at most 1000", o.Magnification)
	case o.planes() == 0:
		return fmt.Errorf("channels %q, want %s, %s or %s", o.Channels, Gray, BGR, RGB)
	case len(o.Mean) != 1 && len(o.Mean) != o.planes():
		return fmt.Errorf("mean of %d numbers, want one, or one for each of %d channels", len(o.Mean), o.planes())
	case len(o.Std) != 1 && len(o.Std) != o.planes():
		return fmt.Errorf("standard deviation of %d numbers, want one, or one for each of %d channels", len(o.Std), o.planes())
	case o.Batch < 1 || o.Batch > 4096:
		return fmt.Errorf("batch %d, want 1 to 4096", o.Batch)
	case o.inputs() > math.MaxInt32:
		return fmt.Errorf("%d patches of %d×%d×%d numbers at a time, want at most %d numbers", o.Batch, o.planes(), o.InputSize, o.InputSize, math.MaxInt32)
	}
	for _, mean := range o.Mean {
		if math.IsNaN(mean) || math.IsInf(mean, 0) {
			return fmt.Errorf("mean %v, want a finite number", mean)
		}
	}
	for _, std := range o.Std {
		if !(std > 0) || math.IsInf(std, 0) {
			return fmt.Errorf("standard deviation %v, want a finite number above 0", std)
		}
	}
	return nil
}

// patchInputs returns the numbers that the network sees of a patch.
func (o Options) patchInputs() int { return o.planes() * o.InputSize * o.InputSize }

// inputs returns the numbers that the network sees at a time.
func (o Options) inputs() int { return o.Batch * o.patchInputs() }
