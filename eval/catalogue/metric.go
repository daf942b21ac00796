package catalogue

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"descbench/eval/spelling"
)

// A Metric is a metric of a Definition, with values in place of variables. Of and Resolve make
// each once: a metric is compared by its address.
type Metric struct {
	Definition         // Name, Short, Also and Paper have the values; Short and Paper are never ""
	Family     string  // the definition's Name, with variables; "" for a name that no metric has
	K          float64 // the number in place of K; 0 without one
	Estimator  string  // of ESTIMATOR; "" without one
	Noise      string  // of NOISE, a noise level of the patch benchmark: e, h, t or mean
	Protocol   string  // of PROTOCOL: balanced or imbalanced
	Std        bool    // the standard deviation over repetitions or draws
	Open       bool    // a variable has no value: it stands for several metrics

	values map[string]string // by variable
}

// The families of metrics that some packages show as curves, charts or columns.
const (
	MMA                = "mma@K"
	HomographyAccuracy = "ESTIMATOR_homography_accuracy@K"
	HomographyAUC      = "ESTIMATOR_homography_auc@K"
	PoseAccuracy       = "ESTIMATOR_pose_accuracy@K"
	PoseAUC            = "ESTIMATOR_pose_auc@K"
)

// With returns the name of a metric of a family with this estimator and number:
// With(HomographyAUC, "ransac", 3) is ransac_homography_auc@3.
func With(family, estimator string, k int) string {
	return withValues(family, map[string]string{"ESTIMATOR": estimator, "K": strconv.Itoa(k)})
}

// IsKnown reports whether the catalogue has the metric.
func (m *Metric) IsKnown() bool { return m.Family != "" }

// Computable reports whether the metric can be computed from the records of a run that does not
// have it at its K.
func (m *Metric) Computable() bool { return m.K > 0 && m.K <= m.UpTo }

// Impossible reports whether runs that have metrics of these names cannot have this one, in no
// scope: its K or its estimator is not among theirs.
func (m *Metric) Impossible(names []string) bool {
	atOther, at, by := false, false, m.Estimator == ""
	for _, other := range OfAll(names) {
		by = by || other.Estimator == m.Estimator
		if other.Family == m.Family {
			at, atOther = at || other.K == m.K, atOther || other.K != m.K
		}
	}
	return !by || atOther && !at || m.UpTo > 0 && !m.Computable()
}

// OfMatches reports whether the metric judges matches, or what is estimated from them.
func (m *Metric) OfMatches() bool { return m.Of == Matches || m.Of == Homographies || m.Of == Poses }

// Lower reports whether lower values are better.
func (m *Metric) Lower() bool { return m.Better == "lower" }

// Tolerant reports whether a metric is not one of estimates by DLT, which a single wrong
// match spoils: of several metrics that a word stands for, the first tolerant one is meant.
func (m *Metric) Tolerant() bool {
	return m.Estimator != "dlt" && !strings.HasPrefix(m.Estimator, "dlt_")
}

// By returns the metric by an estimator, of those by all estimators.
func (m *Metric) By(estimator string) *Metric { return m.with("ESTIMATOR", estimator) }

func (m *Metric) with(variable, value string) *Metric {
	return Of(strings.Replace(m.Name, variable, value, 1))
}

// stands reports whether a metric is the other one, or stands for it and others.
func (m *Metric) stands(other *Metric) bool {
	for variable, value := range m.values {
		if other.values[variable] != value {
			return false
		}
	}
	return m.IsKnown() && m.Family == other.Family && m.Std == other.Std
}

// OfAll returns the metrics of names.
func OfAll(names []string) []*Metric {
	out := make([]*Metric, len(names))
	for i, name := range names {
		out[i] = Of(name)
	}
	return out
}

// Tolerant returns the first tolerant one of metrics, or the first.
func Tolerant(metrics []*Metric) *Metric {
	return metrics[max(0, slices.IndexFunc(metrics, (*Metric).Tolerant))]
}

// Short returns the name of a metric in tables, flags and messages. Other words stay
// as they are.
func Short(metric string) string { return Of(metric).Short }

// Resolve returns the metric that a name stands for: hit@5 is precision_at_5, map_macro is
// true_map_macro_by_scene. It ignores case and treats spaces and hyphens as underscores.
// Names may contain variables; homography_auc@3 leaves the estimator open. The error for an
// unknown name suggests similar ones.
func Resolve(name string) (*Metric, error) {
	if m := Of(name); m.IsKnown() {
		return m, nil
	}
	all := spelling.Words(All(), func(d Definition) string { return d.names()[0] })
	return nil, fmt.Errorf("no metric %q%s; descbench metrics lists all", name, suggestion(name, all))
}

var known sync.Map // metrics by every name that was asked for

// Of returns the metric that a name stands for, as Resolve does, or for another word one
// without a Family, whose names are the word.
func Of(name string) *Metric {
	if m, there := known.Load(name); there {
		return m.(*Metric)
	}
	m := parse(name)
	if m.Name != name {
		m = Of(m.Name)
	}
	one, _ := known.LoadOrStore(name, m)
	return one.(*Metric)
}

func parse(name string) *Metric {
	folded := spelling.Fold(name)
	for _, p := range patterns() {
		found := p.FindStringSubmatch(folded)
		if found == nil {
			continue
		}
		m := &Metric{Definition: p.Definition, Family: p.Name, values: make(map[string]string)}
		inPapers := make(map[string]string)
		for i, v := range p.variables {
			value := found[1+i]
			if v == "K" {
				value = strings.ReplaceAll(value, "e_", "e-") // 5e-4, which was folded
				if k, err := strconv.ParseFloat(value, 64); err == nil && p.UpTo > 0 {
					value = strconv.FormatFloat(k, 'g', -1, 64) // 2.50 is 2.5
				}
			}
			if value != spelling.Fold(v) {
				m.values[v], inPapers[v] = value, estimators.Replace(value)
			}
		}
		for _, v := range variable.FindAllString(p.Name, -1) {
			m.Open = m.Open || m.values[v] == ""
		}
		inPapers["NOISE"] = map[string]string{"e": "easy", "h": "hard", "t": "tough", "mean": "mean over noise levels"}[m.values["NOISE"]]
		m.K, _ = strconv.ParseFloat(m.values["K"], 64) // 0 without
		m.Estimator, m.Noise, m.Protocol = m.values["ESTIMATOR"], m.values["NOISE"], m.values["PROTOCOL"]
		m.Name, m.Also = withValues(m.Name, m.values), withValues(m.Also, m.values)
		m.Short = cmp.Or(withValues(m.Short, m.values), m.Name)
		m.Paper = withValues(cmp.Or(m.Paper, strings.ReplaceAll(p.Name, "_", " ")), inPapers)
		if strings.HasPrefix(m.Name, "ESTIMATOR") { // by any
			m.Short, m.Paper = m.Also, strings.TrimPrefix(m.Paper, "ESTIMATOR ")
		}
		if len(found) > 1+len(p.variables) && found[len(found)-1] != "" {
			m.Std, m.Better = true, ""
			m.Name, m.Short, m.Paper = m.Name+"_std", m.Short+"_std", m.Paper+", standard deviation"
		}
		return m
	}
	return &Metric{Definition: Definition{Name: name, Short: name, Paper: name, Unit: Measure}}
}

// estimators spells the names of estimators for papers.
var estimators = strings.NewReplacer("ransac", "RANSAC", "magsac", "MAGSAC++", "dlt", "DLT", "_", " ")

// Find returns which of the given names of metrics or other columns a word stands for.
// A word with variables, such as hit@K or homography_auc@3, can stand for several. The
// error for a word that stands for none suggests similar ones of them.
func Find(word string, among []string) ([]string, error) {
	for _, name := range among {
		if spelling.Fold(name) == spelling.Fold(word) {
			return []string{name}, nil
		}
	}
	wanted := Of(word)
	mean := wanted.with("NOISE", "mean") // goes last
	var found, last []string
	for _, name := range among {
		switch m := Of(name); {
		case m == mean && m.IsKnown():
			last = append(last, name)
		case wanted.stands(m):
			found = append(found, name)
		}
	}
	if found = append(found, last...); found == nil {
		const most = 20 // of a table, not all of a run
		if wanted.UpTo > 0 && wanted.values["K"] != "" && !wanted.Computable() {
			return nil, fmt.Errorf("no %q, want a number above 0 and up to %g", word, wanted.UpTo)
		}
		all := ", want one of " + strings.Join(among, ", ")
		if len(among) > most {
			all = "; descbench metrics lists all"
		}
		return nil, fmt.Errorf("no %q%s%s", word, suggestion(word, among), all)
	}
	return found, nil
}

// suggestion returns the names that contain the parts of word, by any of their names, or are the same
// metric with another number, or else the most similar one.
func suggestion(word string, among []string) string {
	if meant := spelling.Alias(word); slices.Contains(among, meant) {
		return spelling.Meant(meant)
	}
	for _, of := range []string{"homography_", "pose_"} { // of another estimator
		_, rest, _ := strings.Cut(strings.ToLower(word), "_"+of)
		if any := Of(of + rest); rest != "" && slices.ContainsFunc(among, func(name string) bool { return any.stands(Of(name)) }) {
			return spelling.Meant(of + rest)
		}
	}
	const most = 4
	var like, all []string
	by := make(map[string]string) // the name by each of its names
	wanted := Of(word)
	for _, name := range among {
		m := Of(name)
		if m.Std != strings.HasSuffix(word, "_std") {
			continue
		}
		names := append(m.names(), name)
		contains := func(n string) bool {
			lacks := func(part string) bool { return !strings.Contains(spelling.Fold(n), part) }
			return word != "" && !slices.ContainsFunc(strings.Split(spelling.Fold(word), "_"), lacks)
		}
		if (m.IsKnown() && m.Family == wanted.Family || slices.ContainsFunc(names, contains)) && len(like) < most {
			like = append(like, name)
		}
		for _, n := range names {
			if all = append(all, n); by[n] == "" {
				by[n] = name
			}
		}
	}
	if like == nil {
		return spelling.Meant(by[spelling.Nearest(word, all)])
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
	"ESTIMATOR": `(?:dlt|ransac|magsac|usac_[a-z]+|essential|own_(?:homography|pose)_[a-z][a-z0-9]*)(?:_[a-z0-9.]+)*?`,
}

var patterns = sync.OnceValue(func() []pattern {
	var out []pattern
	for _, d := range All() {
		for _, name := range d.names() {
			text, variables := expression(name)
			if d.Group == "tasks" || strings.HasPrefix(d.Name, "ESTIMATOR") {
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
		number = `[0-9]+(?:\.[0-9]+)?(?:e_[0-9]+)?`
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
	return variable.ReplaceAllStringFunc(text, func(v string) string { return cmp.Or(values[v], v) })
}
