package config

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"descbench/eval/spelling"
)

// The section variants describes descriptors by the combinations of their
// settings:
//
//	variants:
//	  - name: "{type}-{root}-{pool}"
//	    keypoints: sift_8k                # a key of every descriptor
//	    matrix:
//	      type: [sift, rgbsift]           # values of the key type
//	      root: {"": {}, root: {root: l1}} # labels of keys to set
//	      pool: {"": {}, dsp: {pooling: {scales: [0.85, 1, 1.3]}}}
//
// It is expanded in the YAML tree, before anything is decoded: everything else
// sees a list of descriptors, whose nodes have the lines of the section.

// maxVariants limits the combinations of one matrix.
const maxVariants = 1000

const variantsKey = "variants"

// variantsList is the codec of the section. The tree that is decoded does not have
// it any more; it only describes the section.
type variantsList struct{ named[Variant] }

func (variantsList) schema() object {
	return object{"type": "array", "minItems": 1, "items": object{
		"type": "object", "required": []string{"name", "matrix"},
		"properties": object{
			"name":   object{"type": "string", "minLength": 1, "description": "Template of the names, with {DIMENSION} for the label of each dimension. An empty label also removes the separator before it."},
			"matrix": object{"type": "object", "description": "The dimensions: a list of values of the key of that name, or a mapping of labels to the keys of a descriptor that each sets. Every combination is a descriptor. The further keys of the entry are those of all descriptors, label a template as name; the matrix overrides them."},
		},
	}}
}

// variant is the mapping that tells of a descriptor which combination gave it.
func variant(v *Variant) mapping {
	return mapping{fields: []field{
		{key: "name", doc: "The template of the entry.", value: text{to: &v.Name, rule: lineRule}, required: "want the template of an entry of variants"},
		{key: "matrix", doc: "The value or label of each dimension.", value: labels{&v.Matrix}, required: "want the label of each dimension"},
	}}
}

// labels is a codec for a mapping of texts to texts.
type labels struct{ to *map[string]string }

func (l labels) decode(d *decoder, key string, n *yaml.Node) {
	*l.to = make(map[string]string)
	for name, value := range d.entries(key, n, "the label of each dimension, such as {root: l1}") {
		if label, ok := d.text(within(key, name), value, lineRule); ok {
			(*l.to)[name] = label
		}
	}
}

func (l labels) encode(view) *yaml.Node {
	n := new(yaml.Node)
	if err := n.Encode(*l.to); err != nil {
		panic(err) // of texts
	}
	n.Style = yaml.FlowStyle
	return n
}

func (labels) schema() object {
	return object{"type": "object", "additionalProperties": lineRule.schema()}
}

// An option is one value of a dimension of a matrix: keys of a descriptor with their values.
type option struct {
	dimension, label string
	keys             *yaml.Node // a mapping
}

// value returns the value of the key that the dimension is named after, if the option sets no other
// key, and its label otherwise.
func (o option) value() string {
	if v := valueOf(o.keys, o.dimension); v != nil && v.Kind == yaml.ScalarNode && len(o.keys.Content) == 2 {
		return v.Value
	}
	return o.label
}

// A combination has an option of each dimension, in the order of the matrix.
type combination []option

// String returns "{type: sift, root: l1}".
func (c combination) String() string {
	parts := spelling.Words(c, func(o option) string { return o.dimension + ": " + printable(shortened(o.label)) })
	return "{" + strings.Join(parts, ", ") + "}"
}

func (c combination) dimensions() []string {
	return spelling.Words(c, func(o option) string { return o.dimension })
}

var placeholder = regexp.MustCompile(`([-_./ ]?)\{([^{}]*)\}`)

// filled fills in a template. A placeholder with an empty label disappears with
// the separator before it.
func (c combination) filled(template string) string {
	text := placeholder.ReplaceAllStringFunc(template, func(match string) string {
		m := placeholder.FindStringSubmatch(match)
		label := c[slices.Index(c.dimensions(), m[2])].label
		if label == "" {
			return ""
		}
		return m[1] + label
	})
	return strings.TrimLeft(text, "-./ ")
}

// expandVariants replaces the section variants by the descriptors that it
// describes, after those of the section descriptors. It returns whether it
// succeeded.
func (d *decoder) expandVariants(root *yaml.Node) bool {
	before := len(d.faults)
	section := valueOf(root, variantsKey)
	if section == nil {
		return true
	}
	if section.Kind != yaml.SequenceNode || len(section.Content) == 0 {
		d.fault(variantsKey, section, "found %s, want a list of at least one matrix of descriptors", found(section))
		return false
	}
	var all []*yaml.Node
	for i, item := range section.Content {
		all = append(all, d.expandEntry(fmt.Sprintf("%s[#%d]", variantsKey, i+1), item)...)
	}
	if len(d.faults) > before {
		return false
	}
	list := valueOf(root, "descriptors")
	if list == nil {
		list = d.beside(section, yaml.SequenceNode)
		d.put(root, "descriptors", list, "")
	}
	if list.Kind == yaml.SequenceNode { // else decoding it is an error
		list.Content = append(list.Content, all...)
	}
	at := slices.Index(root.Content, section)
	root.Content = slices.Delete(root.Content, at-1, at+1)
	return true
}

// expandEntry returns the descriptors of an entry, the last dimension varying fastest.
func (d *decoder) expandEntry(key string, n *yaml.Node) (out []*yaml.Node) {
	before := len(d.faults)
	given := d.entries(key, n, "a mapping")
	name := given["name"]
	switch {
	case given == nil:
		return nil
	case name == nil:
		d.fault(within(key, "name"), n, "missing, want a template such as \"{type}-{root}\"")
	case name.Kind != yaml.ScalarNode || name.Value == "":
		d.fault(within(key, "name"), name, "found %s, want a template such as \"{type}-{root}\", in quotes", found(name))
	case !strings.ContainsAny(name.Value, "[]"):
		key = fmt.Sprintf("%s[%s]", variantsKey, shortened(name.Value))
	}
	all := d.combinations(within(key, "matrix"), n, given["matrix"])
	for _, template := range []string{"name", "label"} {
		if len(d.faults) == before {
			d.checkTemplate(within(key, template), given[template], all[0].dimensions())
		}
	}
	if len(d.faults) > before {
		return nil
	}
	base := d.beside(n, yaml.MappingNode) // the keys of every descriptor
	for i := 0; i < len(n.Content); i += 2 {
		if !slices.Contains([]string{"name", "matrix"}, n.Content[i].Value) {
			base.Content = append(base.Content, n.Content[i], n.Content[i+1])
		}
	}
	first := make(map[string]combination) // by name
	for _, at := range all {
		text := at.filled(name.Value)
		if other, twice := first[text]; twice {
			d.fault(within(key, "name"), name, "gives %q twice, for %s and for %s; want other labels or another template", text, other, at)
			return nil
		}
		first[text] = at
		descriptor, setBy := d.copyOf(base), make(map[string]string) // dimension by path
		for _, o := range at {
			if !d.merge(within(within(key, "matrix"), o.dimension), descriptor, o.keys, "", o.dimension, setBy) {
				return nil
			}
		}
		out = append(out, d.identified(descriptor, name, at))
	}
	return out
}

// combinations returns all combinations of a matrix, which an entry of the section has.
func (d *decoder) combinations(key string, entry, n *yaml.Node) []combination {
	const want = "the dimensions, such as {type: [sift, rgbsift]}"
	if n == nil {
		d.fault(key, entry, "missing, want %s", want)
		return nil
	}
	if d.entries(key, n, want) == nil {
		return nil
	}
	if len(n.Content) == 0 {
		d.fault(key, n, "found nothing in it, want %s", want)
		return nil
	}
	all := []combination{nil}
	for i := 0; i < len(n.Content); i += 2 {
		options := d.options(within(key, n.Content[i].Value), n.Content[i].Value, n.Content[i+1])
		if len(all)*len(options) > maxVariants {
			d.fault(key, n, "found more than %[1]d combinations, want at most %[1]d", maxVariants)
			return nil
		}
		var longer []combination
		for _, at := range all {
			for _, o := range options {
				longer = append(longer, append(slices.Clip(at), o))
			}
		}
		all = longer
	}
	return all
}

// options reads a dimension: a list of values of the key of its name, or labels of keys to set.
func (d *decoder) options(key, name string, n *yaml.Node) (out []option) {
	before := len(d.faults)
	add := func(label, keys *yaml.Node) {
		if slices.ContainsFunc(out, func(o option) bool { return o.label == label.Value }) {
			d.fault(key, label, "found %s twice", found(label))
		}
		out = append(out, option{name, label.Value, keys})
	}
	if n.Kind == yaml.MappingNode {
		for i := 0; i < len(n.Content); i += 2 {
			label, keys := n.Content[i], n.Content[i+1]
			if isNull(keys) {
				keys = d.beside(keys, yaml.MappingNode)
			}
			if label.Kind != yaml.ScalarNode || keys.Kind != yaml.MappingNode {
				d.fault(key, keys, "found %s, want the keys that the label %s sets, such as {root: l1}, or {} for none", found(keys), printable(label.Value))
				continue
			}
			add(label, keys)
		}
	} else {
		for _, item := range d.items(key, n, "a list of values, or labels of keys to set") {
			if item.Kind != yaml.ScalarNode || isNull(item) || item.Value == "" {
				d.fault(key, item, "found %s, want a word or a number; for anything else, label it: {LABEL: {%s: VALUE}}", found(item), name)
				continue
			}
			add(item, d.long(name, item))
		}
	}
	if len(out) == 0 && len(d.faults) == before {
		d.fault(key, n, "found nothing in it, want at least one value")
	}
	return out
}

// checkTemplate checks that a template, nil without one, names known dimensions.
func (d *decoder) checkTemplate(key string, n *yaml.Node, dimensions []string) {
	if n == nil {
		return
	}
	for _, m := range placeholder.FindAllStringSubmatch(n.Value, -1) {
		if !slices.Contains(dimensions, m[2]) {
			d.fault(key, n, "found {%s} in it, which is not a dimension of the matrix, %s", printable(shortened(m[2])), oneOf(m[2], dimensions))
			return
		}
	}
}

// identified adds the name, the label and the origin of a descriptor to its keys.
func (d *decoder) identified(descriptor, template *yaml.Node, at combination) *yaml.Node {
	if label := valueOf(descriptor, "label"); label != nil {
		label.Value = at.filled(label.Value)
	}
	text := func(s string) *yaml.Node { return d.textBeside(template, s) }
	matrix, from := d.beside(template, yaml.MappingNode), d.beside(template, yaml.MappingNode)
	for _, o := range at {
		matrix.Content = append(matrix.Content, text(o.dimension), text(o.value()))
	}
	from.Content = []*yaml.Node{text("name"), text(template.Value), text("matrix"), matrix}
	descriptor.Content = append([]*yaml.Node{text("name"), text(at.filled(template.Value)), text("variant"), from}, descriptor.Content...)
	return descriptor
}

// textBeside returns a text at the position of n.
func (d *decoder) textBeside(n *yaml.Node, text string) *yaml.Node {
	out := d.beside(n, yaml.ScalarNode)
	out.Tag, out.Value = "!!str", text
	return out
}

// merge sets the keys of a mapping for a dimension, and reports whether no other dimension sets them.
func (d *decoder) merge(at string, to, keys *yaml.Node, path, dimension string, setBy map[string]string) bool {
	for i := 0; i < len(keys.Content); i += 2 {
		key, value := keys.Content[i], keys.Content[i+1]
		below := path + "." + key.Value
		now := valueOf(to, key.Value)
		if other := setBy[below]; now != nil && other != "" && other != dimension && (now.Kind != yaml.MappingNode || value.Kind != yaml.MappingNode) {
			d.fault(at, key, "found %s, which the dimension %s sets, too; want one of the two", below[1:], other)
			return false
		}
		setBy[below] = dimension
		if value.Kind != yaml.MappingNode {
			replace(to, key, d.copyOf(value))
			continue
		}
		if now == nil || now.Kind != yaml.MappingNode {
			now = d.beside(value, yaml.MappingNode)
			replace(to, key, now)
		}
		if !d.merge(at, now, value, below, dimension, setBy) {
			return false
		}
	}
	return true
}

// copyOf returns a copy of a tree, so that overrides change one place only.
func (d *decoder) copyOf(n *yaml.Node) *yaml.Node {
	out := *n
	out.Content = make([]*yaml.Node, len(n.Content))
	for i, child := range n.Content {
		out.Content[i] = d.copyOf(child)
	}
	if o := d.origin[n]; o != "" {
		d.origin[&out] = o
	}
	return &out
}
