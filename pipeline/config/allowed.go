package config

import (
	"fmt"
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
	text := "want one of " + strings.Join(allowed, ", ")
	if near := spelling.Nearest(word, allowed); near != "" {
		text += fmt.Sprintf(" (did you mean %s?)", near)
	}
	return text
}
