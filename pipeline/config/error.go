package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"descbench/eval/spelling"
)

// An Error is one fault in a config. Load joins several faults, one line each, in
// the order of the file.
type Error struct {
	File         string // as given to Load; or what else the value came from: a --set text, a variable
	Line, Column int    // from 1; 0 where there is none
	Key          string // e.g. descriptors[sift].root; "" where the fault is in no key
	Msg          string // what was found, what is allowed
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d", e.Line)
	}
	b.WriteString(": ")
	if e.Key != "" {
		b.WriteString(e.Key + ": ")
	}
	b.WriteString(e.Msg)
	return b.String()
}

// joined joins one or more faults into one error: those in file first, by line. What is wrong in several
// descriptors of one variant is told of the first.
func joined(file string, faults []*Error) error {
	slices.SortStableFunc(faults, func(a, b *Error) int {
		if inFile := a.File == file; inFile != (b.File == file) {
			if inFile {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	faults = slices.CompactFunc(faults, func(a, b *Error) bool {
		return a.Line > 0 && a.Line == b.Line && a.Msg == b.Msg
	})
	const most = 30 // lines that somebody would read
	var errs []error
	for i, f := range faults {
		if i == most {
			errs = append(errs, &Error{File: file, Msg: fmt.Sprintf("and %d more faults", len(faults)-most)})
			break
		}
		errs = append(errs, f)
	}
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}

// found describes the node n in one short line. n may be nil.
func found(n *yaml.Node) string {
	switch {
	case n == nil:
		return "nothing"
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	}
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!str":
		return strconv.Quote(shortened(n.Value))
	case "!!bool", "!!int", "!!float", "!!timestamp":
		return printable(shortened(n.Value))
	}
	return printable(shortened(n.Tag)) + " " + strconv.Quote(shortened(n.Value))
}

func shortened(s string) string {
	const limit = 60 // enough to recognise the value by
	if r := []rune(s); len(r) > limit {
		return string(r[:limit]) + "..."
	}
	return s
}

// printable returns s, in quotes if it could break the line it is printed in.
func printable(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}

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
	keys := spelling.Words(m.fields, func(f field) string { return f.key + ": ..." })
	if m.variants != nil {
		keys = append([]string{"type: ..."}, keys...)
	}
	if len(keys) > most {
		keys = append(keys[:most-1], "...")
	}
	return "{" + strings.Join(keys, ", ") + "}"
}
