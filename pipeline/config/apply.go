package config

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// apply puts the override into the tree under root and makes the mappings on
// the way that are absent. Whether the value is right shows when the tree is
// decoded.
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
		if last && name == "" {
			d.put(n, word, scalar(o.Value), o.Origin)
			return
		}
		shape = child(shape, word)
		value := valueOf(n, word)
		switch m, ok := mappingOf(shape); {
		case name != "":
			if value == nil || value.Kind != yaml.SequenceNode {
				fault("found %s, want a list", found(value))
				return
			}
			var names []string
			if value, names = itemOf(value, name); value == nil {
				fault("found no item of the name %q, %s", name, oneOf(name, names))
				return
			}
			key += "[" + name + "]"
		case value == nil:
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

// scalar returns s as a YAML scalar. Only in quotes is it read as YAML, so that
// a name may hold whatever YAML would take for syntax.
func scalar(s string) *yaml.Node {
	if strings.HasPrefix(s, `"`) || strings.HasPrefix(s, `'`) {
		var doc yaml.Node
		if err := yaml.Unmarshal([]byte(s), &doc); err == nil && doc.Content[0].Kind == yaml.ScalarNode {
			n := doc.Content[0]
			return &yaml.Node{Kind: n.Kind, Tag: n.Tag, Style: n.Style, Value: n.Value}
		}
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Value: s}
}

// put makes value the value of key in the mapping n. origin says where it
// comes from; "" leaves that as it is.
func (d *decoder) put(n *yaml.Node, key string, value *yaml.Node, origin string) {
	name := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: key}
	if origin != "" {
		d.origin[name], d.origin[value] = origin, origin
	}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Kind == yaml.ScalarNode && n.Content[i].Value == key {
			if origin != "" {
				n.Content[i] = name
			}
			n.Content[i+1] = value
			return
		}
	}
	n.Content = append(n.Content, name, value)
}

// valueOf returns the value of a key of the mapping n, nil if there is none.
func valueOf(n *yaml.Node, key string) *yaml.Node {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Kind == yaml.ScalarNode && n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// itemOf returns the item of that name of a list of mappings, nil if there is
// none, and the names that there are.
func itemOf(list *yaml.Node, name string) (item *yaml.Node, names []string) {
	for _, n := range list.Content {
		label := nameOf(n)
		if label == nil {
			continue
		}
		if label.Value == name {
			return n, nil
		}
		names = append(names, label.Value)
	}
	return nil, names
}

// nameOf returns the name of an item of a list, nil if it has none.
func nameOf(item *yaml.Node) *yaml.Node {
	if item.Kind != yaml.MappingNode {
		return nil
	}
	name := valueOf(item, "name")
	if name == nil || name.Kind != yaml.ScalarNode || !nameRule.admits(name.Value) {
		return nil
	}
	return name
}

// A nester is a codec for mappings that are not always there: optional and
// named.
type nester interface {
	prototype() mapping
	many() bool // whether it is a list of them
}

// mappingOf returns the codec of the mappings that c reads, if it reads any.
func mappingOf(c codec) (mapping, bool) {
	switch c := c.(type) {
	case mapping:
		return c, true
	case nester:
		return c.prototype(), true
	}
	return mapping{}, false
}

// child returns the codec of a key of the mapping that c reads; nil if there
// is none that goes with every type.
func child(c codec, key string) codec {
	m, _ := mappingOf(c)
	for _, f := range m.fields {
		if f.key == key {
			return f.value
		}
	}
	return nil
}
