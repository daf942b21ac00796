package eval

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"descbench/eval/spelling"
)

// A Definition says what a metric means.
type Definition struct {
	// Name is that of the Metric. Words in capitals in it are variables: K
	// stands for a number, a whole one in precision_at_K, also one with decimals
	// in mma@K, the others for one of some words. The standard deviation over
	// the repetitions of a task is under its name with _std behind it.
	Name   string
	Also   string // other names of the same figure, in tables or elsewhere; "" if there are none
	Group  string // "ranking", "matching", "classification", ...
	What   string // the definition, one line
	Range  string
	Better string // "higher", "lower", or "" where neither is
	Source string
	Use    string // when to use it
	Avoid  string // when not to
}

// names returns the name and the other names.
func (d Definition) names() []string {
	if d.Also == "" {
		return []string{d.Name}
	}
	return append([]string{d.Name}, strings.Split(d.Also, ", ")...)
}

// IsOpen reports whether a name that Resolve returned has variables: it stands
// for several metrics.
func IsOpen(metric string) bool { return variable.MatchString(metric) }

// Catalogue returns the definitions of all metrics, in the order in which they
// are reported.
func Catalogue() []Definition {
	return slices.Concat(rankingMetrics, matchingMetrics, taskMetrics, classificationMetrics, patchMetrics)
}

// Resolve returns the metric that a name stands for, with its definition: hit@5
// is precision_at_5, macro true_map_macro_by_scene. Case, blanks and hyphens make
// no difference; variables may stay. The error of an unknown name suggests
// others.
func Resolve(name string) (metric string, d Definition, err error) {
	for _, p := range patterns() {
		if found := p.FindStringSubmatch(spelling.Fold(name)); found != nil {
			return p.metric(found[1:]), p.Definition, nil
		}
	}
	return "", Definition{}, fmt.Errorf("no metric %q%s; descbench metrics lists all", name, suggestion(name))
}

// suggestion names metrics whose names hold what was typed, or else the nearest.
func suggestion(name string) string {
	const most = 6
	var all, like []string
	for _, d := range Catalogue() {
		all = append(all, d.names()...)
		if strings.Contains(d.Name, spelling.Fold(name)) && len(like) < most {
			like = append(like, d.Name)
		}
	}
	if near := spelling.Nearest(name, all); like == nil && near != "" {
		like = []string{near}
	}
	if like == nil {
		return ""
	}
	return " (did you mean " + strings.Join(like, " or ") + "?)"
}

// A pattern matches one folded name of a definition, with values in place of
// its variables.
type pattern struct {
	*regexp.Regexp
	Definition
}

var variable = regexp.MustCompile(`K$|NOISE|KIND|PROTOCOL|SIZE`)

// values are those of the variables other than K: noise levels of the patch
// benchmark (easy, hard, tough) and their mean, kinds of negatives, protocols of
// 2016, pool sizes.
var values = map[string]string{
	"NOISE": "e|h|t|mean", "KIND": "inter|intra", "PROTOCOL": "balanced|imbalanced", "SIZE": "100|500|1000|5000|10000|15000|20000",
}

var patterns = sync.OnceValue(func() []pattern {
	var out []pattern
	for _, d := range Catalogue() {
		number := `[1-9][0-9]*`
		if strings.HasSuffix(d.Name, "@K") {
			number = `[0-9]+(?:\.[0-9]+)?`
		}
		for _, name := range d.names() {
			text, rest := "^", 0
			for _, at := range variable.FindAllStringIndex(name, -1) {
				v := name[at[0]:at[1]]
				text += regexp.QuoteMeta(spelling.Fold(name[rest:at[0]])) + "(" + cmp.Or(values[v], number) + "|" + spelling.Fold(v) + ")"
				rest = at[1]
			}
			text += regexp.QuoteMeta(spelling.Fold(name[rest:]))
			if d.Group == "tasks" {
				text += "(_std)?"
			}
			out = append(out, pattern{regexp.MustCompile(text + "$"), d})
		}
	}
	return out
})

// metric returns the name of the definition with these values in it.
func (p pattern) metric(values []string) string {
	i := 0
	name := variable.ReplaceAllStringFunc(p.Name, func(v string) string {
		i++
		if values[i-1] == spelling.Fold(v) {
			return v
		}
		return values[i-1]
	})
	return name + strings.Join(values[i:], "") // _std
}
