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
	to     *T
	read   func(word string) (v T, ok bool)
	format func(T) string
	want   string
	kind   object   // its JSON schema
	tags   []string // of YAML
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
	word := p.format(*p.to)
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
	return plain[bool]{to, read, strconv.FormatBool, "true or false", object{"type": "boolean"}, []string{"!!bool"}}
}

// seed returns the codec for the seed of a random sample.
func seed(to *uint64) codec {
	read := func(word string) (uint64, bool) {
		v, err := strconv.ParseUint(word, 10, 64)
		return v, err == nil
	}
	kind := object{"type": "integer", "minimum": 0, "maximum": uint64(math.MaxUint64)}
	return plain[uint64]{to, read, func(v uint64) string { return strconv.FormatUint(v, 10) }, "a whole number from 0 to 2^64-1", kind, []string{"!!int"}}
}

// number is the range of finite numbers from min to max. math.MaxFloat64 means no
// bound; above excludes min itself.
type number struct {
	min, max float64
	above    bool
}

// into returns the codec for a number of the range.
func (r number) into(to *float64) codec {
	read := func(word string) (float64, bool) {
		v, err := strconv.ParseFloat(word, 64)
		return v + 0, err == nil && v >= r.min && v <= r.max && !(r.above && v == r.min) // + 0 turns -0 into 0
	}
	kind := object{"type": "number"}
	switch {
	case r.above:
		kind["exclusiveMinimum"] = r.min
	case r.min > -math.MaxFloat64:
		kind["minimum"] = r.min
	}
	if r.max < math.MaxFloat64 {
		kind["maximum"] = r.max
	}
	return plain[float64]{to, read, func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }, r.want(), kind, []string{"!!int", "!!float"}}
}

func (r number) want() string {
	low := fmt.Sprintf("of at least %v", r.min)
	if r.above {
		low = fmt.Sprintf("above %v", r.min)
	}
	switch {
	case r.min == -math.MaxFloat64:
		return "a finite number"
	case r.max == math.MaxFloat64:
		return "a number " + low
	case r.above:
		return fmt.Sprintf("a number %s and at most %v", low, r.max)
	}
	return fmt.Sprintf("a number from %v to %v", r.min, r.max)
}

// integer is the range of whole numbers from min to max.
type integer struct {
	min, max int
	odd      bool
}

// into returns the codec for a number of the range.
func (r integer) into(to *int) codec { return whole(r, to) }

func whole[T int | int64](r integer, to *T) codec {
	read := func(word string) (T, bool) {
		v, err := strconv.Atoi(word)
		return T(v), err == nil && v >= r.min && v <= r.max && !(r.odd && v%2 == 0)
	}
	kind := object{"type": "integer", "minimum": r.min, "maximum": r.max}
	if r.odd {
		kind["not"] = object{"multipleOf": 2}
	}
	return plain[T]{to, read, func(v T) string { return strconv.Itoa(int(v)) }, r.want(), kind, []string{"!!int"}}
}

func (r integer) want() string {
	what := "a whole"
	if r.odd {
		what = "an odd"
	}
	switch {
	case r.min == r.max:
		return strconv.Itoa(r.min)
	case r.max == math.MaxInt32:
		return fmt.Sprintf("%s number from %d to 2^31-1", what, r.min)
	}
	return fmt.Sprintf("%s number from %d to %d", what, r.min, r.max)
}
