package config

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// A textRule says which texts a text field takes.
type textRule struct {
	want    string
	pattern *regexp.Regexp // nil: any
}

var (
	anyText = textRule{want: "text"}
	// Names become names of files and folders: neither hidden ones nor ways
	// out of the run folder nor what a shell would take for a flag.
	nameRule = textRule{
		want:    "a name of letters, digits and . _ - / whose parts between slashes begin with a letter, a digit or _ (at most 100 characters)",
		pattern: regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*$`),
	}
	sceneRule = textRule{
		want:    "the name of a scene's folder",
		pattern: regexp.MustCompile(`^[^./\\\x00-\x1f][^/\\\x00-\x1f]*$`),
	}
)

const maxNameLength = 100

func (r textRule) admits(s string) bool {
	return r.pattern == nil || len(s) <= maxNameLength && r.pattern.MatchString(s)
}

func (r textRule) schema() object {
	s := object{"type": "string"}
	if r.pattern != nil {
		s["pattern"] = r.pattern.String()
		s["maxLength"] = maxNameLength
	}
	return s
}

// text is a codec for strings; "" is absent.
type text struct {
	to   *string
	rule textRule
}

func (t text) decode(d *decoder, key string, n *yaml.Node) {
	d.at[key] = n
	if s, ok := d.text(key, n, t.rule); ok {
		*t.to = s
	}
}

// text returns the text at n if the rule admits it. What comes from a shell is
// text whatever it looks like; in a file, YAML's types hold.
func (d *decoder) text(key string, n *yaml.Node, r textRule) (string, bool) {
	isText := n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!str" || d.origin[n] != "")
	couldBe := n.Kind == yaml.ScalarNode && !isNull(n) && strings.HasPrefix(n.ShortTag(), "!!") && r.admits(n.Value)
	switch {
	case isText && !utf8.ValidString(n.Value):
		d.fault(key, n, "found %s, want text in UTF-8", strconv.Quote(shortened(n.Value)))
	case isText && r.admits(n.Value):
		return n.Value, true
	case couldBe && !isText:
		d.fault(key, n, "found %s, want %s; in quotes it is text", found(n), r.want)
	default:
		d.fault(key, n, "found %s, want %s", found(n), r.want)
	}
	return "", false
}

func (t text) encode(view) *yaml.Node {
	if *t.to == "" {
		return nil
	}
	return textNode(*t.to)
}

func (t text) schema() object { return t.rule.schema() }

// path is a codec for files and folders. Relative ones start at the config
// file's folder; the Config holds absolute ones. "" is absent, where that may
// be.
type path struct {
	to       *string
	optional bool
}

func (p path) decode(d *decoder, key string, n *yaml.Node) {
	d.at[key] = n
	s, ok := d.text(key, n, anyText)
	switch {
	case !ok:
	case strings.ContainsFunc(s, unicode.IsControl):
		d.fault(key, n, "found %s, want a path without control characters", found(n))
	case s == "" && !p.optional:
		d.fault(key, n, "found %s, want a path", found(n))
	case s == "":
		*p.to = ""
	case filepath.IsAbs(s):
		*p.to = filepath.Clean(s)
	default:
		*p.to = filepath.Join(d.folder, s)
	}
}

// encode leaves out of an identity where the file lies, but not which it is.
func (p path) encode(v view) *yaml.Node {
	if v == results && *p.to != "" {
		return textNode(filepath.Base(*p.to))
	}
	return text{to: p.to}.encode(v)
}

func (p path) schema() object {
	s := anyText.schema()
	if !p.optional {
		s["minLength"] = 1
	}
	return s
}

// choice is a codec for one of several values, each by the name that fmt.Sprint
// gives it; "" is absent.
type choice[T comparable] struct {
	to       *T
	words    []T
	why      string // said where a word is refused, to explain why so few are allowed
	optional bool   // "" may be given, for the zero value
}

// oneWord returns the codec for one of these values.
func oneWord[T comparable](to *T, words ...T) choice[T] { return choice[T]{to: to, words: words} }

// namesOf returns the names of the values of a choice.
func namesOf[T comparable](words []T) []string {
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = fmt.Sprint(w)
	}
	return names
}

func (c choice[T]) decode(d *decoder, key string, n *yaml.Node) {
	d.at[key] = n
	names := namesOf(c.words)
	// The value counts, not its type: 108 is a word without quotes, too.
	if i := slices.Index(names, n.Value); i >= 0 && n.Kind == yaml.ScalarNode {
		*c.to = c.words[i]
		return
	}
	if c.optional && n.Kind == yaml.ScalarNode && n.Value == "" && (n.ShortTag() == "!!str" || d.origin[n] != "") {
		*c.to = *new(T)
		return
	}
	why := ""
	if c.why != "" {
		why = ": " + c.why
	}
	d.fault(key, n, "found %s, %s%s", found(n), oneOf(n.Value, names), why)
}

func (c choice[T]) encode(v view) *yaml.Node {
	name := fmt.Sprint(*c.to)
	return text{to: &name}.encode(v)
}

func (c choice[T]) schema() object {
	var values []any
	for _, w := range namesOf(c.words) {
		values = append(values, w)
		if i, err := strconv.Atoi(w); err == nil {
			values = append(values, i)
		}
	}
	if c.optional {
		values = append(values, "")
	}
	return object{"enum": values}
}

// textNode returns s as YAML text, in quotes where it could be taken for
// something else or would not fit on its line.
func textNode(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}
