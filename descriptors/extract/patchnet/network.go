package patchnet

import (
	"fmt"

	"descbench/descriptors/onnx"
)

// A network runs a program: its steps in Go, its pieces in OpenCV. It is not safe
// for concurrent use. After an error of run it can only be closed.
type network struct {
	name    string
	program *onnx.Program
	pieces  []loaded // by number; loaded when their input is known
}

// newNetwork returns a network. The caller closes it.
func newNetwork(name string, program *onnx.Program) *network {
	return &network{name: name, program: program, pieces: make([]loaded, program.Pieces)}
}

func (n *network) close() {
	for _, p := range n.pieces {
		if p.net != nil {
			p.close()
		}
	}
}

// run returns the network's output for an input of a shape that is the same in all
// runs; see loaded.run.
func (n *network) run(input *onnx.Tensor) (*onnx.Tensor, error) {
	return n.program.Run(input, func(i int, in *onnx.Tensor) (*onnx.Tensor, error) {
		if n.pieces[i].net == nil {
			piece, err := load(n.name, n.program.Piece(i, in.Shape))
			if err != nil {
				return nil, fmt.Errorf("OpenCV cannot load it: %w", err)
			}
			n.pieces[i] = piece
		}
		return n.pieces[i].run(in)
	})
}
