package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"descbench/eval/scope"
	"descbench/eval/spelling"
)

// A textRule defines the valid texts of a field.
type textRule struct {
	want    string
	pattern *regexp.Regexp // nil: any
	max     int            // length in bytes; 0: any
	// check returns an error about a text that matches the pattern, which says what is wanted; nil: none.
	check func(string) error
	// like is the pattern of the texts that check admits, for editors; "": pattern.
	like string
}

var (
	anyText   = textRule{want: "text"}
	lineRule  = textRule{want: "printable text", pattern: labelRule.pattern, max: 1000}
	nameRule  = textRule{want: scope.NameWanted, pattern: scope.NamePattern, max: scope.MaxName, check: scope.Indistinct}
	sceneRule = textRule{
		want:    "the name of a scene's folder",
		pattern: regexp.MustCompile(`^[^./\\\x00-\x1f][^/\\\x00-\x1f]*(/[^./\\\x00-\x1f][^/\\\x00-\x1f]*)?$`),
		max:     scope.MaxSceneName,
		check: func(s string) error {
			if err := scope.CheckSceneName(s); err != nil {
				return fmt.Errorf("want the name of a scene's folder: %w", err)
			}
			return nil
		},
	}
)

// admits returns an error that says what is wanted, unless a text follows the rule.
func (r textRule) admits(s string) error {
	switch {
	case r.pattern != nil && !r.pattern.MatchString(s), r.max > 0 && len(s) > r.max:
		return errors.New("want " + r.want)
	case r.check != nil:
		return r.check(s)
	}
	return nil
}

func (r textRule) schema() object {
	s := object{"type": "string"}
	if r.pattern != nil {
		s["pattern"] = r.pattern.String()
	}
	if r.like != "" {
		s["pattern"] = r.like
	}
	if r.max > 0 {
		s["maxLength"] = r.max
	}
	return s
}

// text is a codec for strings; "" means absent.
type text struct {
	to   *string
	rule textRule
}

func (t text) decode(d *decoder, key string, n *yaml.Node) {
	if s, ok := d.text(key, n, t.rule); ok {
		*t.to = s
	}
}

// text returns the text at n if it follows the rule. Any value from a shell is
// text; in a file, YAML's types apply.
func (d *decoder) text(key string, n *yaml.Node, r textRule) (string, bool) {
	isText := n.Kind == yaml.ScalarNode && (n.ShortTag() == "!!str" || d.origin[n] != "")
	couldBe := n.Kind == yaml.ScalarNode && !isNull(n) && strings.HasPrefix(n.ShortTag(), "!!")
	switch fault := r.admits(n.Value); {
	case isText && !utf8.ValidString(n.Value):
		d.fault(key, n, "found %s, want text in UTF-8", strconv.Quote(shortened(n.Value)))
	case isText && fault == nil:
		return n.Value, true
	case isText:
		d.fault(key, n, "found %s, %v", found(n), fault)
	case couldBe && fault == nil:
		d.fault(key, n, "found %s, want text: write %q", found(n), n.Value)
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

// path is a codec for files and folders. Relative paths are relative to the config
// file's folder; the Config holds absolute paths. "" means absent, if optional. A template
// may begin with {root}.
type path struct {
	to                 *string
	optional, template bool
}

func (p path) decode(d *decoder, key string, n *yaml.Node) {
	s, ok := d.text(key, n, anyText)
	switch {
	case !ok:
	case strings.ContainsFunc(s, unicode.IsControl):
		d.fault(key, n, "found %s, want a path without control characters", found(n))
	case s == "" && !p.optional:
		d.fault(key, n, "found %s, want a path", found(n))
	case strings.HasPrefix(s, "~/"), HasVariable(s):
		d.fault(key, n, "found %s, want a path without ~ and variables, which only a shell expands, as in --set and --data", found(n))
	case s == "", p.template && strings.HasPrefix(s, rootHolder):
		*p.to = s
	case filepath.IsAbs(s):
		*p.to = filepath.Clean(s)
	default:
		*p.to = filepath.Join(d.folder, s)
	}
}

var variable = regexp.MustCompile(`\$\{\w+\}|\$[A-Z]`)

// HasVariable reports whether a path has a variable, which only a shell expands.
func HasVariable(path string) bool { return variable.MatchString(path) }

// encode omits the folder of the file from an identity, but not its name.
func (p path) encode(v view) *yaml.Node {
	switch {
	case v != everything && *p.to != "":
		return textNode(filepath.Base(*p.to))
	case v == everything && p.optional: // "", too, so that no default of a user replaces it
		return textNode(*p.to)
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

// choice is a codec for one of several values; one named "" means absent.
type choice[T comparable] struct {
	to       *T
	words    []T
	names    []string // of the words; nil: as fmt.Sprint formats them
	why      string   // said where a word is refused, to explain why so few are allowed
	optional bool     // "" and null may be given, for the zero value
}

// oneWord returns the codec for one of these values.
func oneWord[T comparable](to *T, words ...T) choice[T] { return choice[T]{to: to, words: words} }

// namesOf returns the names of the values of a choice.
func namesOf[T comparable](words []T) []string {
	return spelling.Words(words, func(w T) string { return fmt.Sprint(w) })
}

func (c choice[T]) allNames() []string {
	if c.names != nil {
		return c.names
	}
	return namesOf(c.words)
}

func (c choice[T]) decode(d *decoder, key string, n *yaml.Node) {
	names := c.allNames()
	// Only the value matters, not its type: 108 without quotes is a word, too.
	if i := slices.Index(names, n.Value); i >= 0 && n.Kind == yaml.ScalarNode {
		*c.to = c.words[i]
		return
	}
	if c.optional && n.Kind == yaml.ScalarNode && (n.Value == "" && (n.ShortTag() == "!!str" || d.origin[n] != "") || n.Value != "" && isNull(n)) {
		*c.to = *new(T)
		return
	}
	if meant := spelling.Alias(n.Value); meant != "" {
		d.fault(key, n, "found %s, want %s", found(n), meant)
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
	if c.names != nil {
		name = c.names[slices.Index(c.words, *c.to)]
	}
	return text{to: &name}.encode(v)
}

func (c choice[T]) schema() object {
	var values []any
	for _, w := range c.allNames() {
		values = append(values, w)
		if i, err := strconv.Atoi(w); err == nil {
			values = append(values, i)
		}
	}
	if c.optional {
		values = append(values, "", nil)
	}
	return object{"enum": values}
}

// textNode returns s as YAML text, in quotes if it could be read as another type
// or spans lines.
func textNode(s string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s}
	if strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

// template is a codec for the path of one file per image. Relative paths are
// relative to the config file's folder; the Config holds paths that are absolute
// or begin with {root}.
type template struct{ to *string }

const rootHolder = "{root}"

// templates have braces around placeholders only, and {root} at the beginning only.
var templates = regexp.MustCompile(`^(\{root\})?([^{}]|\{scene\}|\{image\})*$`)

func (t template) decode(d *decoder, key string, n *yaml.Node) {
	before, s := len(d.faults), ""
	if (path{to: &s, template: true}).decode(d, key, n); len(d.faults) > before {
		return
	}
	switch ext := strings.ToLower(filepath.Ext(s)); {
	case ext == ".h5" || ext == ".hdf5":
		d.fault(key, n, "found %s, want .npz files with {scene} and {image} in their path; for HDF5 see docs/own-functions.md", found(n))
	case !templates.MatchString(s) || !strings.Contains(s, "{scene}") || !strings.Contains(s, "{image}"):
		d.fault(key, n, "found %s, want a path with {scene} and {image}, which may begin with {root}, and no other braces", found(n))
	default:
		*t.to = s
	}
}

// encode omits the location of the files' folder from an identity, but not its
// name.
func (t template) encode(v view) *yaml.Node {
	s := *t.to
	if s == "" {
		return nil
	}
	if v != everything && !strings.HasPrefix(s, rootHolder) {
		parts := strings.Split(filepath.ToSlash(s), "/")
		varies := slices.IndexFunc(parts, func(p string) bool { return strings.Contains(p, "{") })
		s = strings.Join(parts[max(0, varies-1):], "/")
	}
	return text{to: &s}.encode(v)
}

func (template) schema() object {
	return object{"type": "string", "allOf": []any{
		object{"pattern": templates.String()},
		object{"pattern": `\{scene\}`},
		object{"pattern": `\{image\}`},
	}}
}
