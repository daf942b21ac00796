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

// IsOpen reports whether a name that Resolve returned contains variables, that is,
// stands for several metrics.
func IsOpen(metric string) bool { return variable.MatchString(metric) }

// Resolve returns the metric that a name stands for, with its definition: hit@5
// is precision_at_5, map_macro is true_map_macro_by_scene. It ignores case and treats
// spaces and hyphens as underscores. Names may contain variables; homography_auc@3
// leaves the estimator open. The error for an unknown name suggests similar ones.
func Resolve(name string) (metric string, d Definition, err error) {
	metric, d, known := Lookup(name)
	if known {
		return metric, d, nil
	}
	var all []string
	for _, d := range All() {
		all = append(all, d.names()[0])
	}
	return "", Definition{}, fmt.Errorf("no metric %q%s; descbench metrics lists all", name, suggestion(name, all))
}

// Lookup is Resolve without an error to read, which takes much longer to write.
func Lookup(name string) (metric string, d Definition, known bool) {
	name = spelling.Fold(name)
	for _, p := range patterns() {
		if found := p.FindStringSubmatch(name); found != nil {
			d := p.Definition
			values := make(map[string]string)
			for i, v := range p.variables {
				values[v] = found[1+i]
			}
			more := strings.Join(found[1+len(p.variables):], "") // _std
			if more != "" {
				d.Better = ""
			}
			for _, text := range []*string{&d.Short, &d.Also, &d.Paper} {
				if *text = withValues(*text, values); *text != "" {
					*text += more
				}
			}
			return withValues(d.Name, values) + more, d, true
		}
	}
	return "", Definition{}, false
}

// Short returns the name of a metric in tables, flags and messages. Other words stay
// as they are.
func Short(metric string) string {
	_, d, _ := Lookup(metric)
	return cmp.Or(d.Short, metric)
}

// Find returns which of the given names of metrics or other columns a word stands for.
// A word with variables, such as hit@K or homography_auc@3, can stand for several. The
// error for a word that stands for none suggests similar ones of them.
func Find(word string, among []string) ([]string, error) {
	for _, name := range among {
		if spelling.Fold(name) == spelling.Fold(word) {
			return []string{name}, nil
		}
	}
	var found []string
	if metric, _, known := Lookup(word); known {
		text, _ := expression(metric)
		wanted := regexp.MustCompile("^" + text + "$")
		for _, name := range among {
			of, d, _ := Lookup(name)
			if wanted.MatchString(spelling.Fold(of)) || wanted.MatchString(spelling.Fold(d.Also)) {
				found = append(found, name)
			}
		}
		if mean, _, _ := Lookup(strings.Replace(metric, "NOISE", "mean", 1)); slices.Contains(found, mean) { // goes last
			found = append(slices.DeleteFunc(found, func(name string) bool { return name == mean }), mean)
		}
	}
	if found == nil {
		const most = 20 // of a table, not all of a run
		all := ", want one of " + strings.Join(among, ", ")
		if len(among) > most {
			all = "; descbench metrics lists all"
		}
		return nil, fmt.Errorf("no %q%s%s", word, suggestion(word, among), all)
	}
	return found, nil
}

// Ranked reports whether a metric is of ranks of ground truths, which rules of ties and relevance decide.
func Ranked(metric string) bool {
	_, d, _ := Lookup(metric)
	nearest := strings.Contains(d.Name, "mean_precision") || strings.Contains(d.Name, "legacy")
	return d.Group == "ranking" && !nearest || d.Group == "tasks" && strings.HasPrefix(d.Name, "keypoint_")
}

// Tolerant reports whether a metric is not one of homographies by DLT, which a single wrong
// match spoils: of several metrics that a word stands for, the first tolerant one is meant.
func Tolerant(metric string) bool { return !strings.HasPrefix(metric, "dlt_") }

// suggestion returns the names that contain the parts of word, by any of their names, or are the same
// metric with another number, or else the most similar one.
func suggestion(word string, among []string) string {
	if meant := spelling.Alias(word); slices.Contains(among, meant) {
		return spelling.Meant(meant)
	}
	const most = 4
	var like, all []string
	of := make(map[string]string) // the name by each of its names
	_, wanted, _ := Lookup(word)
	for _, name := range among {
		if strings.HasSuffix(name, "_std") != strings.HasSuffix(word, "_std") {
			continue
		}
		names, contained := []string{name}, false
		if metric, d, known := Lookup(name); known {
			if d.Name == wanted.Name {
				contained = true
			}
			d.Name = metric // without variables
			names = append(names, d.names()...)
		}
		contains := func(n string) bool {
			lacks := func(part string) bool { return !strings.Contains(spelling.Fold(n), part) }
			return word != "" && !slices.ContainsFunc(strings.Split(spelling.Fold(word), "_"), lacks)
		}
		if (contained || slices.ContainsFunc(names, contains)) && len(like) < most {
			like = append(like, name)
		}
		for _, n := range names {
			if all = append(all, n); of[n] == "" {
				of[n] = name
			}
		}
	}
	if like == nil {
		return spelling.Meant(of[spelling.Nearest(word, all)])
	}
	return spelling.Meant(strings.Join(like, " or "))
}

// A pattern matches one folded name of a definition with values for its
// variables.
type pattern struct {
	*regexp.Regexp
	variables []string // in the order of the groups
	Definition
}

var variable = regexp.MustCompile(`K$|NOISE|KIND|PROTOCOL|SIZE|ESTIMATOR`)

// values holds the values of all variables except K: the noise levels of the patch
// benchmark (easy, hard, tough) and their mean, the kinds of negatives, the
// protocols of 2016, the pool sizes, and the estimators, some with parameters.
var values = map[string]string{
	"NOISE": "e|h|t|mean", "KIND": "inter|intra", "PROTOCOL": "balanced|imbalanced", "SIZE": "100|500|1000|5000|10000|15000|20000",
	"ESTIMATOR": `(?:dlt|ransac|magsac|usac_[a-z]+)(?:_[a-z0-9.]+)*?`,
}

var patterns = sync.OnceValue(func() []pattern {
	var out []pattern
	for _, d := range All() {
		for _, name := range d.names() {
			text, variables := expression(name)
			if d.Group == "tasks" || strings.Contains(d.Name, "_homography_") {
				text += "(_std)?"
			}
			out = append(out, pattern{regexp.MustCompile("^" + text + "$"), variables, d})
		}
	}
	return out
})

// expression returns a regular expression of the folded forms of a name, with a group
// for each of its variables.
func expression(name string) (text string, variables []string) {
	number := `[1-9][0-9]*`
	if strings.HasSuffix(name, "@K") {
		number = `[0-9]+(?:\.[0-9]+)?`
	}
	rest := 0
	for _, at := range variable.FindAllStringIndex(name, -1) {
		v := name[at[0]:at[1]]
		text += regexp.QuoteMeta(spelling.Fold(name[rest:at[0]])) + "(" + cmp.Or(values[v], number) + "|" + spelling.Fold(v) + ")"
		variables = append(variables, v)
		rest = at[1]
	}
	return text + regexp.QuoteMeta(spelling.Fold(name[rest:])), variables
}

// withValues returns a text with values in place of its variables, as far as they are
// known.
func withValues(text string, values map[string]string) string {
	return variable.ReplaceAllStringFunc(text, func(v string) string {
		if value := values[v]; value != spelling.Fold(v) {
			return cmp.Or(value, v)
		}
		return v
	})
}
