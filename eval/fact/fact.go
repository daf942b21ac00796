// Package fact holds what a reader of results must know and no metric says: facts as values.
// Rankings, matches, patches, files and programs raise them; what is said of them, where and
// in which words is decided when they are printed.
package fact

import (
	"maps"
	"slices"
)

// A Fact is something about results that does not stop the analysis. No part of it is a
// sentence.
type Fact struct {
	Kind       Kind                `json:"kind,omitempty"`       // a fixed word, such as few-scenes
	Descriptor string              `json:"descriptor,omitempty"` // name in the config; absent: about the whole run
	Part       string              `json:"part,omitempty"`       // keypoint set, program, task or protocol that it is about; absent: about none in particular
	Scenes     []string            `json:"scenes,omitempty"`     // names of the scenes that it is about; absent: about none in particular
	Numbers    map[string]float64  `json:"numbers,omitempty"`    // by name: counts, shares from 0 to 1, sizes in px
	Names      map[string][]string `json:"names,omitempty"`      // of pairs, images, files, metrics, settings and the like, by what they are of
}

// New returns a fact about scenes, or about none in particular.
func New(kind Kind, scenes ...string) Fact { return Fact{Kind: kind, Scenes: scenes} }

// On returns the fact about a descriptor.
func (f Fact) On(descriptor string) Fact {
	f.Descriptor = descriptor
	return f
}

// Of returns the fact about a part of the run.
func (f Fact) Of(part string) Fact {
	f.Part = part
	return f
}

// Within returns the fact about a part, in which its own part is.
func (f Fact) Within(part string) Fact {
	if f.Part != "" {
		part += ": " + f.Part
	}
	return f.Of(part)
}

// With returns the fact with a number, if it is defined and finite.
func (f Fact) With(name string, number float64) Fact {
	if number-number != 0 {
		return f
	}
	f.Numbers = maps.Clone(f.Numbers)
	if f.Numbers == nil {
		f.Numbers = make(map[string]float64)
	}
	f.Numbers[name] = number
	return f
}

// Counting returns the fact with two counts: how many, of how many.
func (f Fact) Counting(n, of int) Fact { return f.With("n", float64(n)).With("of", float64(of)) }

// Naming returns the fact with names of what is called name.
func (f Fact) Naming(name string, names ...string) Fact {
	f.Names = maps.Clone(f.Names)
	if f.Names == nil {
		f.Names = make(map[string][]string)
	}
	f.Names[name] = slices.Clone(names)
	return f
}

// About returns the facts as those about a descriptor.
func About(descriptor string, facts []Fact) []Fact {
	facts = slices.Clone(facts)
	for i := range facts {
		facts[i].Descriptor = descriptor
	}
	return facts
}

// Only returns the facts of some kinds.
func Only(facts []Fact, kinds ...Kind) (list []Fact) {
	for _, f := range facts {
		if slices.Contains(kinds, f.Kind) {
			list = append(list, f)
		}
	}
	return list
}

// Without returns the facts of other kinds.
func Without(facts []Fact, kinds ...Kind) []Fact {
	return slices.DeleteFunc(slices.Clone(facts), func(f Fact) bool { return slices.Contains(kinds, f.Kind) })
}
