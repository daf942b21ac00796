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

// An entry says what is to be known about the facts of a kind.
type entry struct {
	note     bool                         // asks for no action; else a warning
	paper    bool                         // a reader of a paper must know it
	about    func(*catalogue.Metric) bool // reports whether it is about a metric; nil: about all
	deviates bool                         // from the preset of a paper, and is said with it
	where    bool                         // its words name the scenes, or pairs of them
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

// A number is a number of a fact, and those of other descriptors that differ from it.
type number struct {
	value  float64
	others []other
}

type other struct {
	descriptor string
	value      float64
}

// in formats a number, and in parentheses those of other descriptors that print differently.
func (n number) in(format func(v float64) string) string {
	text := format(n.value)
	var others []string
	for _, o := range n.others {
		if of := format(o.value); of != text {
			others = append(others, o.descriptor+" "+of)
		}
	}
	if others == nil {
		return text
	}
	return text + " (" + spelling.Few(others, mostNames) + ")"
}

// String formats a whole number, or one with as many digits as it takes.
func (n number) String() string {
	return n.in(func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) })
}

// values are what words may have in them, by name: numbers, lists of names, scenes and alone.
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
	"list":    func(list []string) string { return spelling.Few(list, mostNames) },
	"or_list": func(list []string) string { return strings.Join(list, ", or ") },
	"spoken":  func(key []string) string { return strings.NewReplacer(".", " ", "_", " ").Replace(key[0]) },
	"value": func(of []string) string { // whose keys, if it has any, are in braces
		if strings.HasPrefix(of[0], "{") {
			return strings.NewReplacer("{", "", "}", "", "_", " ").Replace(of[0])
		}
		return of[0]
	},
}

// templates are the words of each kind, its cure, and its words for papers.
var templates = func() map[fact.Kind][3]*template.Template {
	all := make(map[fact.Kind][3]*template.Template)
	for kind, e := range kinds {
		parse := func(text string) *template.Template {
			return template.Must(template.New(string(kind)).Option("missingkey=error").Funcs(functions).Parse(text))
		}
		all[kind] = [3]*template.Template{parse(e.words), parse(e.cure), parse(cmp.Or(e.inPaper, e.words))}
	}
	return all
}()

// A group is what one line says: a fact about one or several descriptors.
type group struct {
	fact.Fact
	descriptors []string
	others      []fact.Fact // of which the numbers differ
}

// say returns what a group says, without its descriptors. A fact of an unknown kind, as of
// another version, has its kind for words.
func (g group) say(cured bool) string {
	parsed, known := templates[g.Kind]
	if !known {
		return string(g.Kind)
	}
	values := values{"scenes": g.Scenes, "alone": g.others == nil}
	for name, value := range g.Numbers {
		n := number{value: value}
		for _, o := range g.others {
			n.others = append(n.others, other{o.Descriptor, o.Numbers[name]})
		}
		values[name] = n
	}
	for name, list := range g.Names {
		values[name] = list
	}
	var b strings.Builder
	if g.Part != "" {
		b.WriteString(g.Part + ": ")
	} else if g.Scenes != nil && !kinds[g.Kind].where {
		b.WriteString(spelling.Few(g.Scenes, mostNames) + ": ")
	}
	said := parsed[0]
	if !cured {
		said = parsed[2]
	}
	if err := said.Execute(&b, values); err != nil { // without a number that the words need, as in a summary that somebody changed
		return string(g.Kind)
	}
	if cured {
		var cure strings.Builder
		if err := parsed[1].Execute(&cure, values); err != nil {
			return string(g.Kind)
		}
		if cure.Len() > 0 {
			b.WriteString("; " + cure.String())
		}
	}
	return b.String()
}

// Text returns what a fact says and what to do, as a line for people, without its descriptor.
func Text(f fact.Fact) string { return group{Fact: f}.say(true) }

// Paper returns what each fact says in a paper.
func Paper(facts []fact.Fact) (texts []string) {
	for _, f := range facts {
		texts = append(texts, group{Fact: f}.say(false))
	}
	return texts
}

// Texts returns the text of each fact.
func Texts(facts []fact.Fact) (texts []string) {
	for _, f := range facts {
		texts = append(texts, Text(f))
	}
	return texts
}

// IsNote reports whether facts of a kind ask for no action.
func IsNote(kind fact.Kind) bool { return kinds[kind].note }

// Deviates reports whether facts of a kind say how a run deviates from the preset of a paper.
func Deviates(kind fact.Kind) bool { return kinds[kind].deviates }

// OfRuns reports whether facts of a kind are about a run next to another one.
func OfRuns(kind fact.Kind) bool { _, of := ofRuns[kind]; return of }

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

// Lines returns what facts say: the warnings, then the notes, each once. descriptors is the
// number of those that are shown; facts about all of them do not name them.
func Lines(facts []fact.Fact, descriptors int) (lines []string) {
	facts = graver(facts)
	for _, prefix := range []string{"warning: ", "note: "} {
		some := slices.DeleteFunc(slices.Clone(facts), func(f fact.Fact) bool { return kinds[f.Kind].note != (prefix == "note: ") })
		for _, text := range Grouped(some, descriptors) {
			lines = append(lines, prefix+text)
		}
	}
	return lines
}

// ForPaper returns the sentences about the facts that a reader of a paper must know, those
// about the run first, and the other facts.
func ForPaper(facts []fact.Fact) (sentences []string, others []fact.Fact) {
	facts = graver(facts)
	some := slices.DeleteFunc(slices.Clone(facts), func(f fact.Fact) bool { return !kinds[f.Kind].paper })
	others = slices.DeleteFunc(slices.Clone(facts), func(f fact.Fact) bool { return kinds[f.Kind].paper })
	ofRun := func(f fact.Fact) int {
		if f.Descriptor == "" {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(some, func(a, b fact.Fact) int { return ofRun(a) - ofRun(b) })
	return grouped(some, 0, false), others
}

// graver leaves out what follows from a graver fact about the same descriptor.
func graver(facts []fact.Fact) []fact.Fact {
	return slices.DeleteFunc(slices.Clone(facts), func(f fact.Fact) bool {
		return slices.ContainsFunc(facts, func(g fact.Fact) bool {
			return g.Descriptor == f.Descriptor && slices.Contains(kinds[g.Kind].hides, f.Kind)
		})
	})
}

// Grouped returns each fact once, preceded by the descriptors that it is about unless these are
// all; 0 descriptors are an unknown number of them. Of more than a few of one kind, the rest is
// counted.
func Grouped(facts []fact.Fact, descriptors int) []string { return grouped(facts, descriptors, true) }

func grouped(facts []fact.Fact, descriptors int, cured bool) (lines []string) {
	const most = 5 // of one kind
	var groups []*group
	ofKind := make(map[fact.Kind]int)
	for _, f := range facts {
		at := slices.IndexFunc(groups, func(g *group) bool { return alike(g.Fact, f) })
		if at < 0 {
			at, groups = len(groups), append(groups, &group{Fact: f})
			ofKind[f.Kind]++
		}
		g := groups[at]
		if !slices.Contains(g.descriptors, f.Descriptor) {
			g.descriptors = append(g.descriptors, f.Descriptor)
		}
		if !maps.Equal(g.Numbers, f.Numbers) {
			g.others = append(g.others, f)
		}
	}
	said := make(map[fact.Kind]int)
	for _, g := range groups {
		said[g.Kind]++
		switch n := said[g.Kind]; {
		case ofKind[g.Kind] > most && n == most:
			lines = append(lines, fmt.Sprintf("%d more of the kind %s", ofKind[g.Kind]-most+1, g.Kind))
			continue
		case ofKind[g.Kind] > most && n > most:
			continue
		}
		subject := ""
		if n := len(g.descriptors); g.Descriptor != "" && n != descriptors {
			subject = spelling.Few(g.descriptors, 3) + ": "
		}
		lines = append(lines, subject+g.say(cured))
	}
	return lines
}

// alike reports whether two facts are said in one line: they are about the same, but for their
// descriptors and, of two descriptors, the main number of their kind.
func alike(a, b fact.Fact) bool {
	if a.Kind != b.Kind || a.Part != b.Part || !slices.Equal(a.Scenes, b.Scenes) || !maps.EqualFunc(a.Names, b.Names, slices.Equal) {
		return false
	}
	return maps.Equal(a.Numbers, b.Numbers) || a.Descriptor != b.Descriptor && a.Descriptor != "" && b.Descriptor != "" && kinds[a.Kind].main != ""
}
