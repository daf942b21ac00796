// Package spelling finds the word that somebody meant who typed another.
package spelling

import "strings"

// Nearest returns the allowed word with the least edit distance to word, the
// first of several; "" if they are further apart than half of the longer one,
// where a suggestion would only puzzle. Words that are the same once folded have
// distance 0.
func Nearest(word string, allowed []string) string {
	const longest = 200 // bytes; nothing allowed is near to a longer word
	if len(word) > longest {
		return ""
	}
	best, bestDistance := "", 0
	for _, w := range allowed {
		d := distance(Fold(word), Fold(w))
		if 2*d <= max(len(word), len(w)) && (best == "" || d < bestDistance) {
			best, bestDistance = w, d
		}
	}
	return best
}

// Fold makes words equal that differ only in how people write them: in case, and
// in what stands between their parts.
func Fold(word string) string {
	return strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(word))
}

// distance is Levenshtein's (1966): the least number of bytes to insert, delete
// or replace that turns a into b.
func distance(a, b string) int {
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
