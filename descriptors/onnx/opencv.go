package onnx

import (
	"errors"
	"fmt"
	"slices"
)

// misread returns an error for a node that OpenCV 4.6 would run, without a word, as
// something else than the operator specification says.
func (n *node) misread() error {
	if n.domain != "" {
		return nil
	}
	other := func(name string) bool { return n.float(name, 1) != 1 }
	switch n.op {
	case "Conv", "ConvTranspose", "MaxPool":
		switch {
		case n.text("auto_pad", "NOTSET") == "SAME_LOWER":
			return errors.New("OpenCV pads auto_pad SAME_LOWER like SAME_UPPER; export the model with explicit pads")
		case n.op == "MaxPool" && slices.ContainsFunc(n.attributes["dilations"].ints, func(v int64) bool { return v != 1 }):
			return errors.New("OpenCV ignores the dilations of a MaxPool; export the model without them")
		}
	case "Gemm":
		if !n.states("transB") || n.int("transA", 0) != 0 || other("alpha") || other("beta") {
			return errors.New("OpenCV misreads a Gemm without transB, or with transA, alpha or beta; want one with transB 0 or 1, transA 0, alpha 1 and beta 1, as PyTorch exports torch.nn.Linear")
		}
	case "Softmax", "LogSoftmax":
		if n.opset < 13 || !n.states("axis") {
			return fmt.Errorf("OpenCV misreads a %s of an opset below 13 or without axis; export the model with opset_version=13 or later", n.op)
		}
	}
	return nil
}

// misreadAt returns an error for a node of a piece whose input has so many dimensions.
func (n *node) misreadAt(dims int) error {
	if n.op == "BatchNormalization" && dims == 3 {
		return errors.New("OpenCV drops elements of a BatchNormalization of 3 dimensions; export the model with one of 2 or 4")
	}
	return nil
}
