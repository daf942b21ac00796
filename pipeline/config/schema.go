package config

import (
	"encoding/json"
)

// Schema returns the JSON Schema (draft 2020-12) of a config, for editors that
// complete and check while one types. It follows the same tree of codecs as
// Load and refuses what Load refuses, except what takes two places to see:
// names used twice or never defined, cycles, settings that must agree.
func Schema() []byte {
	s := known().config(defaults("")).schema()
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = "descbench experiment"
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

// long is the schema of the mapping written out.
func (m mapping) long() object {
	var s object
	switch {
	case m.variants == nil:
		s = fieldsSchema(m.fields)
	default:
		var each []any
		for _, name := range m.variants.names {
			*m.variants.typ = name
			m.variants.start()
			typ := m.variants.typeField()
			typ.value = oneWord(m.variants.typ, name)
			fields := append(m.fields[:len(m.fields):len(m.fields)], typ)
			each = append(each, fieldsSchema(append(fields, m.variants.rest()...)))
		}
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
		if p == nil {
			continue
		}
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

// needed reports whether a section must be given, since it has fields that
// must.
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
