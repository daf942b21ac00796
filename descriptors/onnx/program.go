package onnx

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// A Program is a model as steps that run one after the other: operators in Go
// and pieces for OpenCV. It is safe for concurrent use.
type Program struct {
	graph *Model // with computed constants
	steps []step
	whole []byte // the model, if it is not divided
	// Pieces is the number of pieces.
	Pieces int
}

// A step is an operator, or a piece, which is a chain of nodes.
type step struct {
	operator operator // nil for a piece
	nodes    []*node
	piece    int
	in       string   // of a piece
	frees    []string // tensors that no later step reads
}

func (s *step) out() string { return s.nodes[len(s.nodes)-1].out[0] }

// Cut divides a model into steps. It fails, and names the node, if OpenCV would misread
// the node, or if a piece cannot have it: a node of an operator that is not in
// operators.go with several computed inputs or outputs, next to nodes that are. OpenCV
// does not get such a model as a whole, because it misreads those.
func (m *Model) Cut() (*Program, error) {
	g := *m
	g.constants = maps.Clone(m.constants)
	p := &Program{graph: &g}
	readers := g.readers()
	chains := map[string]int{} // the step whose piece ends with a tensor
	own := false
	var indivisible error
	for _, n := range g.nodes {
		known, err := g.fold(n)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", n, err)
		}
		if known {
			continue
		}
		if run := n.operator(); run != nil {
			own = true
			p.steps = append(p.steps, step{operator: run, nodes: []*node{n}})
			continue
		}
		if err := n.misread(); err != nil {
			return nil, fmt.Errorf("%v: %w", n, err)
		}
		in := g.computed(n)
		if len(in) != 1 || len(n.out) == 0 || slices.ContainsFunc(n.out[1:], func(name string) bool { return readers[name] > 0 }) {
			if indivisible == nil {
				indivisible = fmt.Errorf("%v: an operator that OpenCV runs needs one computed input and one output, found inputs %.200q and outputs %.200q; export the model without it, or with other operators", n, in, n.out)
			}
			continue
		}
		at, ok := chains[in[0]]
		if ok && readers[in[0]] == 1 {
			p.steps[at].nodes = append(p.steps[at].nodes, n)
		} else {
			at = len(p.steps)
			p.steps = append(p.steps, step{nodes: []*node{n}, piece: p.Pieces, in: in[0]})
			p.Pieces++
		}
		chains[n.out[0]] = at
	}
	if !own {
		return &Program{whole: m.file, Pieces: 1}, nil
	}
	switch {
	case indivisible != nil:
		return nil, indivisible
	case len(g.inputs) != 1 || len(g.outputs) != 1:
		return nil, fmt.Errorf("the model has %d inputs and %d outputs, want one each", len(g.inputs), len(g.outputs))
	case g.opset < 7:
		return nil, fmt.Errorf("the model is of opset %d, want 7 or later; export it with opset_version=11 to 18", g.opset)
	}
	p.plan()
	return p, nil
}

// readers counts how often nodes and outputs of the model read each tensor.
func (m *Model) readers() map[string]int {
	times := map[string]int{}
	for _, n := range m.nodes {
		for _, name := range n.in {
			times[name]++
		}
	}
	for _, name := range m.outputs {
		times[name]++
	}
	return times
}

// computed returns the inputs of a node that are not constants, each once.
func (m *Model) computed(n *node) (names []string) {
	for _, name := range n.in {
		if _, ok := m.constants[name]; name != "" && !ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// fold evaluates a node without computed input; known is false if there is one or
// if the operator is not known.
func (m *Model) fold(n *node) (known bool, err error) {
	if n.op == "Constant" && n.domain == "" && len(n.out) > 0 {
		c, err := n.constant()
		m.constants[n.out[0]] = c
		return true, err
	}
	run := n.operator()
	if run == nil || len(m.computed(n)) > 0 || len(n.out) == 0 {
		return false, nil
	}
	in, err := m.operands(n, nil)
	if err != nil {
		return true, err
	}
	t, err := run(n, in)
	m.constants[n.out[0]] = constant{tensor: t}
	return true, err
}

// constant returns the value of a Constant node.
func (n *node) constant() (constant, error) {
	for name, a := range n.attributes {
		switch name {
		case "value":
			return constant{message: a.tensor}, nil
		case "value_float":
			return constant{tensor: &Tensor{Shape: []int{}, Float: []float32{a.f}}}, nil
		case "value_int":
			return constant{tensor: &Tensor{Shape: []int{}, Int: []int64{a.i}}}, nil
		case "value_ints":
			return constant{tensor: list(a.ints)}, nil
		}
	}
	return constant{}, fmt.Errorf("a constant of %q is not supported", slices.Sorted(maps.Keys(n.attributes)))
}

// operands returns the inputs of a node; those that are left out are nil.
func (m *Model) operands(n *node, values map[string]*Tensor) ([]*Tensor, error) {
	in := make([]*Tensor, len(n.in))
	for i, name := range n.in {
		if name == "" {
			continue
		}
		var err error
		if c, ok := m.constants[name]; ok {
			in[i], err = c.get()
		} else {
			in[i] = values[name]
		}
		if err != nil {
			return nil, err
		}
	}
	return in, nil
}

// plan decodes the constants of the steps in Go, and finds after which step a
// tensor is no longer needed.
func (p *Program) plan() {
	seen := map[string]bool{p.graph.outputs[0]: true}
	for i := len(p.steps) - 1; i >= 0; i-- {
		s := &p.steps[i]
		in := s.nodes[0].in
		if s.operator == nil {
			in = []string{s.in}
		}
		for _, name := range in {
			c, ok := p.graph.constants[name]
			switch {
			case !ok && name != "" && !seen[name]:
				seen[name] = true
				s.frees = append(s.frees, name)
			case ok && s.operator != nil && c.tensor == nil:
				if t, err := c.get(); err == nil { // otherwise Run says so
					p.graph.constants[name] = constant{c.message, t}
				}
			}
		}
	}
}

// Run returns the output of the model for an input. It calls piece for each piece
// i with its input, whose shape is the same in every call with the same input
// shape.
func (p *Program) Run(input *Tensor, piece func(i int, in *Tensor) (*Tensor, error)) (*Tensor, error) {
	if p.whole != nil {
		return piece(0, input)
	}
	values := map[string]*Tensor{p.graph.inputs[0].name: input}
	for i := range p.steps {
		s := &p.steps[i]
		out, err := p.run(s, values, piece)
		if err != nil {
			return nil, err
		}
		values[s.out()] = out
		for _, name := range s.frees {
			delete(values, name)
		}
	}
	out, ok := values[p.graph.outputs[0]]
	if !ok || out.Int != nil {
		return nil, errors.New("the model's output is a constant or holds integers, want descriptors of floating point numbers")
	}
	return out, nil
}

func (p *Program) run(s *step, values map[string]*Tensor, piece func(i int, in *Tensor) (*Tensor, error)) (*Tensor, error) {
	if s.operator == nil {
		in := values[s.in]
		err := in.needFloat()
		for _, n := range s.nodes {
			if err == nil {
				err = n.misreadAt(len(in.Shape))
			}
		}
		if err == nil {
			var out *Tensor
			if out, err = piece(s.piece, in); err == nil {
				return out, nil
			}
		}
		last := s.nodes[len(s.nodes)-1]
		if len(s.nodes) == 1 {
			return nil, fmt.Errorf("%v: %w; export the model without it, or with other operators", last, err)
		}
		return nil, fmt.Errorf("one of %d nodes from %v to %v: %w", len(s.nodes), s.nodes[0], last, err)
	}
	n := s.nodes[0]
	in, err := p.graph.operands(n, values)
	if err == nil {
		var out *Tensor
		if out, err = s.operator(n, in); err == nil {
			return out, nil
		}
	}
	return nil, fmt.Errorf("%v: %w", n, err)
}

// Piece returns piece i as a model whose input has a shape.
func (p *Program) Piece(i int, shape []int) []byte {
	if p.whole != nil {
		return p.whole
	}
	at := slices.IndexFunc(p.steps, func(s step) bool { return s.operator == nil && s.piece == i })
	s := &p.steps[at]
	var inner []byte
	added := map[string]bool{}
	for _, n := range s.nodes {
		inner = appendBytes(inner, graphNode, n.message)
		for _, name := range n.in {
			c, ok := p.graph.constants[name]
			if !ok || added[name] {
				continue
			}
			added[name] = true
			message := c.message
			if message == nil {
				message = c.tensor.encode()
			}
			// The last of several names counts.
			inner = appendBytes(inner, graphInitializer, appendBytes(slices.Clip(message), tensorName, []byte(name)))
		}
	}
	inner = appendBytes(inner, graphName, []byte("piece"))
	inner = appendBytes(inner, graphInput, valueInfo(s.in, shape))
	inner = appendBytes(inner, graphOutput, valueInfo(s.out(), nil))
	return appendBytes(slices.Clip(p.graph.frame), modelGraph, inner)
}

// valueInfo returns the ValueInfoProto of a tensor of floating point numbers.
func valueInfo(name string, shape []int) []byte {
	tensor := appendInt(nil, elementType, typeFloat)
	var dims []byte
	for _, d := range shape {
		dims = appendBytes(dims, shapeDim, appendInt(nil, dimValue, int64(d)))
	}
	tensor = appendBytes(tensor, tensorTypeShape, dims)
	message := appendBytes(nil, valueName, []byte(name))
	return appendBytes(message, valueType, appendBytes(nil, typeTensor, tensor))
}
