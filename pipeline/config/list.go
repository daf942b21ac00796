package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// optional is a codec for a value that may be absent, a nil pointer.
type optional[T any] struct {
	to    **T
	fresh T // with its defaults
	item  func(*T) codec
	null  bool // null leaves it out, also where a preset would set it
}

// maybe returns the codec for an optional value.
func maybe[T any, C codec](to **T, fresh T, item func(*T) C) optional[T] {
	return optional[T]{to: to, fresh: fresh, item: func(v *T) codec { return item(v) }}
}

// orNull returns the codec for an optional value, or null.
func (o optional[T]) orNull() optional[T] {
	o.null = true
	return o
}

func (o optional[T]) decode(d *decoder, key string, n *yaml.Node) {
	if o.null && isNull(n) && n.Value != "" {
		return
	}
	*o.to = &o.fresh
	o.item(*o.to).decode(d, key, n)
}

func (o optional[T]) encode(v view) *yaml.Node {
	switch {
	case *o.to != nil:
		return o.item(*o.to).encode(v)
	case o.null && v == everything:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}
	}
	return nil
}

func (o optional[T]) schema() object {
	if o.null {
		return object{"anyOf": []any{object{"type": "null"}, o.prototype().schema()}}
	}
	return o.prototype().schema()
}

func (optional[T]) many() bool { return false }

func (o optional[T]) prototype() codec { return o.item(&o.fresh) }

// named is a codec for a non-empty list of mappings with distinct names. Errors
// and overrides refer to an item as list[name].
type named[T any] struct {
	to   *[]T
	item func(*T) mapping
	what string // an item, for errors
}

func (l named[T]) decode(d *decoder, key string, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode || len(n.Content) == 0 {
		what := found(n)
		if n.Kind == yaml.SequenceNode {
			what = "an empty list"
		}
		d.fault(key, n, "found %s, want a list of at least one %s", what, l.what)
		return
	}
	*l.to = make([]T, len(n.Content))
	first := map[string]*yaml.Node{}
	for i, item := range n.Content {
		label := fmt.Sprintf("%s[#%d]", key, i+1)
		if name := nameOf(item); name != nil {
			if other := first[name.Value]; other != nil {
				d.fault(within(label, "name"), name, "found %s, which is the name of the %s on line %d, want another name", found(name), l.what, other.Line)
			} else {
				label = fmt.Sprintf("%s[%s]", key, name.Value)
				first[name.Value] = name
			}
		}
		l.item(&(*l.to)[i]).decode(d, label, item)
	}
}

func (l named[T]) encode(v view) *yaml.Node {
	if len(*l.to) == 0 { // keypoint sets, if all descriptors are matches of positions
		return nil
	}
	out := &yaml.Node{Kind: yaml.SequenceNode}
	for i := range *l.to {
		out.Content = append(out.Content, l.item(&(*l.to)[i]).encode(v))
	}
	return out
}

func (l named[T]) schema() object {
	return object{"type": "array", "items": l.prototype().schema(), "minItems": 1}
}

func (named[T]) many() bool { return true }

func (l named[T]) prototype() codec { return l.item(new(T)) }

// list is a codec for a list of values.
type list[T cmp.Ordered] struct {
	to   *[]T
	of   string         // what they are, for errors: names
	item func(*T) codec // of one of them

	min, max  int // how many there may be; max 0: any number
	distinct  bool
	ascending bool // which also makes them distinct
	optional  bool // an empty list is absent
	bare      bool // a value may stand for a list of it

	// null is what null and an empty list stand for, "" if null is refused. An empty list from a shell is
	// refused, too: a variable in it may not be set.
	null string
}

func (l list[T]) decode(d *decoder, key string, n *yaml.Node) {
	before := len(d.faults)
	var values []T
	if l.null != "" && isNull(n) && n.Value != "" {
		*l.to = nil
		return
	}
	if l.bare && n.Kind == yaml.ScalarNode && d.origin[n] == "" {
		list := d.beside(n, yaml.SequenceNode)
		list.Content, n = []*yaml.Node{n}, list
	}
	want := "a list of " + l.of
	if words := strings.Fields(n.Value); l.of == "words" && words != nil && !strings.ContainsAny(n.Value, `'",[]{}`) {
		want += ": [" + strings.Join(words, ", ") + "]"
	}
	for _, item := range d.items(key, n, want) {
		var v T
		faults := len(d.faults)
		l.item(&v).decode(d, key, item)
		switch last := len(values) - 1; {
		case len(d.faults) > faults:
		case l.ascending && last >= 0 && v <= values[last]:
			d.fault(key, item, "found %v after %v, want ascending numbers", v, values[last])
		case l.distinct && slices.Contains(values, v):
			d.fault(key, item, "found %s twice", found(item))
		}
		values = append(values, v)
	}
	switch {
	case len(d.faults) > before:
	case l.null != "" && len(values) == 0 && d.origin[n] != "":
		d.fault(key, n, "found nothing, want %s, or null for %s", l.of, l.null)
	case l.max == 0 && len(values) < l.min:
		d.fault(key, n, "found %d %s, want at least %d", len(values), l.of, l.min)
	case l.max > 0 && (len(values) < l.min || len(values) > l.max):
		d.fault(key, n, "found %d %s, want %d to %d", len(values), l.of, l.min, l.max)
	}
	*l.to = values
}

// items returns the items of the list n. Values from a shell are separated by
// commas.
func (d *decoder) items(key string, n *yaml.Node, want string) []*yaml.Node {
	o := d.origin[n]
	switch {
	case n.Kind == yaml.SequenceNode:
		return n.Content
	case o == "" || n.Kind != yaml.ScalarNode:
		d.fault(key, n, "found %s, want %s", found(n), want)
		return nil
	case n.Value == "":
		return nil
	}
	var items []*yaml.Node
	for word := range strings.SplitSeq(n.Value, ",") {
		item := &yaml.Node{Kind: yaml.ScalarNode, Value: strings.TrimSpace(word)}
		d.origin[item] = o
		items = append(items, item)
	}
	return items
}

func (l list[T]) encode(v view) *yaml.Node {
	if l.optional && len(*l.to) == 0 {
		return nil
	}
	if l.bare && len(*l.to) == 1 {
		return l.item(&(*l.to)[0]).encode(v)
	}
	out := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for i := range *l.to {
		out.Content = append(out.Content, l.item(&(*l.to)[i]).encode(v))
	}
	return out
}

func (l list[T]) schema() object {
	s := object{"type": "array", "items": l.item(new(T)).schema()}
	if l.min > 0 {
		s["minItems"] = l.min
	}
	if l.max > 0 {
		s["maxItems"] = l.max
	}
	if l.distinct || l.ascending {
		s["uniqueItems"] = true
	}
	if l.bare {
		return object{"anyOf": []any{l.item(new(T)).schema(), s}}
	}
	if l.null != "" {
		return object{"anyOf": []any{object{"type": "null"}, s}}
	}
	return s
}

// names is a codec for a list of at least so many different names.
func names(to *[]string, rule textRule, atLeast int) list[string] {
	return list[string]{to: to, of: "names", item: func(s *string) codec { return text{to: s, rule: rule} }, min: atLeast, distinct: true}
}

// scenes is a codec for the names of scenes.
func scenes(to *[]string) list[string] {
	l := names(to, sceneRule, 0)
	l.null = "all scenes"
	return l
}

// channels is a codec for a number, or a list of one for each channel; an empty list means absent.
func channels(to *[]float64, each number) list[float64] {
	l := numbers(to, each)
	l.min, l.max, l.bare = 1, 3, true
	return l
}

// numbers is a codec for a list of numbers; an empty list means absent.
func numbers(to *[]float64, each number) list[float64] {
	return list[float64]{to: to, of: "numbers", item: each.into, optional: true}
}
