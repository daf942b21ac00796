package config

import (
	"fmt"
	"strings"
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
	if near := Nearest(word, allowed); near != "" {
		text += fmt.Sprintf(" (did you mean %s?)", near)
	}
	return text
}

// Nearest returns the allowed word with the least edit distance to word, the
// first of several; "" if they are further apart than half of the longer one,
// where a suggestion would only puzzle.
func Nearest(word string, allowed []string) string {
	const longest = 200 // bytes; nothing allowed is near to a longer word
	if len(word) > longest {
		return ""
	}
	best, bestDistance := "", 0
	for _, w := range allowed {
		d := editDistance(folded(word), folded(w))
		if 2*d <= max(len(word), len(w)) && (best == "" || d < bestDistance) {
			best, bestDistance = w, d
		}
	}
	return best
}

// folded makes words equal that differ only in how people write them.
func folded(s string) string {
	return strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(s))
}

// editDistance is Levenshtein's: the least number of bytes to insert, delete
// or replace that turns a into b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
