package config

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"descbench/eval/spelling"
)

// A codec moves one value between a YAML tree and its place in a Config, and
// describes it to editors. Like a flag.Value it is bound to that place when it
// created. One tree of codecs (see sections.go) defines the keys of a config;
// Load, YAML, Identity, Diff, Schema, the environment and --set all follow it.
type codec interface {
	// decode checks the value at n and stores it. key is its full name.
	decode(d *decoder, key string, n *yaml.Node)
	// encode returns the stored value, or nil if it is absent.
	encode(v view) *yaml.Node
	// schema returns the JSON Schema of the values that decode accepts.
	schema() object
}

// An object is a JSON object.
type object = map[string]any

// A view selects the fields that encode returns.
type view uint8

const (
	everything view = iota
	results         // only what determines results: no paths, no description
)

// A decoder holds the state of decoding a tree.
type decoder struct {
	file   string                // as the user named it
	folder string                // absolute; relative paths start here
	origin map[*yaml.Node]string // where nodes come from that are not in the file
	at     map[string]*yaml.Node // the node of every key that was decoded
	faults []*Error
}

func newDecoder(file, folder string) *decoder {
	return &decoder{file: file, folder: folder, origin: map[*yaml.Node]string{}, at: map[string]*yaml.Node{}}
}

// fault records an Error at n.
func (d *decoder) fault(key string, n *yaml.Node, format string, args ...any) {
	e := &Error{File: d.file, Line: n.Line, Column: n.Column, Key: key, Msg: fmt.Sprintf(format, args...)}
	if o := d.origin[n]; o != "" {
		e.File, e.Line, e.Column = o, 0, 0
	}
	d.faults = append(d.faults, e)
}

// faultAt records an Error at the value of key or, if the key is missing, at the
// innermost mapping that exists.
func (d *decoder) faultAt(key string, format string, args ...any) {
	for around := key; ; {
		if n := d.at[around]; n != nil {
			d.fault(key, n, format, args...)
			return
		}
		around = around[:max(0, strings.LastIndexByte(around, '.'))]
	}
}

// A field is one key of a mapping.
type field struct {
	key   string
	doc   string // one line
	value codec
	// required is the message for a missing key; "" for an optional key.
	required string
	// inert marks keys that do not affect results.
	inert bool
}

// A mapping is a codec for a section with fixed keys.
type mapping struct {
	fields []field
	// variants are the further fields that depend on the key "type".
	variants *variants
	// exactlyOne lists mutually exclusive keys. One of them is required.
	exactlyOne []string
	// short is the key that receives a bare value given instead of the mapping.
	short string
}

// variants adds the key "type" and its dependent fields to a mapping.
type variants struct {
	doc   string
	typ   *string
	names []string
	start func()         // sets the defaults that go with *typ
	rest  func() []field // the fields that go with *typ
}

// each calls use for each type, which it sets, and for none if v is nil.
func (v *variants) each(use func(name string)) {
	if v == nil {
		return
	}
	for _, name := range v.names {
		*v.typ = name
		v.start()
		use(name)
	}
}

func (v *variants) typeField() field {
	return field{key: "type", doc: v.doc, value: oneWord(v.typ, v.names...), required: oneOf("", v.names)}
}

func (m mapping) decode(d *decoder, key string, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode && m.short != "" {
		n = d.long(m.short, n)
	}
	d.at[key] = n
	given := d.entries(key, n, "a mapping, "+m.wanted())
	if given == nil {
		return
	}
	m.countExclusive(d, key, n, given)
	allowed := decodeFields(d, key, n, given, m.fields)
	if m.variants != nil {
		before := len(d.faults)
		allowed = append(allowed, decodeFields(d, key, n, given, []field{m.variants.typeField()})...)
		if len(d.faults) > before {
			return // which other keys there may be is not known
		}
		m.variants.start()
		allowed = append(allowed, decodeFields(d, key, n, given, m.variants.rest())...)
	}
	for i := 0; i < len(n.Content); i += 2 {
		if k := n.Content[i]; k.Kind == yaml.ScalarNode && given[k.Value] != nil {
			name, want := within(key, k.Value), oneOf(k.Value, allowed)
			if meant := cmp.Or(spelling.Alias(k.Value), KeyNamed(k.Value)); meant != "" && ofItem.ReplaceAllString(name, anyItem) != meant {
				want = oneOf("", allowed) + spelling.Meant(meant)
			}
			if part, _, _ := strings.Cut(k.Value, "."); strings.HasPrefix(key, "descriptors[") && child(allSections(defaults()), part) != nil {
				switch want = "want a key of a descriptor; " + part + " holds for all of them: make a run for each value"; part {
				case "evaluation":
					want += ", or use descbench eval --sweep"
				case "variants":
					want = "want a key of a descriptor; variants is a section beside descriptors"
				}
			}
			if _, err := strconv.ParseFloat(k.Value, 64); err == nil {
				want += "; a comma ends a value: write decimals with a point"
			}
			d.fault(name, k, "unknown key, %s", want)
			delete(given, k.Value)
		}
	}
}

// long returns the mapping that the bare value n is short for.
func (d *decoder) long(key string, n *yaml.Node) *yaml.Node {
	long := d.beside(n, yaml.MappingNode)
	long.Content = []*yaml.Node{d.textBeside(n, key), n}
	return long
}

// beside returns an empty node at the position of n.
func (d *decoder) beside(n *yaml.Node, kind yaml.Kind) *yaml.Node {
	b := &yaml.Node{Kind: kind, Line: n.Line, Column: n.Column}
	if o := d.origin[n]; o != "" {
		d.origin[b] = o
	}
	return b
}

// entries returns the values of the mapping n by key, nil if it is not a mapping.
func (d *decoder) entries(key string, n *yaml.Node, want string) map[string]*yaml.Node {
	if n.Kind != yaml.MappingNode {
		d.fault(key, n, "found %s, want %s", found(n), want)
		return nil
	}
	given := make(map[string]*yaml.Node, len(n.Content)/2)
	line := make(map[string]int)
	for i := 0; i < len(n.Content); i += 2 {
		k := n.Content[i]
		switch {
		case k.Kind != yaml.ScalarNode:
			d.fault(key, k, "found %s as a key, want text", found(k))
		case given[k.Value] != nil:
			d.fault(within(key, k.Value), k, "found twice, first on line %d", line[k.Value])
		default:
			given[k.Value], line[k.Value] = n.Content[i+1], k.Line
		}
	}
	return given
}

// countExclusive checks that exactly one of the mutually exclusive keys is given.
func (m mapping) countExclusive(d *decoder, key string, n *yaml.Node, given map[string]*yaml.Node) {
	var present []string
	for _, k := range m.exactlyOne {
		if given[k] == nil {
			continue
		}
		present = append(present, k)
		if d.origin[given[k]] != "" {
			n = given[k] // the one too many, since the file came first
		}
	}
	if m.exactlyOne == nil || len(present) == 1 {
		return
	}
	d.fault(key, n, "found %s, want exactly one of %s", cmp.Or(strings.Join(present, " and "), "none"), strings.Join(m.exactlyOne, ", "))
}

// decodeFields decodes the given fields, removes them from given, and returns the
// keys of all fields.
func decodeFields(d *decoder, key string, n *yaml.Node, given map[string]*yaml.Node, fields []field) []string {
	var keys []string
	for _, f := range fields {
		keys = append(keys, f.key)
		name := within(key, f.key)
		_, section := f.value.(mapping)
		switch value := given[f.key]; {
		case value != nil:
			d.at[name] = value
			f.value.decode(d, name, value)
		case section: // its own required fields are missing, too
			f.value.decode(d, name, d.beside(n, yaml.MappingNode))
		case f.required != "":
			d.fault(name, n, "missing, %s", f.required)
		}
		delete(given, f.key)
	}
	return keys
}

// within returns the full name of a key of the mapping named outer.
func within(outer, key string) string {
	if !plainKey.MatchString(key) {
		key = strconv.Quote(shortened(key))
	}
	if outer == "" {
		return key
	}
	return outer + "." + key
}

var plainKey = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

func (m mapping) encode(v view) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode}
	for _, f := range m.all() {
		if v != everything && f.inert {
			continue
		}
		if value := f.value.encode(v); value != nil {
			out.Content = append(out.Content, textNode(f.key), value)
		}
	}
	return out
}

// all returns the fields of the mapping with those that go with its type.
func (m mapping) all() []field {
	if m.variants == nil {
		return m.fields
	}
	return slices.Concat(m.fields, []field{m.variants.typeField()}, m.variants.rest())
}
