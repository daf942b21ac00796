package config

import (
	"strings"

	"descbench/eval/spelling"
)

// oneOf lists the allowed words and suggests the one nearest to word.
func oneOf(word string, allowed []string) string {
	if len(allowed) == 0 {
		return "but there are none to choose from"
	}
	if len(allowed) == 1 {
		return "want " + allowed[0]
	}
	return "want one of " + strings.Join(allowed, ", ") + spelling.Hint(word, allowed)
}

// wanted shows the form of a mapping.
func (m mapping) wanted() string {
	const most = 5
	var keys []string
	for _, f := range m.fields {
		keys = append(keys, f.key+": ...")
	}
	if m.variants != nil {
		keys = append([]string{"type: ..."}, keys...)
	}
	if len(keys) > most {
		keys = append(keys[:most-1], "...")
	}
	return "{" + strings.Join(keys, ", ") + "}"
}
