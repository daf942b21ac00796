package config

import (
	"descbench/keypoints"

	"go.yaml.in/yaml/v3"
)

// paramFields returns the fields of a detector's or descriptor's parameters,
// bound to their values in p.
func paramFields(specs []keypoints.Param, p keypoints.Params) []field {
	fields := make([]field, len(specs))
	for i, s := range specs {
		fields[i] = field{key: s.Name, doc: s.Doc, value: param{spec: s, in: p}}
	}
	return fields
}

// param is a codec for one parameter.
type param struct {
	spec keypoints.Param
	in   keypoints.Params
}

func (p param) decode(d *decoder, key string, n *yaml.Node) {
	before := len(d.faults)
	value, get := p.value()
	value.decode(d, key, n)
	if len(d.faults) == before {
		p.in[p.spec.Name] = get()
	}
}

func (p param) encode(v view) *yaml.Node {
	if p.in[p.spec.Name] == nil {
		return nil
	}
	value, _ := p.value()
	return value.encode(v)
}

func (p param) schema() object {
	value, _ := p.value()
	return value.schema()
}

// value returns a codec for the parameter with its current value, and a getter for
// the codec's value in the type of Params.
func (p param) value() (value codec, get func() any) {
	now := p.in[p.spec.Name]
	switch p.spec.Kind {
	case keypoints.Int:
		n, _ := now.(int64)
		v := int(n)
		return integer{min: int(p.spec.Min), max: int(p.spec.Max), odd: p.spec.Odd}.into(&v), func() any { return int64(v) }
	case keypoints.Float:
		v, _ := now.(float64)
		return number{min: p.spec.Min, max: p.spec.Max}.into(&v), func() any { return v }
	case keypoints.Bool:
		v, _ := now.(bool)
		return boolean(&v), func() any { return v }
	default:
		v, _ := now.(string)
		return oneWord(&v, p.spec.Choices...), func() any { return v }
	}
}
