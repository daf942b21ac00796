package config

import (
	"encoding/json"
)

// Schema returns the JSON Schema (draft 2020-12) of a config, for completion and
// checks in editors. It follows the same tree of codecs as Load and rejects what
// Load rejects, except faults that involve two places: duplicate or undefined
// names, conflicting settings.
func Schema() []byte {
	s := allSections(defaults()).schema()
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "descbench experiment"
	s["anyOf"] = []any{object{"required": []string{"descriptors"}}, object{"required": []string{variantsKey}}}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // of strings, numbers, lists and objects, nothing else
	}
	return append(text, '\n')
}

func (m mapping) schema() object {
	s := m.long()
	if m.short == "" {
		return s
	}
	for _, f := range m.fields {
		if f.key == m.short {
			return object{"anyOf": []any{f.value.schema(), s}}
		}
	}
	panic("config: a mapping is short for a key that it lacks: " + m.short)
}

// long is the schema of the full form of the mapping.
func (m mapping) long() object {
	var s object
	switch {
	case m.variants == nil:
		s = fieldsSchema(m.fields)
	default:
		var each []any
		m.variants.each(func(name string) {
			typ := m.variants.typeField()
			typ.value = oneWord(m.variants.typ, name)
			fields := append(m.fields[:len(m.fields):len(m.fields)], typ)
			each = append(each, fieldsSchema(append(fields, m.variants.rest()...)))
		})
		s = object{"oneOf": each}
	}
	if m.exactlyOne != nil {
		var each []any
		for _, key := range m.exactlyOne {
			each = append(each, object{"required": []string{key}})
		}
		s["oneOf"] = each
	}
	return s
}

func fieldsSchema(fields []field) object {
	properties, required := object{}, []string{}
	for _, f := range fields {
		p := f.value.schema()
		p["description"] = f.doc
		if _, section := f.value.(mapping); !section && f.required == "" {
			if n := f.value.encode(everything); n != nil {
				var value any
				if err := n.Decode(&value); err != nil {
					panic(err) // encode writes what YAML reads
				}
				p["default"] = value
			}
		}
		properties[f.key] = p
		if f.required != "" || needed(f.value) {
			required = append(required, f.key)
		}
	}
	s := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// needed reports whether a section is required because some of its fields are.
func needed(c codec) bool {
	m, section := c.(mapping)
	if !section {
		return false
	}
	for _, f := range m.fields {
		if f.required != "" || needed(f.value) {
			return true
		}
	}
	return m.variants != nil
}
