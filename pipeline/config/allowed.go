package config

import (
	"fmt"
	"strings"

	"descbench/eval/spelling"
)

// oneOf lists the words that are allowed, with the one nearest to what was
// found instead.
func oneOf(word string, allowed []string) string {
	if len(allowed) == 0 {
		return "there is none"
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
