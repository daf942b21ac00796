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
