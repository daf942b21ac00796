package spelling

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Hint returns " (did you mean WORD?)" with the nearest allowed word, or "".
func Hint(word string, allowed []string) string { return Meant(Nearest(word, allowed)) }

// Meant returns " (did you mean WORD?)", or "" for no word.
func Meant(word string) string {
	if word == "" {
		return ""
	}
	return " (did you mean " + word + "?)"
}

// Words returns a word of each item of a list.
func Words[T any](list []T, word func(T) string) (words []string) {
	for _, item := range list {
		words = append(words, word(item))
	}
	return words
}

// As returns word as names have it: itself, or the only one that is equal after folding, if there is one.
func As(word string, names []string) string {
	equal := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return Fold(name) != Fold(word) })
	if slices.Sort(equal); len(slices.Compact(equal)) == 1 {
		return equal[0]
	}
	return word
}

// Matching returns those of some names that a word means: the one that it is, else those that it
// matches as a pattern such as sift*, with the rules of path.Match but for / being like any letter.
func Matching(word string, names []string) (meant []string) {
	if slices.Contains(names, word) {
		return []string{word}
	}
	for _, name := range names {
		if is, _ := path.Match(strings.ReplaceAll(word, "/", "\x00"), strings.ReplaceAll(name, "/", "\x00")); is && !slices.Contains(meant, name) {
			meant = append(meant, name)
		}
	}
	return meant
}

// Few lists names: all if there are at most so many, else the first ones and the
// number of the others, as in "a, b and 3 more".
func Few(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most-1], ", "), len(names)-most+1)
}

// Capital returns the begin of a sentence with a capital letter. Words such as mAP stay as
// they are, and names before a colon or comma.
func Capital(text string) string {
	if word, _, _ := strings.Cut(text, " "); word != "" && word[0] < unicode.MaxASCII && word == strings.ToLower(word) && !strings.ContainsAny(word[len(word)-1:], ":,") {
		return strings.ToUpper(text[:1]) + text[1:]
	}
	return text
}

// Groups are names grouped by a text: those of equal text, in the order of the first of each.
type Groups struct {
	Texts []string
	Of    map[string][]string // names by text
}

// Add adds a name to the group of a text.
func (g *Groups) Add(text, name string) {
	if g.Of == nil {
		g.Of = make(map[string][]string)
	}
	if g.Of[text] == nil {
		g.Texts = append(g.Texts, text)
	}
	g.Of[text] = append(g.Of[text], name)
}

// Shell returns a word of the shell in one line, whatever the text is, for commands to copy.
func Shell(text string) string {
	if regexp.MustCompile(`^[\w./:@%+=,-]+$`).MatchString(text) {
		return text
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		quoted := strconv.Quote(text)
		return "$'" + strings.ReplaceAll(quoted[1:len(quoted)-1], "'", `\'`) + "'"
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Count returns "1 thing" or "n things".
func Count(n int, thing string) string { return Counts([]int{n}, thing) }

// Span returns "n", or "m to n" of several numbers; of none, "0".
func Span(numbers ...int) string {
	if len(numbers) == 0 {
		return "0"
	}
	low, high := slices.Min(numbers), slices.Max(numbers)
	if low == high {
		return strconv.Itoa(low)
	}
	return fmt.Sprintf("%d to %d", low, high)
}

// Counts is Count of the Span of numbers: "m to n things".
func Counts(numbers []int, thing string) string {
	span := Span(numbers...)
	if span != "1" {
		thing += "s"
	}
	return span + " " + thing
}
