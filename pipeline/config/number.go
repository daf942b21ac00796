package config

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// plain is a codec for a number, a bool or a time.
type plain[T any] struct {
	to   *T
	read func(word string) (v T, ok bool)
	want string
	kind object   // its JSON schema
	tags []string // of YAML
}

func (p plain[T]) decode(d *decoder, key string, n *yaml.Node) {
	v, ok := p.read(n.Value)
	if n.Kind != yaml.ScalarNode || !ok || !slices.Contains(p.tags, n.ShortTag()) {
		form := ""
		if v, err := strconv.ParseFloat(n.Value, 64); err == nil && v == math.Trunc(v) && p.kind["type"] == "integer" && strings.ContainsAny(n.Value, ".eE") {
			form = ", written with digits only"
		} else if _, err := strconv.ParseFloat(strings.Replace(n.Value, ",", ".", 1), 64); err == nil && strings.Contains(n.Value, ",") {
			form = " (decimals with a point; several values: eval --sweep)"
		} else if ok && n.ShortTag() == "!!str" {
			form = ", without quotes"
		} else if words := strings.Fields(n.Value); len(words) > 1 && !slices.ContainsFunc(words, func(word string) bool { _, is := p.read(word); return !is }) {
			form = "; separate values by commas"
		}
		d.fault(key, n, "found %s, want %s%s", found(n), p.want, form)
		return
	}
	*p.to = v
}

// encode omits a value that may not be given, which is that of an absent key.
func (p plain[T]) encode(view) *yaml.Node {
	word := fmt.Sprint(*p.to)
	if _, ok := p.read(word); !ok {
		return nil
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: word}
}

func (p plain[T]) schema() object { return maps.Clone(p.kind) }

// boolean returns the codec for true and false.
func boolean(to *bool) codec {
	read := func(word string) (bool, bool) {
		v, err := strconv.ParseBool(word)
		return v, err == nil
	}
	return plain[bool]{to, read, "true or false", object{"type": "boolean"}, []string{"!!bool"}}
}

// seed returns the codec for the seed of a random sample.
func seed(to *uint64) codec {
	read := func(word string) (uint64, bool) {
		v, err := strconv.ParseUint(word, 10, 64)
		return v, err == nil
	}
	kind := object{"type": "integer", "minimum": 0, "maximum": uint64(math.MaxUint64)}
	return plain[uint64]{to, read, "a whole number from 0 to 2^64-1", kind, []string{"!!int"}}
}

// number is the range of finite numbers, or of whole or odd ones, from min to max. math.MaxFloat64 means no bound;
// above excludes min itself.
type number struct {
	min, max          float64
	above, whole, odd bool
}

// into returns the codec for a number of the range.
func (r number) into(to *float64) codec { return ranged(r, to) }

// integer is the range of whole numbers from min to max.
type integer number

// into returns the codec for a number of the range.
func (r integer) into(to *int) codec { return ranged(number{min: r.min, max: r.max, whole: true}, to) }

func ranged[T int | int64 | float64](r number, to *T) codec {
	read := func(word string) (T, bool) {
		v, err := strconv.ParseFloat(word, 64)
		if r.whole {
			_, err = strconv.Atoi(word)
		}
		in := v >= r.min && v <= r.max && !(r.above && v == r.min) && !(r.odd && math.Mod(v, 2) == 0)
		return T(v + 0), err == nil && in // + 0 turns -0 into 0
	}
	kind, tags := object{"type": "number"}, []string{"!!int", "!!float"}
	if r.whole {
		kind["type"], tags = "integer", tags[:1]
	}
	switch {
	case r.above:
		kind["exclusiveMinimum"] = r.min
	case r.min > -math.MaxFloat64:
		kind["minimum"] = r.min
	}
	if r.max < math.MaxFloat64 {
		kind["maximum"] = r.max
	}
	if r.odd {
		kind["not"] = object{"multipleOf": 2}
	}
	return plain[T]{to, read, r.want(), kind, tags}
}

func (r number) want() string {
	what, least, most := "a number", fmt.Sprint(r.min), fmt.Sprint(r.max)
	if r.whole {
		what, least, most = "a whole number", fmt.Sprintf("%.f", r.min), fmt.Sprintf("%.f", r.max)
	}
	if r.odd {
		what = "an odd number"
	}
	switch {
	case r.min == r.max:
		return least
	case r.min == -math.MaxFloat64:
		return "a finite number"
	case r.max == math.MaxFloat64 && r.above:
		return what + " above " + least
	case r.max == math.MaxFloat64:
		return what + " of at least " + least
	case r.max == math.MaxInt32:
		return what + " from " + least + " to 2^31-1"
	case r.above:
		return what + " above " + least + " and at most " + most
	}
	return what + " from " + least + " to " + most
}
