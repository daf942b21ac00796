// Package notes says facts in words: its table of kinds has the words and weight of each, and
// the metrics that it is about. It decides which facts are said in a place, in which order and
// under which names, so that each is said once.
package notes

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/spelling"
)

// A weight says how much depends on a fact.
type weight int

const (
	warning weight = iota // asks for action, or a value is not what it seems to be
	note                  // asks for no action
	light                 // changes no value
)

// An entry says what is to be known about the facts of a kind.
type entry struct {
	weight   weight
	paper    bool                         // a reader of a paper must know it
	about    func(*catalogue.Metric) bool // reports whether it is about a metric; nil: about all
	deviates bool                         // from the preset of a paper: such facts are one line
	where    bool                         // its words name the scenes, or pairs of them
	apart    bool                         // its words do without the part of the run
	hides    []fact.Kind                  // what it explains of the same descriptor

	// words are a text/template over the numbers and names of facts, and scenes. Facts about
	// several descriptors that differ in the number main only are one: what else of their
	// numbers is in the words stands in {{if .alone}}.
	words, main string
	cure        string // what to do, which papers leave out; a template, too
	inPaper     string // words for papers, if others
}

// mostNames is the number of names that a line lists.
const mostNames = 6

// A number is a number of a fact: that of its descriptor, then those of others.
type number []valueOf

type valueOf struct {
	descriptor string
	value      float64
}

// in formats a number. If those of several descriptors print differently, it is the range of them, with
// whose the ends are.
func (n number) in(format func(v float64) string) string {
	byValue := func(a, b valueOf) int { return cmp.Compare(a.value, b.value) }
	least, most := slices.MinFunc(n, byValue), slices.MaxFunc(n, byValue)
	low, high := format(least.value), format(most.value)
	if low == high {
		return low
	}
	return fmt.Sprintf("%s (%s) to %s (%s)", low, least.descriptor, high, most.descriptor)
}

// String formats a whole number, or one with as many digits as it takes.
func (n number) String() string {
	return n.in(func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) })
}

// values are what words may have in them, by name: numbers, lists of names, scenes, alone, and from what
// failed scenes are excluded.
type values map[string]any

// Has reports whether a fact has a number or names that facts of its kind may lack.
func (v values) Has(name string) bool { _, has := v[name]; return has }

// functions are what words call: percent, fixed with a number of decimals, count of things, list.
var functions = template.FuncMap{
	"percent": func(n number) string {
		return n.in(func(v float64) string {
			if 0 < v && v < 0.001 {
				return fmt.Sprintf("%.2g %%", 100*v) // not 0.0
			}
			return fmt.Sprintf("%.1f %%", 100*v)
		})
	},
	"fixed": func(decimals int, n number) string {
		return n.in(func(v float64) string { return fmt.Sprintf("%.*f", decimals, v) })
	},
	"count": func(n number, thing string) string {
		return n.in(func(v float64) string { return spelling.Count(int(v), thing) })
	},
	"list": func(list []string) string { return spelling.Few(list, mostNames) },
	"all":  func(list []string) string { return strings.Join(list, ", ") },
	"span": func(a, b number) string { return spelling.Span(int(a[0].value), int(b[0].value)) },
	"zero": func(n number) bool { return len(n) == 1 && n[0].value == 0 },
	"spoken": func(key []string) string { // border of sift, for keypoint_sets[sift].border
		words, of := strings.FieldsFunc(key[0], func(r rune) bool { return r == '.' || r == '[' || r == ']' }), ""
		if strings.Contains(key[0], "[") {
			of = " of " + words[1]
			words = slices.Delete(words, 1, 2)
		}
		text := readable(strings.Join(words[min(1, len(words)-1):], " "))
		return cmp.Or(papers[text], text) + of
	},
	"value": func(of []string) string { // whose keys, if it has any, are in braces
		if strings.HasPrefix(of[0], "{") {
			return readable(of[0])
		}
		return of[0]
	},
}

// papers are the words of papers for keys of a config.
var papers = map[string]string{
	"subset": "scenes", "resize": "image size", "origin": "origin of pixels", "border": "margin at the edges",
	"estimator draws": "random orders of the matches", "pose draws": "random orders of the matches",
	"shared top k": "keypoints of a pair", "shared region": "region of the keypoints", "tolerance px": "tolerance in px",
}

// readable returns keys of a config without braces and underscores.
func readable(text string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '{', '}':
			return -1
		case '_':
			return ' '
		}
		return r
	}, text)
}

// wordings are the words of a kind, its cure, and its words for papers.
type wordings struct{ words, cure, inPaper *template.Template }

var templates = func() map[fact.Kind]wordings {
	all := make(map[fact.Kind]wordings)
	for kind, e := range kinds {
		parse := func(text string) *template.Template {
			return template.Must(template.New(string(kind)).Option("missingkey=error").Funcs(functions).Parse(text))
		}
		all[kind] = wordings{parse(e.words), parse(e.cure), parse(cmp.Or(e.inPaper, e.words))}
	}
	return all
}()

// A group is what one line says: a fact about one or several descriptors.
type group struct {
	fact.Fact
	descriptors []string
	others      []fact.Fact // of which the numbers differ
}

// say returns what a group says, without its descriptors, and what to do. A fact of an unknown
// kind, as of another version, has its kind for words.
func (g group) say(words *template.Template) string {
	values := values{"scenes": g.Scenes, "alone": g.others == nil, "excluded": "excluded from all metrics"}
	if g.Descriptor != "" {
		values["excluded"] = "excluded for this descriptor"
	}
	if len(g.descriptors) > 1 {
		values["excluded"] = "excluded for these descriptors"
	}
	for name, value := range g.Numbers {
		n := number{{g.Descriptor, value}}
		for _, o := range g.others {
			n = append(n, valueOf{o.Descriptor, o.Numbers[name]})
		}
		values[name] = n
	}
	for name, list := range g.Names {
		values[name] = list
	}
	var b strings.Builder
	if err := words.Execute(&b, values); err != nil { // without a number that the words need, as in a summary that somebody changed
		return string(g.Kind)
	}
	return b.String()
}

// begin names the part of the run or the scenes that the words of a group do not name.
func (g group) begin() string {
	e := kinds[g.Kind]
	switch {
	case g.Part != "" && !e.apart:
		return g.Part + ": "
	case g.Scenes != nil && !e.where:
		return spelling.Few(g.Scenes, mostNames) + ": "
	}
	return ""
}

// text returns what a group says and what to do, without its descriptors.
func (g group) text() string {
	parsed, known := templates[g.Kind]
	if !known {
		return string(g.Kind)
	}
	text, cure := g.say(parsed.words), g.say(parsed.cure)
	switch string(g.Kind) {
	case text, cure:
		return string(g.Kind)
	}
	if cure != "" {
		text += "; " + cure
	}
	return g.begin() + text
}

// paper returns what a group says in a paper, "" if its readers need not know.
func (g group) paper() string {
	if !kinds[g.Kind].paper {
		return ""
	}
	return g.begin() + g.say(templates[g.Kind].inPaper)
}

// Text returns what a fact says and what to do, as a line for people, without its descriptor.
func Text(f fact.Fact) string { return group{Fact: f}.text() }

// Texts returns the text of each fact.
func Texts(facts []fact.Fact) (texts []string) {
	for _, f := range facts {
		texts = append(texts, Text(f))
	}
	return texts
}

// Deviates reports whether facts of a kind say how a run deviates from the preset of a paper.
func Deviates(kind fact.Kind) bool { return kinds[kind].deviates }

// Apart reports whether facts of a kind say what is not compared, or not everywhere.
func Apart(kind fact.Kind) bool {
	return slices.Contains([]fact.Kind{fact.Unshared, fact.OtherProtocol, fact.NoValues, fact.OlderResults, fact.OtherEvaluation}, kind)
}

// About returns the facts that are about any of the metrics.
func About(facts []fact.Fact, metrics ...*catalogue.Metric) []fact.Fact {
	return slices.DeleteFunc(slices.Clone(facts), func(f fact.Fact) bool {
		about := kinds[f.Kind].about
		return about != nil && !slices.ContainsFunc(metrics, about)
	})
}

// OfPatches returns the facts that say what the values of any of the metrics of the patch
// benchmark mean.
func OfPatches(facts []fact.Fact, metrics ...*catalogue.Metric) []fact.Fact {
	return slices.DeleteFunc(About(facts, metrics...), func(f fact.Fact) bool { _, of := ofPatches[f.Kind]; return !of })
}

// A Line says a fact, or several that are alike, once.
type Line struct {
	Kind  fact.Kind // of the first of them
	Of    []string  // the descriptors that it is about; nil if it is about none in particular, or all that are shown
	Text  string    // for a terminal, without Of
	Paper string    // for a paper; "": its readers need not know

	weight weight
	most   float64 // the greatest of the main numbers
}

// String returns the text after the descriptors that it is about.
func (l Line) String() string {
	if l.Of == nil {
		return l.Text
	}
	return spelling.Few(l.Of, 3) + ": " + l.Text
}

// Lines says each fact once, the gravest first: not what follows from a graver one about the same
// descriptor, and of more than a few of one kind the number of the rest. shown are the
// descriptors that are shown; facts about all of them do not name them.
func Lines(facts []fact.Fact, shown ...string) (lines []Line) {
	const most = 5 // of one kind
	var groups []*group
	ofKind, deviations := make(map[fact.Kind]int), make(map[string]int) // places in lines of deviations, by part
	for _, f := range graver(facts) {
		at := slices.IndexFunc(groups, func(g *group) bool { return alike(g.Fact, f) })
		if at < 0 {
			at, groups = len(groups), append(groups, &group{Fact: f})
			ofKind[f.Kind]++
		}
		g := groups[at]
		if slices.Contains(g.descriptors, f.Descriptor) {
			continue // said already
		}
		g.descriptors = append(g.descriptors, f.Descriptor)
		if !maps.Equal(g.Numbers, f.Numbers) || !slices.Equal(g.Names["places"], f.Names["places"]) {
			g.others = append(g.others, f)
		}
	}
	said := make(map[fact.Kind]int)
	for _, g := range groups {
		e := kinds[g.Kind]
		said[g.Kind]++
		l := Line{Kind: g.Kind, Of: g.descriptors, Text: g.text(), Paper: g.paper(), weight: e.weight, most: g.Numbers[e.main]}
		for _, o := range g.others {
			l.most = max(l.most, o.Numbers[e.main])
		}
		if g.Descriptor == "" || len(l.Of) == len(shown) && !slices.ContainsFunc(shown, func(name string) bool { return !slices.Contains(l.Of, name) }) {
			l.Of = nil
		}
		switch n, all := said[g.Kind], ofKind[g.Kind]; {
		case e.deviates && e.weight != light:
			if at, begun := deviations[g.Part]; begun {
				lines[at].Text, lines[at].Paper = lines[at].Text+"; "+g.say(templates[g.Kind].words), lines[at].Paper+"; "+g.say(templates[g.Kind].inPaper)
				continue
			}
			deviations[g.Part] = len(lines)
			l.Text, l.Paper = "deviations from the preset: "+l.Text, "deviations from the preset: "+l.Paper
		case all > most && n > most:
			continue
		case all > most && n == most:
			l.Of, l.Text, l.Paper = nil, fmt.Sprintf("%d more of the kind %s", all-most+1, g.Kind), ""
		}
		lines = append(lines, l)
	}
	slices.SortStableFunc(lines, func(a, b Line) int { return int(a.weight - b.weight) })
	return lines
}

// Strings returns each line after its descriptors.
func Strings(lines []Line) (texts []string) {
	for _, l := range lines {
		texts = append(texts, l.String())
	}
	return texts
}

// Papers returns what a reader of a paper must know of Lines, each after its descriptors.
func Papers(facts []fact.Fact, shown ...string) (texts []string) {
	for _, l := range Lines(facts, shown...) {
		if l.Text = l.Paper; l.Paper != "" {
			texts = append(texts, l.String())
		}
	}
	return texts
}

// Brief returns the lines that stand beside numbers: the warnings, and notes while there are few
// lines. It leaves out what changes no value, and what a line before explains, unless that has the
// smaller share of the queries. The rest is for those who ask.
func Brief(lines []Line) (brief []Line, more int) {
	const few = 2
	for _, l := range lines {
		explained := slices.ContainsFunc(brief, func(b Line) bool {
			graver := b.most >= l.most || kinds[b.Kind].main != kinds[l.Kind].main
			return graver && slices.Contains(kinds[b.Kind].hides, l.Kind)
		})
		if l.weight == warning || l.weight == note && !explained && len(brief) < few {
			brief = append(brief, l)
		} else {
			more++
		}
	}
	return brief, more
}

// graver leaves out what follows from a graver fact about the same descriptor, or all.
func graver(facts []fact.Fact) []fact.Fact {
	return slices.DeleteFunc(slices.Clone(facts), func(f fact.Fact) bool {
		return slices.ContainsFunc(facts, func(g fact.Fact) bool {
			return (g.Descriptor == f.Descriptor || g.Descriptor == "") && slices.Contains(kinds[g.Kind].hides, f.Kind)
		})
	})
}

// alike reports whether two facts are said in one line: they are about the same, but for their
// descriptors and, of two descriptors, the main number of their kind and the places of that number.
func alike(a, b fact.Fact) bool {
	e := kinds[a.Kind]
	others := e.main != "" && a.Descriptor != b.Descriptor && a.Descriptor != "" && b.Descriptor != ""
	if a.Kind == b.Kind && others && e.where { // of the number of places, which may be others
		b.Scenes, b.Names = a.Scenes, maps.Clone(b.Names)
		if b.Names["places"] != nil { // facts of earlier builds have none
			b.Names["places"] = a.Names["places"]
		}
	}
	return a.Kind == b.Kind && a.Part == b.Part && slices.Equal(a.Scenes, b.Scenes) && maps.EqualFunc(a.Names, b.Names, slices.Equal) &&
		(others || maps.Equal(a.Numbers, b.Numbers))
}
