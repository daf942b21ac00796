package patchnet

import (
	"fmt"

	"descbench/descriptors/onnx"
)

// checkInput checks the input shape that a model declares, because OpenCV 4.6
// runs a convolutional model on patches of any size.
func (o Options) checkInput(model *onnx.Model) error {
	inputs := model.Inputs()
	if len(inputs) != 1 {
		return fmt.Errorf("the ONNX model has %d inputs, want 1", len(inputs))
	}
	shape := inputs[0]
	want := []int{o.Batch, o.planes(), o.InputSize, o.InputSize}
	fits := len(shape) == len(want)
	for i := 1; fits && i < len(want); i++ { // OpenCV sets the batch size
		fits = shape[i] == 0 || shape[i] == want[i]
	}
	if !fits {
		return fmt.Errorf("the ONNX model's input has shape %v (0: variable), want %v (batch, channels, height, width)", shape, want)
	}
	return nil
}
