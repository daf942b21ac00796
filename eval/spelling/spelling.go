// Package spelling words what messages have in common: the correct word for a
// misspelt one, long lists, and numbers of things.
package spelling

import "strings"

// Nearest returns the allowed word with the smallest edit distance to word, the
// first one on ties. It returns "" if the distance exceeds half the length of the
// shorter word, because such a suggestion would only confuse. Words that are equal
// after folding have distance 0.
func Nearest(word string, allowed []string) string {
	const longest = 200 // bytes; no allowed word is similar to a longer word
	if len(word) > longest {
		return ""
	}
	best, bestDistance := "", 0
	for _, w := range allowed {
		d := distance(Fold(word), Fold(w))
		if 2*d <= min(len(word), len(w)) && (best == "" || d < bestDistance) {
			best, bestDistance = w, d
		}
	}
	return best
}

// Slip returns the first allowed word, of four letters or more, of which word differs by
// a single letter, missing, added or wrong, or by two neighbours exchanged; "" if there
// is none. Nothing else is meant by such a word, as it may be by a merely similar one.
func Slip(word string, allowed []string) string {
	for _, w := range allowed {
		a, b := Fold(word), Fold(w)
		exchanged := false
		for i := range min(len(a), len(b)) - 1 {
			exchanged = exchanged || a[:i]+a[i+1:i+2]+a[i:i+1]+a[i+2:] == b
		}
		if len(w) >= 4 && len(word) < 100 && (exchanged || distance(a, b) == 1) {
			return w
		}
	}
	return ""
}

// Fold converts word to lower case and replaces hyphens and spaces by underscores, so
// that spelling variants become equal.
func Fold(word string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(word), "-", "_"), " ", "_")
}

// distance returns the Levenshtein distance (1966): the minimum number of byte
// insertions, deletions and replacements that turn a into b.
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
