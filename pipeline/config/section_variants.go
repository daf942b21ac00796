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
type variantsList struct{}

func (variantsList) decode(*decoder, string, *yaml.Node) {}

func (variantsList) encode(view) *yaml.Node { return nil }

func (variantsList) many() bool { return true }

func (variantsList) prototype() codec { return mapping{} }

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
		{key: "matrix", doc: "The label of each dimension.", value: labels{&v.Matrix}, required: "want the label of each dimension"},
	}}
}

// labels is a codec for a mapping of texts to texts.
type labels struct{ to *map[string]string }

func (l labels) decode(d *decoder, key string, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		d.fault(key, n, "found %s, want the label of each dimension, such as {root: l1}", found(n))
		return
	}
	*l.to = make(map[string]string)
	d.entries(key, n) // for keys that occur twice
	names, values := mappingEntries(n)
	for _, name := range names {
		if label, ok := d.text(within(key, name), values[name], lineRule); ok {
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

// A dimension is one key of a matrix.
type dimension struct {
	name    string
	choices []labelled
}

// labelled is one choice in a dimension: descriptor keys and values.
type labelled struct {
	label string
	keys  *yaml.Node // a mapping
}

// A combination holds the choice in each dimension.
type combination []labelled

// A variantsEntry is an entry of the section while it is expanded.
type variantsEntry struct {
	*decoder
	key        string     // variants[...], for errors
	name       *yaml.Node // the template
	base       *yaml.Node // the keys of every descriptor
	dimensions []dimension
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
	d.moveToDescriptors(root, all)
	return true
}

// moveToDescriptors removes the section and adds all to the descriptors.
func (d *decoder) moveToDescriptors(root *yaml.Node, all []*yaml.Node) {
	for i := 0; i < len(root.Content); i += 2 {
		if root.Content[i].Value != variantsKey {
			continue
		}
		section := root.Content[i+1]
		root.Content = append(root.Content[:i:i], root.Content[i+2:]...)
		switch list := valueOf(root, "descriptors"); {
		case list == nil:
			list = d.beside(section, yaml.SequenceNode)
			list.Content = all
			d.put(root, "descriptors", list, "")
		case list.Kind == yaml.SequenceNode:
			list.Content = append(list.Content, all...)
		}
		return
	}
}

// expandEntry returns the descriptors of an entry.
func (d *decoder) expandEntry(key string, n *yaml.Node) []*yaml.Node {
	if n.Kind != yaml.MappingNode {
		d.fault(key, n, "found %s, want a mapping", found(n))
		return nil
	}
	v := &variantsEntry{decoder: d, key: key, base: d.beside(n, yaml.MappingNode)}
	before := len(d.faults)
	given := d.entries(key, n)
	v.readName(n, given["name"])
	v.readMatrix(n, given["matrix"])
	if len(d.faults) == before {
		v.checkTemplate("name", v.name)
		v.checkTemplate("label", given["label"])
	}
	if len(d.faults) > before {
		return nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		if !slices.Contains([]string{"name", "matrix"}, n.Content[i].Value) {
			v.base.Content = append(v.base.Content, n.Content[i], n.Content[i+1])
		}
	}
	return v.descriptors()
}

func (v *variantsEntry) readName(entry, n *yaml.Node) {
	switch {
	case n == nil:
		v.fault(within(v.key, "name"), entry, "missing, want a template such as \"{type}-{root}\"")
	case n.Kind != yaml.ScalarNode || n.Value == "":
		v.fault(within(v.key, "name"), n, "found %s, want a template such as \"{type}-{root}\", in quotes", found(n))
	default:
		v.name = n
		if !strings.ContainsAny(n.Value, "[]") {
			v.key = fmt.Sprintf("%s[%s]", variantsKey, shortened(n.Value))
		}
	}
}

func (v *variantsEntry) readMatrix(entry, n *yaml.Node) {
	key := within(v.key, "matrix")
	if n == nil {
		v.fault(key, entry, "missing, want the dimensions, such as {type: [sift, rgbsift]}")
		return
	}
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		v.fault(key, n, "found %s, want the dimensions, such as {type: [sift, rgbsift]}", found(n))
		return
	}
	v.entries(key, n) // for keys that occur twice
	count := 1
	for i := 0; i < len(n.Content); i += 2 {
		dim := v.dimension(within(key, n.Content[i].Value), n.Content[i].Value, n.Content[i+1])
		v.dimensions = append(v.dimensions, dim)
		count *= max(1, len(dim.choices))
		if count > maxVariants {
			v.fault(key, n, "found more than %[1]d combinations, want at most %[1]d", maxVariants)
			return
		}
	}
}

// dimension reads a list of values of the key, or labels of keys to set.
func (v *variantsEntry) dimension(key, name string, n *yaml.Node) dimension {
	dim := dimension{name: name}
	before := len(v.faults)
	add := func(label, keys *yaml.Node) {
		if slices.ContainsFunc(dim.choices, func(c labelled) bool { return c.label == label.Value }) {
			v.fault(key, label, "found %s twice", found(label))
		}
		dim.choices = append(dim.choices, labelled{label.Value, keys})
	}
	if n.Kind == yaml.MappingNode {
		for i := 0; i < len(n.Content); i += 2 {
			label, keys := n.Content[i], n.Content[i+1]
			if isNull(keys) {
				keys = v.beside(keys, yaml.MappingNode)
			}
			if label.Kind != yaml.ScalarNode || keys.Kind != yaml.MappingNode {
				v.fault(key, keys, "found %s, want the keys that the label %s sets, such as {root: l1}, or {} for none", found(keys), printable(label.Value))
				continue
			}
			add(label, keys)
		}
	} else {
		for _, item := range v.items(key, n, "a list of values, or labels of keys to set") {
			if item.Kind != yaml.ScalarNode || isNull(item) || item.Value == "" {
				v.fault(key, item, "found %s, want a word or a number; for anything else, label it: {LABEL: {%s: VALUE}}", found(item), name)
				continue
			}
			keys := v.beside(item, yaml.MappingNode)
			keys.Content = []*yaml.Node{v.textBeside(item, name), item}
			add(item, keys)
		}
	}
	if len(dim.choices) == 0 && len(v.faults) == before {
		v.fault(key, n, "found nothing in it, want at least one value")
	}
	return dim
}

// textBeside returns a text at the position of n.
func (d *decoder) textBeside(n *yaml.Node, text string) *yaml.Node {
	out := d.beside(n, yaml.ScalarNode)
	out.Tag, out.Value = "!!str", text
	return out
}

func (v *variantsEntry) names() []string {
	return spelling.Words(v.dimensions, func(d dimension) string { return d.name })
}

var placeholder = regexp.MustCompile(`([-_./ ]?)\{([^{}]*)\}`)

// checkTemplate checks that the template of a key, nil without one, names known dimensions.
func (v *variantsEntry) checkTemplate(key string, n *yaml.Node) {
	if n == nil {
		return
	}
	for _, m := range placeholder.FindAllStringSubmatch(n.Value, -1) {
		if !slices.Contains(v.names(), m[2]) {
			v.fault(within(v.key, key), n, "found {%s} in it, which is not a dimension of the matrix, %s", printable(shortened(m[2])), oneOf(m[2], v.names()))
		}
	}
}

// descriptors returns the descriptors of all combinations, the last dimension varying fastest.
func (v *variantsEntry) descriptors() []*yaml.Node {
	var out []*yaml.Node
	first := make(map[string]combination) // by name
	for _, at := range v.combinations() {
		name := v.filled(v.name.Value, at)
		if other, ok := first[name]; ok {
			v.fault(within(v.key, "name"), v.name, "gives %q twice, for %s and for %s; want other labels or another template", name, v.describe(other), v.describe(at))
			return nil
		}
		first[name] = at
		if !nameRule.admits(name) {
			v.fault(within(v.key, "name"), v.name, "gives %q for %s, want %s", name, v.describe(at), nameRule.want)
			return nil
		}
		descriptor := v.descriptor(at, name)
		if descriptor == nil {
			return nil
		}
		v.variantOf[name] = v.describe(at)
		out = append(out, descriptor)
	}
	return out
}

func (v *variantsEntry) combinations() []combination {
	all := []combination{nil}
	for _, d := range v.dimensions {
		var longer []combination
		for _, at := range all {
			for _, choice := range d.choices {
				longer = append(longer, append(slices.Clip(at), choice))
			}
		}
		all = longer
	}
	return all
}

// filled fills in a template. A placeholder with an empty label disappears with
// the separator before it.
func (v *variantsEntry) filled(template string, at combination) string {
	text := placeholder.ReplaceAllStringFunc(template, func(match string) string {
		m := placeholder.FindStringSubmatch(match)
		label := at[slices.Index(v.names(), m[2])].label
		if label == "" {
			return ""
		}
		return m[1] + label
	})
	return strings.TrimLeft(text, "-./ ")
}

// describe returns a combination in words, for errors.
func (v *variantsEntry) describe(at combination) string {
	var parts []string
	for i, d := range v.dimensions {
		parts = append(parts, fmt.Sprintf("%s: %s", d.name, printable(shortened(at[i].label))))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// descriptor returns the mapping of one combination, or nil if two dimensions set
// the same key.
func (v *variantsEntry) descriptor(at combination, name string) *yaml.Node {
	out := v.copyOf(v.base)
	if label := valueOf(out, "label"); label != nil {
		label.Value = v.filled(label.Value, at)
	}
	setBy := make(map[string]string) // dimension by path
	for i, d := range v.dimensions {
		if !v.merge(out, at[i].keys, "", d.name, setBy) {
			return nil
		}
	}
	text := func(s string) *yaml.Node { return v.textBeside(v.name, s) }
	matrix, from := v.beside(v.name, yaml.MappingNode), v.beside(v.name, yaml.MappingNode)
	for i, d := range v.dimensions {
		matrix.Content = append(matrix.Content, text(d.name), text(at[i].label))
	}
	from.Content = []*yaml.Node{text("name"), text(v.name.Value), text("matrix"), matrix}
	out.Content = append([]*yaml.Node{text("name"), text(name), text("variant"), from}, out.Content...)
	return out
}

// merge sets the keys of a mapping for a dimension.
func (v *variantsEntry) merge(to, keys *yaml.Node, path, dimension string, setBy map[string]string) bool {
	for i := 0; i < len(keys.Content); i += 2 {
		key, value := keys.Content[i], keys.Content[i+1]
		below := path + "." + key.Value
		now := valueOf(to, key.Value)
		if other := setBy[below]; now != nil && other != "" && other != dimension && (now.Kind != yaml.MappingNode || value.Kind != yaml.MappingNode) {
			v.fault(within(within(v.key, "matrix"), dimension), key, "found %s, which the dimension %s sets, too; want one of the two", below[1:], other)
			return false
		}
		setBy[below] = dimension
		if value.Kind != yaml.MappingNode {
			replace(to, key, v.copyOf(value))
			continue
		}
		if now == nil || now.Kind != yaml.MappingNode {
			now = v.beside(value, yaml.MappingNode)
			replace(to, key, now)
		}
		if !v.merge(now, value, below, dimension, setBy) {
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
