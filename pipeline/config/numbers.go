package config

import (
	"math"
	"slices"
	"strconv"

	"descbench/descriptors"

	"go.yaml.in/yaml/v3"
)

// numbers is a codec for a list of numbers; an empty one is absent.
type numbers struct {
	to       *[]float64
	each     number // what each may be
	min, max int    // how many there may be
	distinct bool
	positive bool // one at least is above 0
}

func (l numbers) decode(d *decoder, key string, n *yaml.Node) {
	before := len(d.faults)
	var list []float64
	for _, item := range d.items(key, n, "a list of numbers") {
		v, faults := 0.0, len(d.faults)
		l.each.to = &v
		l.each.decode(d, key, item)
		if l.distinct && slices.Contains(list, v) && len(d.faults) == faults {
			d.fault(key, item, "found %s twice", found(item))
		}
		list = append(list, v)
	}
	d.at[key] = n
	switch {
	case len(d.faults) > before:
	case len(list) < l.min || len(list) > l.max:
		d.fault(key, n, "found %d numbers, want %d to %d", len(list), l.min, l.max)
	case l.positive && slices.Max(list) <= 0:
		d.fault(key, n, "found zeros only, want a number above 0 among them")
	}
	*l.to = list
}

func (l numbers) encode(v view) *yaml.Node {
	if len(*l.to) == 0 {
		return nil
	}
	out := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for i := range *l.to {
		out.Content = append(out.Content, number{to: &(*l.to)[i]}.encode(v))
	}
	return out
}

func (l numbers) schema() object {
	s := object{"type": "array", "items": l.each.schema(), "minItems": l.min, "maxItems": l.max}
	if l.distinct {
		s["uniqueItems"] = true
	}
	if l.positive {
		s["contains"] = object{"exclusiveMinimum": 0}
	}
	return s
}

// weights is a codec for the weights of several things, of which there are no
// more than maxWeights.
func weights(to *[]float64) numbers {
	return numbers{to: to, each: number{min: 0, max: math.MaxFloat64}, min: 1, max: maxWeights, positive: true}
}

const maxWeights = 100

// weighting is a codec for a word that names weights, or a list of them.
type weighting struct {
	word *descriptors.Weighting
	list *[]float64
}

// named returns the codec for a word.
func (w weighting) named() choice[descriptors.Weighting] {
	return oneWord(w.word, descriptors.UniformWeights, descriptors.GaussianWeights, descriptors.TriangularWeights)
}

func (w weighting) decode(d *decoder, key string, n *yaml.Node) {
	if _, err := strconv.ParseFloat(n.Value, 64); n.Kind == yaml.SequenceNode || d.origin[n] != "" && (err == nil || hasComma(n)) {
		*w.word = descriptors.ListedWeights
		weights(w.list).decode(d, key, n)
		return
	}
	if names := namesOf(w.named().words); n.Kind != yaml.ScalarNode || !slices.Contains(names, n.Value) {
		d.at[key] = n
		d.fault(key, n, "found %s, %s", found(n), oneOf(n.Value, append(names, "a list of numbers")))
		return
	}
	w.named().decode(d, key, n)
}

func hasComma(n *yaml.Node) bool { return slices.Contains([]byte(n.Value), ',') }

func (w weighting) encode(v view) *yaml.Node {
	if *w.word == descriptors.ListedWeights {
		return weights(w.list).encode(v)
	}
	return w.named().encode(v)
}

func (w weighting) schema() object {
	return object{"anyOf": []any{w.named().schema(), weights(w.list).schema()}}
}

// perChannel is a codec for a number, or a list of one for each of three
// channels; an empty list is absent.
type perChannel struct {
	to   *[]float64
	each number // what each may be
}

func (p perChannel) decode(d *decoder, key string, n *yaml.Node) {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode || d.origin[n] != "" {
		items = d.items(key, n, "")
	}
	list := make([]float64, len(items))
	for i, item := range items {
		p.each.to = &list[i]
		p.each.decode(d, key, item)
	}
	d.at[key] = n
	if len(list) != 1 && len(list) != 3 {
		d.fault(key, n, "found %d numbers, want one, or one for each of three channels", len(list))
	}
	*p.to = list
}

func (p perChannel) encode(v view) *yaml.Node {
	if len(*p.to) == 1 {
		return number{to: &(*p.to)[0]}.encode(v)
	}
	return numbers{to: p.to}.encode(v)
}

func (p perChannel) schema() object {
	list := func(n int) object {
		return object{"type": "array", "items": p.each.schema(), "minItems": n, "maxItems": n}
	}
	return object{"anyOf": []any{p.each.schema(), list(1), list(3)}}
}
