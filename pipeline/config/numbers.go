package config

import (
	"math"
	"slices"
	"strconv"

	"descbench/descriptors"

	"go.yaml.in/yaml/v3"
)

// weights is a codec for a list of at most maxWeights weights.
func weights(to *[]float64) list[float64] {
	l := numbers(to, number{min: 0, max: math.MaxFloat64})
	l.min, l.max, l.positive = 1, maxWeights, true
	return l
}

const maxWeights = 100

// weighting is a codec for a word that names weights, or a list of them.
type weighting struct {
	word *descriptors.Weighting
	list *[]float64
}

// named returns the codec for a word.
func (w weighting) named() choice[descriptors.Weighting] {
	word := oneWord(w.word, descriptors.UniformWeights, descriptors.GaussianWeights, descriptors.TriangularWeights)
	word.why = "any other weights are a list of numbers"
	return word
}

func (w weighting) decode(d *decoder, key string, n *yaml.Node) {
	if _, err := strconv.ParseFloat(n.Value, 64); n.Kind == yaml.SequenceNode || d.origin[n] != "" && (err == nil || hasComma(n)) {
		*w.word = descriptors.ListedWeights
		weights(w.list).decode(d, key, n)
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
// channels; an empty list means absent.
type perChannel struct {
	to   *[]float64
	each number // what each may be
}

func (p perChannel) decode(d *decoder, key string, n *yaml.Node) {
	if n.Kind == yaml.SequenceNode || d.origin[n] != "" {
		numbers(p.to, p.each).decode(d, key, n)
	} else {
		*p.to = make([]float64, 1)
		p.each.into(&(*p.to)[0]).decode(d, key, n)
	}
	if len(*p.to) != 1 && len(*p.to) != 3 {
		d.fault(key, n, "found %d numbers, want one, or one for each of three channels", len(*p.to))
	}
}

func (p perChannel) encode(v view) *yaml.Node {
	if len(*p.to) == 1 {
		return p.each.into(&(*p.to)[0]).encode(v)
	}
	return numbers(p.to, p.each).encode(v)
}

func (p perChannel) schema() object {
	several := func(n int) object {
		l := numbers(p.to, p.each)
		l.min, l.max = n, n
		return l.schema()
	}
	return object{"anyOf": []any{p.each.into(nil).schema(), several(1), several(3)}}
}
