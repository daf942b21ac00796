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
		fields[i] = field{key: s.Name, doc: s.Doc}
		switch value := &fields[i].value; s.Kind {
		case keypoints.Int:
			*value = param[int64]{p, s.Name, func(to *int64) codec { return whole(integer{int(s.Min), int(s.Max), s.Odd}, to) }}
		case keypoints.Float:
			*value = param[float64]{p, s.Name, number{min: s.Min, max: s.Max}.into}
		case keypoints.Bool:
			*value = param[bool]{p, s.Name, boolean}
		default:
			*value = param[string]{p, s.Name, func(to *string) codec { return oneWord(to, s.Choices...) }}
		}
	}
	return fields
}

// param is a codec for one parameter.
type param[T any] struct {
	in   keypoints.Params
	name string
	item func(*T) codec
}

func (p param[T]) decode(d *decoder, key string, n *yaml.Node) {
	var v T
	before := len(d.faults)
	if p.item(&v).decode(d, key, n); len(d.faults) == before {
		p.in[p.name] = v
	}
}

func (p param[T]) encode(v view) *yaml.Node {
	now, ok := p.in[p.name].(T)
	if !ok {
		return nil
	}
	return p.item(&now).encode(v)
}

func (p param[T]) schema() object { return p.item(new(T)).schema() }
