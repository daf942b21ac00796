package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Limits far above any config. They keep a wrong file from filling the memory.
const (
	maxFileBytes = 1 << 20
	maxNodes     = 100_000 // of the YAML tree, after its aliases are replaced
)

// parse returns the mapping of the only document in text. It replaces aliases by
// copies of their values, so that an override changes only one place.
func parse(file string, text []byte) (*yaml.Node, error) {
	if len(text) > maxFileBytes {
		return nil, &Error{File: file, Msg: fmt.Sprintf("larger than %d bytes, want a config", maxFileBytes)}
	}
	for i, line := range bytes.Split(text, []byte("\n")) {
		if !utf8.Valid(line) || bytes.ContainsFunc(line, isStray) {
			return nil, &Error{File: file, Line: i + 1, Msg: fmt.Sprintf("found %s, want text in UTF-8", strconv.Quote(shortened(string(line))))}
		}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	err := decoder.Decode(&doc)
	if errors.Is(err, io.EOF) || err == nil && isNull(doc.Content[0]) {
		return nil, &Error{File: file, Line: 1, Msg: "empty, want a config"}
	}
	if err != nil {
		return nil, syntaxError(file, text, err)
	}
	if err := decoder.Decode(&second); err == nil {
		return nil, &Error{File: file, Line: second.Line, Msg: "found a second document, want one config per file"}
	} else if !errors.Is(err, io.EOF) {
		return nil, syntaxError(file, text, err)
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, &Error{File: file, Line: root.Line, Column: root.Column, Msg: "found " + found(root) + ", want a mapping of keys to values"}
	}
	e := expander{file: file}
	return e.expand(root)
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// isStray reports whether a character cannot be in a text file.
func isStray(r rune) bool { return r == 0x7f || r < ' ' && !strings.ContainsRune("\t\r", r) }

var (
	yamlMessage = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)`)
	// The YAML parser, unlike its scanner, counts lines from 0. These are its
	// messages.
	countsFromZero = regexp.MustCompile(`^did not find expected (',' or|key$|'-' indicator|node content|<)`)
	unknownAnchor  = regexp.MustCompile(`^unknown anchor '(.*)' referenced`)
)

// syntaxError turns an error of the YAML library into an Error with the right
// line.
func syntaxError(file string, text []byte, err error) *Error {
	m := yamlMessage.FindStringSubmatch(err.Error())
	if m == nil {
		return &Error{File: file, Msg: "not YAML: " + printable(err.Error())}
	}
	message := m[2]
	line, _ := strconv.Atoi(m[1]) // the parser omits the number of the first line
	if m[1] == "" || countsFromZero.MatchString(message) {
		line++
	}
	lines := strings.Split(string(text), "\n")
	if anchor := unknownAnchor.FindStringSubmatch(message); anchor != nil {
		message = fmt.Sprintf("found alias *%s, but no anchor &%[1]s", anchor[1])
		for i, l := range lines {
			if strings.Contains(l, "*"+anchor[1]) {
				line = i + 1
				break
			}
		}
	}
	if line <= len(lines) {
		l := lines[line-1]
		if indent := l[:len(l)-len(strings.TrimLeft(l, " \t"))]; strings.Contains(indent, "\t") {
			message = "found a tab in the indentation, want spaces"
		}
	}
	return &Error{File: file, Line: line, Msg: "not YAML: " + printable(message)}
}

// An expander copies a tree with its aliases replaced. An alias that refers to a value that contains it
// expands to too many values.
type expander struct {
	file  string
	nodes int
}

func (e *expander) expand(n *yaml.Node) (*yaml.Node, error) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if e.nodes++; e.nodes > maxNodes {
		return nil, &Error{File: e.file, Line: n.Line, Column: n.Column, Msg: fmt.Sprintf("expands to more than %d values, the limit for a config", maxNodes)}
	}
	out := &yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value, Line: n.Line, Column: n.Column}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.ShortTag() == "!!merge" {
			return nil, &Error{File: e.file, Line: child.Line, Column: child.Column, Msg: "merge keys (<<) are not supported, want the keys written out"}
		}
		c, err := e.expand(child)
		if err != nil {
			return nil, err
		}
		out.Content = append(out.Content, c)
	}
	return out, nil
}
