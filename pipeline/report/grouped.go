package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"descbench/eval/spelling"
	"descbench/pipeline/store"
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

// PaperNotes returns the notes below a table for papers about the warnings without which its
// values mislead, and the other warnings. Of a long one, a note has the first clause.
func PaperNotes(warnings []WarningMessage) (notes []string, others []WarningMessage) {
	var list []WarningMessage
	for _, w := range warnings {
		switch w.Kind {
		case "many-ties", "chance-level", "random-matches", "low-coverage", "invalid-rows", "misread-scores":
			w.Text, _, _ = strings.Cut(w.Text, ";")
			list = append(list, w)
		case OtherKeypoints, OtherMatches:
			if before, of, found := strings.Cut(w.Text, "which affects "); found {
				w.Text = before + "which affects " + beginSpelled(of)
			}
			list = append(list, w)
		case "failed-estimates":
			w.Text = beginSpelled(w.Text)
			list = append(list, w)
		case store.OtherRun, store.CopiedScene, store.OtherWindows, "invalid-queries", "no-matches", "program-note":
			list = append(list, w)
		default:
			others = append(others, w)
		}
	}
	ofRun := func(w WarningMessage) bool { return w.Descriptor == "" }
	ordered := slices.Concat(slices.DeleteFunc(slices.Clone(list), ofRun), slices.DeleteFunc(list, func(w WarningMessage) bool { return !ofRun(w) }))
	return GroupedWarnings(ordered, 0), others
}

// beginSpelled spells the metric or estimator with which a text begins as papers do.
func beginSpelled(text string) string {
	n := strings.IndexAny(text+" ", ":;, ")
	return Spelled(text[:n]) + text[n:]
}

// Notes are the kinds of warnings that ask for no action.
var Notes = []string{"few-scenes", "left-out", "scene-images", "program-note", "outside-image", "shifted", "same-position", Apart, store.OtherWindows}

// WarningLines returns each warning once, but for those of kinds that are told
// elsewhere, and notes after them. descriptors is their total number.
func WarningLines(warnings []WarningMessage, descriptors int, but ...string) []string {
	var lines []string
	for _, prefix := range []string{"warning: ", "note: "} {
		told := slices.DeleteFunc(slices.Clone(warnings), func(w WarningMessage) bool {
			return slices.Contains(but, w.Kind) || slices.Contains(Notes, w.Kind) != (prefix == "note: ")
		})
		for _, text := range GroupedWarnings(told, descriptors) {
			if prefix == "note: " {
				text = strings.TrimPrefix(text, "all descriptors: ")
			}
			lines = append(lines, prefix+text)
		}
	}
	return lines
}

// aloneNumber is a number or range that is a word of its own, not part of a name, with its per cent.
var aloneNumber = regexp.MustCompile(`(^|[ (])[0-9]+(\.[0-9]+)?(–[0-9]+(\.[0-9]+)?)?\b( %)?`)

// GroupedWarnings returns each warning once, preceded by the descriptors that it
// is about, of total ones. Warnings about descriptors that differ in their numbers only
// are one, with the numbers of the first, and the first other number of each. Of more than a few of one kind, the rest is
// counted.
func GroupedWarnings(warnings []WarningMessage, total int) []string {
	const most = 5 // of one kind
	type group struct {
		kind, text   string
		names, alike []string // descriptors with this text, and with other numbers
	}
	var groups []*group
	ofKind := make(map[string]int)
	// The first group of a kind with a text, and with a form and descriptors: warnings about
	// the run, not about a descriptor, stand alone.
	withText, withForm := make(map[[2]string]*group), make(map[[2]string]*group)
	listed := make(map[*[]string]map[string]bool)
	for _, w := range warnings {
		form := [2]string{w.Kind, aloneNumber.ReplaceAllString(w.Text, "$1#")}
		g := withText[[2]string{w.Kind, w.Text}]
		if g == nil && w.Descriptor != "" {
			g = withForm[form]
		}
		if g == nil {
			g = &group{kind: w.Kind, text: w.Text}
			groups = append(groups, g)
			ofKind[w.Kind]++
			withText[[2]string{w.Kind, w.Text}] = g
		}
		names, name := &g.names, w.Descriptor
		if name != "" && withForm[form] == nil {
			withForm[form] = g
		}
		if g.text != w.Text {
			names = &g.alike
			was := aloneNumber.FindAllString(g.text, -1)
			for i, number := range aloneNumber.FindAllString(w.Text, -1) {
				if number != was[i] {
					name += " " + strings.Trim(number, " (")
					break
				}
			}
		}
		if listed[names] == nil {
			listed[names] = make(map[string]bool)
		}
		if name != "" && !listed[names][name] {
			listed[names][name] = true
			*names = append(*names, name)
		}
	}
	var lines []string
	printed := make(map[string]int)
	for _, g := range groups {
		if g.alike != nil {
			g.text += "; likewise " + spelling.Few(g.alike, mostListed)
		}
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
