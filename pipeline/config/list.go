package config

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// optional is a codec for a section that may be absent, a nil pointer.
type optional[T any] struct {
	to    **T
	fresh func() T
	item  func(*T) mapping
}

func (o optional[T]) decode(d *decoder, key string, n *yaml.Node) {
	v := o.fresh()
	*o.to = &v
	o.item(&v).decode(d, key, n)
}

func (o optional[T]) encode(v view) *yaml.Node {
	if *o.to == nil {
		return nil
	}
	return o.item(*o.to).encode(v)
}

func (o optional[T]) schema() object { return o.prototype().schema() }

func (optional[T]) many() bool { return false }

// prototype returns the mapping of a section with its defaults.
func (o optional[T]) prototype() mapping {
	v := o.fresh()
	return o.item(&v)
}

// named is a codec for a non-empty list of mappings with distinct names. Errors
// and overrides refer to an item as list[name].
type named[T any] struct {
	to    *[]T
	fresh func() T
	item  func(*T) mapping
	what  string // an item, for errors
}

func (l named[T]) decode(d *decoder, key string, n *yaml.Node) {
	d.at[key] = n
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
		(*l.to)[i] = l.fresh()
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

// items returns the mappings of the items by their names, in order.
func (l named[T]) items() iter.Seq2[string, mapping] {
	return func(yield func(string, mapping) bool) {
		for i := range *l.to {
			m := l.item(&(*l.to)[i])
			name := m.encode(everything)
			if !yield(valueOf(name, "name").Value, m) {
				return
			}
		}
	}
}

// prototype returns the mapping of an item with its defaults.
func (l named[T]) prototype() mapping {
	v := l.fresh()
	return l.item(&v)
}

// texts is a codec for a list of at least min different texts.
type texts struct {
	to   *[]string
	rule textRule
	min  int
}

func (t texts) decode(d *decoder, key string, n *yaml.Node) {
	d.at[key] = n
	before := len(d.faults)
	var list []string
	for _, item := range d.items(key, n, "a list of names") {
		s, ok := d.text(key, item, t.rule)
		if ok && slices.Contains(list, s) {
			d.fault(key, item, "found %s twice", found(item))
		}
		list = append(list, s)
	}
	if len(list) < t.min && len(d.faults) == before {
		d.fault(key, n, "found %d names, want at least %d", len(list), t.min)
	}
	*t.to = list
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

func (t texts) encode(view) *yaml.Node {
	out := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, s := range *t.to {
		out.Content = append(out.Content, textNode(s))
	}
	return out
}

func (t texts) schema() object {
	s := object{"type": "array", "items": t.rule.schema(), "uniqueItems": true}
	if t.min > 0 {
		s["minItems"] = t.min
	}
	return s
}

// ascending is a codec for a non-empty list of ascending whole numbers from 1.
type ascending struct{ to *[]int }

func (a ascending) decode(d *decoder, key string, n *yaml.Node) {
	d.at[key] = n
	before := len(d.faults)
	var list []int
	for _, item := range d.items(key, n, "a list of whole numbers") {
		v := 0
		integer{to: &v, min: 1, max: math.MaxInt32}.decode(d, key, item)
		if last := len(list) - 1; v != 0 && last >= 0 && v <= list[last] {
			d.fault(key, item, "found %d after %d, want ascending numbers", v, list[last])
		}
		list = append(list, v)
	}
	if len(list) == 0 && len(d.faults) == before {
		d.fault(key, n, "found an empty list, want at least one number")
	}
	d.at[key] = n
	*a.to = list
}

func (a ascending) encode(view) *yaml.Node {
	out := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, v := range *a.to {
		out.Content = append(out.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.Itoa(v)})
	}
	return out
}

func (a ascending) schema() object {
	item := integer{min: 1, max: math.MaxInt32}.schema()
	return object{"type": "array", "items": item, "minItems": 1, "uniqueItems": true}
}
