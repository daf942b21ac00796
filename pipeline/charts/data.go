package charts

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"descbench/eval/binary"
	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/eval/stats"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
)

// data holds what charts read from runs.
type data struct {
	Options
	runs     *fold.Runs     // with the systems to show and the baseline, if any is hidden
	systems  []*fold.System // to show
	hidden   []*fold.System // not to show
	baseline *fold.System
	looks    map[*fold.System]figure.Look

	// classifiers returns those of the systems to show. It reads the records when
	// first called.
	classifiers func() ([]binary.System, error)
}

// newData sorts the systems of the runs into those to show and the others, and finds the
// baseline.
func newData(ctx context.Context, runs *fold.Runs, opt Options) (*data, error) {
	d := &data{Options: opt, runs: runs}
	d.classifiers = sync.OnceValues(func() ([]binary.System, error) { return d.classify(ctx) })
	all := d.runs.Systems
	shown, err := d.runs.Named("--only", d.Only)
	if err != nil {
		return nil, err
	}
	if len(d.Only) == 0 {
		shown = all
		if d.Most > 0 {
			shown = BestOnEach(all, catalogue.MAP, d.Most)
		}
	}
	for _, s := range all {
		if slices.Contains(shown, s) {
			d.systems = append(d.systems, s)
		} else {
			d.hidden = append(d.hidden, s)
		}
	}
	if d.looks = opt.Looks; d.looks == nil {
		d.looks = Looks(all, shown)
	}
	if d.Baseline != "" {
		if d.baseline, err = d.runs.Find("--baseline", d.Baseline); err != nil {
			return nil, err
		}
		shown = append(slices.Clip(shown), d.baseline)
	}
	d.runs.Show(shown)
	var indexes []int
	for _, s := range d.systems {
		indexes = append(indexes, s.Index)
	}
	if d.hidden != nil {
		d.runs.Keep(slices.DeleteFunc(slices.Clone(all), func(s *fold.System) bool { return !slices.Contains(shown, s) }))
	}
	for i, s := range d.systems { // as before others were left out
		s.Index = indexes[i]
	}
	d.baseline = cmp.Or(d.baseline, d.systems[0])
	return d, nil
}

// MostColoured is the number of systems up to which all have colours, and of those that are shown at
// first: more curves in one chart are hard to tell apart, also in grey.
const MostColoured = 12

// Looks returns the look of each system. Colours are methods in the order of the systems; dashes and
// marks are keypoint sets or, with a single one, also methods. Among more than MostColoured systems,
// colours begin with the shown ones, and the others are grey.
func Looks(systems, shown []*fold.System) map[*fold.System]figure.Look {
	grey := func(s *fold.System) bool { return len(systems) > MostColoured && !slices.Contains(shown, s) }
	coloured := slices.DeleteFunc(slices.Clone(systems), grey)
	others := slices.DeleteFunc(slices.Clone(systems), func(s *fold.System) bool { return !grey(s) })
	sets, n := fold.KeypointSets(systems)
	var methods []string
	looks, taken := make(map[*fold.System]figure.Look), make(map[figure.Look]bool)
	for _, s := range append(coloured, others...) {
		method := s.Run.Config.Named(s.Descriptor).Method()
		at := slices.Index(methods, method)
		if at < 0 {
			at, methods = len(methods), append(methods, method)
		}
		look := figure.NewLook(at)
		if n > 1 { // methods of one colour differ in dash and mark
			look = figure.NewLook(sets[s] + n*(at/figure.Colours))
		}
		for look.Colour = at % figure.Colours; taken[look]; { // by the method in another run
			look.Dash, look.Mark = look.Dash+n, look.Mark+n
		}
		taken[look] = true
		if grey(s) {
			look.Colour = figure.Grey
		}
		looks[s] = look
	}
	return looks
}

// Best returns at most so many of some systems, in their order: those with the highest values,
// and as many in each group as there are, because values on different keypoints are not
// comparable.
func Best[S any, G comparable](systems []S, most int, value func(S) float64, group func(S) G) []S {
	sorted := make([]int, len(systems))
	for i := range systems {
		sorted[i] = i
	}
	slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(value(systems[b]), value(systems[a])) })
	size, place := make(map[G]int), make([]int, len(systems))
	for _, i := range sorted {
		g := group(systems[i])
		place[i] = size[g]
		size[g]++
	}
	slices.SortStableFunc(sorted, func(a, b int) int { return place[a] - place[b] })
	var best []S
	for _, i := range slices.Sorted(slices.Values(sorted[:min(most, len(sorted))])) {
		best = append(best, systems[i])
	}
	return best
}

// BestOnEach returns the Best of systems of runs by a metric, on each keypoint set.
func BestOnEach(systems []*fold.System, metric string, most int) []*fold.System {
	sets, _ := fold.KeypointSets(systems)
	return Best(systems, most, func(s *fold.System) float64 { return s.Value(scope.All, metric) }, func(s *fold.System) int { return sets[s] })
}

// interval returns the interval of a metric, or nil without one.
func interval(s *fold.System, scope, name string) *figure.Interval {
	m, defined := s.Metric(scope, name)
	if !defined {
		return nil
	}
	return figure.Between(m.Low, m.High)
}

// Intervals reports whether a metric of the systems has an interval, in a scope or with "" in
// any: then, all values have the decimals of values with intervals.
func Intervals(systems []*fold.System, in string) bool {
	return slices.ContainsFunc(systems, func(s *fold.System) bool {
		for m := range s.Metrics() {
			if (in == "" || m.Scope == in || m.Scope == scope.All && m.Name == mapOf[in]) && !math.IsNaN(m.Low) {
				return true
			}
		}
		return false
	})
}

// spread says what the intervals or bands of a chart are, or why it has none.
func (d *data) spread(in string, as spread) []string {
	crowded := as == bands && len(d.systems) > figure.MostBands
	switch {
	case as == "" || crowded && !d.Page || !Intervals(d.systems, scope.All):
		return nil
	case !Intervals(d.systems, in):
		return []string{fmt.Sprintf("No intervals in %s: fewer than %d scenes.", in, stats.FewestScenes)}
	}
	text := string(as)
	if crowded { // on pages, where descriptors are switched on and off
		text += fmt.Sprintf(", with at most %d descriptors", figure.MostBands)
	}
	text += ": 95 %"
	if as == bands {
		text += " at each point"
	}
	text += ", cluster bootstrap over " + report.Drawn(d.runs.Runs[0])
	if n := report.FewestScenes(in, d.runs.Runs...)[scope.All]; report.TooNarrow(n) {
		text += fmt.Sprintf(", too narrow with only %d", n)
	}
	return []string{text + "."}
}

// scenes says of the charts of a scope what the scenes are.
func (d *data) scenes(in string) (sentences []string) {
	first, same := d.runs.Runs[0].Within(in), true
	for _, r := range d.runs.Runs {
		within := r.Within(in)
		same = same && compare.SameScenes(within, first)
		sentences = append(sentences, "Run "+r.Label+": "+compare.ScenesBehind(within).String())
	}
	if same {
		return []string{compare.ScenesBehind(first).String()}
	}
	return sentences
}

// setup says of a chart of a metric what is not shown, and what the protocol, the keypoints and the
// preset are. Pages have it elsewhere.
func (d *data) setup(metric *catalogue.Metric) []string {
	legend := d.legend()
	return slices.Concat([]string{d.left()}, compare.Setup(d.runs, metric), legend.Matches(matchesPerPair), legend.Setup())
}

// left says which descriptors are not shown, "" for none.
func (d *data) left() string {
	var hidden []string
	for _, s := range d.hidden {
		hidden = append(hidden, s.Name)
	}
	rule := "the best by mAP on each keypoint set"
	if len(d.Only) > 0 {
		rule = "chosen by name"
	}
	return Shown(len(d.systems), "descriptors", rule, hidden)
}

// Shown says that a figure shows some descriptors or systems only, by which rule, and which it lacks; "" for none.
func Shown(n int, of, rule string, hidden []string) string {
	const most = 8
	if hidden == nil {
		return ""
	}
	return fmt.Sprintf("%d of %d %s are shown, %s, without %s", n, n+len(hidden), of, rule, spelling.Few(hidden, most))
}

// legend says what the matches are, which systems were evaluated on which keypoints, and what the
// settings of the systems are.
func (d *data) legend() compare.Legend {
	groups := fold.ByKeypoints(d.runs.Systems)
	legend := compare.NewLegend(slices.Concat(groups...))
	if len(groups) < 2 {
		return legend
	}
	var sets []string
	for _, group := range groups {
		sets = append(sets, slices.Repeat([]string{d.setName(group)}, len(group))...)
	}
	return legend.OnSets(sets)
}

// setName names the keypoint set of a group of systems that share it: with the run, if others of
// that name are shown.
func (d *data) setName(group []*fold.System) string {
	other := func(s *fold.System) bool { return s.Set == group[0].Set && !slices.Contains(group, s) }
	if slices.ContainsFunc(d.systems, other) {
		return group[0].Run.Label + ":" + group[0].Set
	}
	return group[0].Set
}
