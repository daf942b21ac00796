// Package catalogue defines all metrics that the packages of eval compute: their names,
// meanings, ranges and sources, and when to use them.
package catalogue

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"descbench/eval/spelling"
)

// The metric that descriptors are ranked and compared by is MAP: the mean over scenes of
// the mean average precision of each, which is MicroMAP of the single scene.
const (
	MAP      = "true_map_macro_by_scene"
	MicroMAP = "true_map_micro"
)

// A Definition says what a metric means.
type Definition struct {
	// Name is the name of the scope.Metric. Words in capitals are variables. K stands
	// for a number: an integer in precision_at_K, an integer or a decimal in
	// mma@K. The other variables stand for one of a few words. A task also
	// reports the standard deviation over its repetitions, under the name with
	// the suffix _std.
	Name   string `json:"name"`
	Also   string `json:"also,omitempty"`   // other names of the metric, used in tables or elsewhere; "" without any
	Short  string `json:"-"`                // as a table titles it after other metrics that make it clear; "" for Title
	Title  string `json:"-"`                // as a table titles it on its own; "" for Name
	Paper  string `json:"-"`                // as papers write it; "" if the words of Name are enough
	Group  string `json:"group"`            // "ranking", "matching", "classification", ...
	What   string `json:"definition"`       // one line
	Range  string `json:"range"`            // of a share, begins with "0 to 1" or "above 0 to 1": see IsShare
	Better string `json:"better,omitempty"` // "higher", "lower", or "" if neither is better
	Source string `json:"source"`
	Use    string `json:"use"`   // when to use it
	Avoid  string `json:"avoid"` // when not to
}

// names returns the name and the other names.
func (d Definition) names() []string {
	if d.Also == "" {
		return []string{d.Name}
	}
	return append([]string{d.Name}, strings.Split(d.Also, ", ")...)
}

// IsShare reports whether the metric is a share of something, which tables print
// in per cent.
func (d Definition) IsShare() bool {
	return strings.HasPrefix(strings.TrimPrefix(d.Range, "above "), asShare)
}

// IsOpen reports whether a name that Resolve returned contains variables, that is,
// stands for several metrics.
func IsOpen(metric string) bool { return variable.MatchString(metric) }

// All returns the definitions of all metrics in reporting order.
func All() []Definition {
	return slices.Concat(rankingMetrics, matchingMetrics, taskMetrics, classificationMetrics, patchMetrics)
}

// Resolve returns the metric that a name stands for, with its definition: hit@5
// is precision_at_5, macro is true_map_macro_by_scene. It ignores case and treats
// spaces and hyphens as underscores. Names may contain variables. The error for
// an unknown name suggests similar ones.
func Resolve(name string) (metric string, d Definition, err error) {
	for _, p := range patterns() {
		if found := p.FindStringSubmatch(spelling.Fold(name)); found != nil {
			d := p.Definition
			for _, text := range []*string{&d.Short, &d.Title, &d.Paper} {
				*text, _ = withValues(*text, found[1:])
			}
			name, more := withValues(d.Name, found[1:])
			return name + more, d, nil
		}
	}
	return "", Definition{}, fmt.Errorf("no metric %q%s; descbench metrics lists all", name, suggestion(name))
}

// suggestion returns the short names that begin with name, the metrics whose names
// contain it, or else the most similar name.
func suggestion(name string) string {
	const most = 6
	var all, like, short []string
	for _, d := range All() {
		all = append(all, d.names()...)
		for _, also := range d.names()[1:] {
			if strings.HasPrefix(also, spelling.Fold(name)) && len(short) < most {
				short = append(short, also)
			}
		}
		if strings.Contains(d.Name, spelling.Fold(name)) && len(like) < most {
			like = append(like, d.Name)
		}
	}
	if short != nil {
		like = short
	}
	if like == nil {
		return spelling.Hint(name, all)
	}
	return spelling.Meant(strings.Join(like, " or "))
}

// A pattern matches one folded name of a definition with values for its
// variables.
type pattern struct {
	*regexp.Regexp
	Definition
}

var variable = regexp.MustCompile(`K$|NOISE|KIND|PROTOCOL|SIZE|ESTIMATOR`)

// values holds the values of all variables except K: the noise levels of the patch
// benchmark (easy, hard, tough) and their mean, the kinds of negatives, the
// protocols of 2016, the pool sizes, and the estimators with parameters.
var values = map[string]string{
	"NOISE": "e|h|t|mean", "KIND": "inter|intra", "PROTOCOL": "balanced|imbalanced", "SIZE": "100|500|1000|5000|10000|15000|20000",
	"ESTIMATOR": `(?:dlt|ransac|magsac|usac_[a-z]+)(?:_[a-z0-9.]+)*`,
}

var patterns = sync.OnceValue(func() []pattern {
	var out []pattern
	for _, d := range All() {
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

// withValues returns a name with values in place of its variables, and the values that
// are left: _std.
func withValues(name string, values []string) (text, more string) {
	i := 0
	text = variable.ReplaceAllStringFunc(name, func(v string) string {
		i++
		if values[i-1] == spelling.Fold(v) {
			return v
		}
		return values[i-1]
	})
	return text, strings.Join(values[i:], "")
}
