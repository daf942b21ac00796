package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"descbench/eval/spelling"
)

// fewNames is the number of names that a line lists.
const fewNames = 3

// Named lists the first few of the names of descriptors: "sift, surf and 2 more".
// total is the number of all descriptors; a line about all of them says so.
func Named(names []string, total int) string {
	if n := len(names); n == total && n > 1 {
		return "all descriptors"
	}
	return spelling.Few(names, fewNames)
}

// GroupedWarnings returns each warning once, preceded by the descriptors that it
// is about, of total ones. Warnings that differ in their numbers only become one,
// with the range of each number. Of more than a few of one kind, the rest is
// counted.
func GroupedWarnings(warnings []WarningMessage, total int) []string {
	const most = 5 // of one kind
	type group struct {
		kind, text string
		names      []string
	}
	var groups []*group
	ofKind := make(map[string]int)
	for _, w := range warnings {
		i := slices.IndexFunc(groups, func(g *group) bool {
			_, alike := merge(g.text, w.Text)
			// Warnings about the run, not about a descriptor, stand alone.
			return g.kind == w.Kind && (g.text == w.Text || alike && w.Descriptor != "" && len(g.names) > 0)
		})
		if i < 0 {
			groups = append(groups, &group{kind: w.Kind, text: w.Text})
			ofKind[w.Kind]++
			i = len(groups) - 1
		}
		g := groups[i]
		g.text, _ = merge(g.text, w.Text)
		if w.Descriptor != "" && !slices.Contains(g.names, w.Descriptor) {
			g.names = append(g.names, w.Descriptor)
		}
	}
	var lines []string
	printed := make(map[string]int)
	for _, g := range groups {
		printed[g.kind]++
		switch n := printed[g.kind]; {
		case ofKind[g.kind] > most && n == most:
			lines = append(lines, fmt.Sprintf("%d more of the kind %s (--json lists all)", ofKind[g.kind]-most+1, g.kind))
		case ofKind[g.kind] > most && n > most:
		case len(g.names) == 0:
			lines = append(lines, g.text)
		default:
			lines = append(lines, Named(g.names, total)+": "+g.text)
		}
	}
	return lines
}

var numberPattern = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)?(?: to [0-9]+(?:\.[0-9]+)?)?`)

// merge joins two texts that differ in numbers only: "in 2 of 5 scenes" and "in 3
// of 5 scenes" are "in 2 to 3 of 5 scenes". Numbers that are parts of words, such
// as names of scenes, must be equal. alike is false for other texts.
func merge(a, b string) (text string, alike bool) {
	if a == b {
		return a, true
	}
	numbersA, restA := split(a)
	numbersB, restB := split(b)
	if !slices.Equal(restA, restB) {
		return a, false
	}
	var out strings.Builder
	for i, rest := range restA {
		out.WriteString(rest)
		if i < len(numbersA) {
			out.WriteString(span(numbersA[i], numbersB[i]))
		}
	}
	return out.String(), true
}

// split returns the numbers of a text that are words of their own, and what is
// before, between and after them.
func split(text string) (numbers, rest []string) {
	from := 0
	for _, at := range numberPattern.FindAllStringIndex(text, -1) {
		before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		after, _ := utf8.DecodeRuneInString(text[at[1]:])
		if partOfWord(before) || partOfWord(after) || strings.HasPrefix(text[at[1]:], ".") && len(text) > at[1]+1 && text[at[1]+1] != ' ' {
			continue
		}
		rest, numbers = append(rest, text[from:at[0]]), append(numbers, text[at[0]:at[1]])
		from = at[1]
	}
	return numbers, append(rest, text[from:])
}

func partOfWord(r rune) bool {
	return r == '_' || r == '-' || r == '/' || r == '@' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// span returns the range of two numbers or ranges.
func span(a, b string) string {
	all := slices.Concat(strings.Split(a, " to "), strings.Split(b, " to "))
	byValue := func(a, b string) int {
		x, _ := strconv.ParseFloat(a, 64)
		y, _ := strconv.ParseFloat(b, 64)
		return cmp.Compare(x, y)
	}
	low, high := slices.MinFunc(all, byValue), slices.MaxFunc(all, byValue)
	if low == high {
		return low
	}
	return low + " to " + high
}
