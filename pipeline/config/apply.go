package config

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// apply puts the override into the tree under root and creates missing mappings
// on the way. Decoding the tree checks the value.
func (d *decoder) apply(shape codec, root *yaml.Node, o Override) {
	n, key := root, ""
	fault := func(format string, args ...any) {
		d.faults = append(d.faults, &Error{File: o.Origin, Key: key, Msg: fmt.Sprintf(format, args...)})
	}
	steps := setStep.FindAllStringSubmatch(o.Key, -1)
	for i, step := range steps {
		word, name, last := step[1], step[2], i == len(steps)-1
		if n.Kind == yaml.SequenceNode {
			fault("found a list, want the name of an item: %s[NAME]", key)
			return
		}
		if n.Kind != yaml.MappingNode {
			fault("found %s, want a mapping", found(n))
			return
		}
		key = within(key, word)
		if shape = child(shape, word); last && name == "" || i == 0 && shape == nil { // the decoder names the unknown key
			d.put(n, word, valueNode(o.Value), o.Origin)
			return
		}
		value := valueOf(n, word)
		switch m, ok := mappingOf(shape); {
		case name != "":
			if value == nil || value.Kind != yaml.SequenceNode {
				fault("found %s, want a list", found(value))
				return
			}
			names, items := entries(value)
			if value = items[name]; value == nil {
				for i := range names {
					names[i] = printable(shortened(names[i]))
				}
				fault("found no item with the name %q, %s", name, oneOf(name, names))
				return
			}
			key += "[" + name + "]"
		case value == nil || isNull(value):
			value = &yaml.Node{Kind: yaml.MappingNode}
			d.put(n, word, value, o.Origin)
		case ok && m.short != "" && value.Kind == yaml.ScalarNode:
			value = d.long(m.short, value)
			d.put(n, word, value, "")
		}
		n = value
	}
	fault("want a key of this item: %s.KEY=%s", key, printable(shortened(o.Value)))
}

// valueNode returns s as a YAML value. Only as a whole list, mapping or text in
// quotes is it read as YAML, so that a name or a path may hold whatever YAML would
// take for syntax.
func valueNode(s string) *yaml.Node {
	if s != "" && strings.ContainsRune("[{\"'", rune(s[0])) && len(s) <= maxFileBytes {
		var doc, rest yaml.Node
		decoder := yaml.NewDecoder(strings.NewReader(s))
		if decoder.Decode(&doc) == nil && errors.Is(decoder.Decode(&rest), io.EOF) {
			if n, err := new(expander).expand(doc.Content[0]); err == nil {
				return n
			}
		}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: s}
}

// originOf makes origin that of all nodes of a tree.
func (d *decoder) originOf(n *yaml.Node, origin string) {
	d.origin[n] = origin
	for _, child := range n.Content {
		d.originOf(child, origin)
	}
}

// put makes value the value of key in the mapping n. origin says where it
// comes from; "" leaves the origin unchanged.
func (d *decoder) put(n *yaml.Node, key string, value *yaml.Node, origin string) {
	name := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}
	if origin != "" {
		d.origin[name] = origin
		d.originOf(value, origin)
	}
	replace(n, name, value)
}

// replace makes value the value of a key in the mapping n.
func replace(n, key, value *yaml.Node) {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Kind == yaml.ScalarNode && n.Content[i].Value == key.Value {
			n.Content[i], n.Content[i+1] = key, value
			return
		}
	}
	n.Content = append(n.Content, key, value)
}

// valueOf returns the value of a key of the mapping n, nil if there is none.
func valueOf(n *yaml.Node, key string) *yaml.Node {
	for i := 1; i < len(n.Content); i += 2 {
		if n.Content[i-1].Kind == yaml.ScalarNode && n.Content[i-1].Value == key {
			return n.Content[i]
		}
	}
	return nil
}

// nameOf returns the name of a list item, or nil.
func nameOf(item *yaml.Node) *yaml.Node {
	name := valueAt(item, "name")
	if name == nil || name.Kind != yaml.ScalarNode || nameRule.admits(name.Value) != nil {
		return nil
	}
	return name
}

// A nester is a codec for what may be absent: optional, named and variants.
type nester interface {
	prototype() codec
	many() bool // whether it is a list of them
}

// mappingOf returns the codec of the mappings that c reads, if it reads any.
func mappingOf(c codec) (mapping, bool) {
	if n, ok := c.(nester); ok {
		c = n.prototype()
	}
	m, ok := c.(mapping)
	return m, ok
}

// child returns the codec of a key of the mapping that c reads, or nil if no key
// of that name exists for every type.
func child(c codec, key string) codec {
	m, _ := mappingOf(c)
	for _, f := range m.fields {
		if f.key == key {
			return f.value
		}
	}
	return nil
}

// KeyNamed returns the full name of the key of a config that word names, such as dataset.scenes for scenes, "" if
// there is none or there are several. Of those at one depth, it is one outside of lists. Hyphens are underscores.
func KeyNamed(word string) string {
	const least = 3 // letters of a word that means the same elsewhere
	var found []string
	walkKeys("", allSections(defaults()), func(name string, _ field) {
		if strings.HasSuffix(name, "."+strings.ReplaceAll(word, "-", "_")) && len(word) >= least && !slices.Contains(found, name) {
			found = append(found, name)
		}
	})
	outer := func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "."), strings.Count(b, ".")), cmp.Compare(strings.Count(a, anyItem), strings.Count(b, anyItem)))
	}
	slices.SortStableFunc(found, outer)
	if len(found) == 0 || len(found) > 1 && outer(found[0], found[1]) == 0 {
		return ""
	}
	return found[0]
}
