package fold

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/eval/stats"
	"descbench/pipeline/config"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// checkSummary returns an error if the config has another protocol than the summary, or the
// summary a value outside its interval.
func (r *Run) checkSummary() error {
	text := func(p store.Protocol) string {
		return p.Key() + ", cut-offs " + strings.Trim(fmt.Sprint(p.Cutoffs), "[]")
	}
	if is, was := text(protocol(r.Config)), text(r.Summary.Protocol); is != was {
		return plan.Again(fmt.Errorf("%s: has %s; summary.json has %s; one of them was changed after the run", r.RunFolder().Config(), is, was), "use descbench fold "+spelling.Shell(r.Folder))
	}
	for _, d := range r.Summary.Descriptors {
		var ofScenes []float64
		for _, s := range d.Scenes {
			if s.TrueMAP != nil {
				ofScenes = append(ofScenes, *s.TrueMAP)
			}
		}
		for _, m := range d.Metrics {
			impossible := ""
			switch l, has := d.Intervals[m.Name]; {
			case has && (m.Value < l[0]-rounding || m.Value > l[1]+rounding):
				impossible = fmt.Sprintf("outside its interval from %g to %g", l[0], l[1])
			case catalogue.Of(m.Name).IsShare() && (m.Value < -rounding || m.Value > 1+rounding):
				impossible = "outside 0 to 1"
			case m.Name == catalogue.MAP && math.Abs(m.Value-stats.Mean(ofScenes)) > rounding:
				impossible = fmt.Sprintf("but its scenes have a mean of %g", stats.Mean(ofScenes))
			}
			if impossible != "" {
				return plan.Again(fmt.Errorf("%s: %s of %s is %g, %s; changed after the run?", r.RunFolder().Summary(), m.Name, d.Name, m.Value, impossible), "use descbench fold "+spelling.Shell(r.Folder))
			}
		}
	}
	return nil
}

// rounding is the largest difference of equal values that were computed in different orders.
const rounding = 1e-9

// EachMetric calls use for every metric of the run, and those of Compute, in no particular order of
// scopes. It returns an error if a value or an interval is not that of the summary, which other commands
// show, or if a value is missing: of the summary, or of a scene behind a value over all.
func (r *Run) EachMetric(use func(descriptor string, m scope.Metric)) error {
	if err := r.eachStored(use); err != nil {
		return err
	}
	for descriptor, metrics := range r.computed {
		for _, m := range metrics {
			use(descriptor, m)
		}
	}
	return nil
}

// eachStored calls use for every metric in the files of the run; for none if it is Unstored.
func (r *Run) eachStored(use func(descriptor string, m scope.Metric)) error {
	if r.Unstored {
		return nil
	}
	f, systems := r.RunFolder(), r.byName()
	summarised := make(map[[3]string]float64) // by descriptor, scope and name
	for _, d := range r.Summary.Descriptors {
		for _, m := range d.Metrics {
			summarised[[3]string{d.Name, "all", m.Name}] = m.Value
		}
		for scene, s := range d.Scenes {
			if s.TrueMAP != nil {
				summarised[[3]string{d.Name, "scene:" + scene, "true_map_micro"}] = *s.TrueMAP
			}
		}
	}
	type sum struct {
		n     int // queries, pairs, ...
		value float64
	}
	ofAll, ofScenes := make(map[[2]string]sum), make(map[[2]string]sum) // by descriptor and name
	var differs error
	changed := func(format string, args ...any) error {
		return plan.Faultf("%s: %s; changed after the run? descbench verify %s --recompute computes both from the units", f.Metrics(), fmt.Sprintf(format, args...), string(f))
	}
	err := store.ReadMetricsCSV(f.Metrics(), func(descriptor string, m scope.Metric) {
		v, known := summarised[[3]string{descriptor, m.Scope, m.Name}]
		if known && v != m.Value {
			differs = changed("%s of %s in %s is %g, but %g in summary.json", m.Name, descriptor, m.Scope, m.Value, v)
		}
		of := [2]string{descriptor, m.Name}
		if m.OfScene() != "" {
			s := ofScenes[of]
			ofScenes[of] = sum{s.n + m.N, s.value + float64(m.Value*float64(m.N))}
		} else if known {
			ofAll[of] = sum{m.N, m.Value * float64(m.N)}
			if l, has := systems[descriptor].Summary.Intervals[m.Name]; has && l != (store.Limits{m.Low, m.High}) {
				differs = changed("the interval of %s of %s is from %g to %g, but from %g to %g in summary.json", m.Name, descriptor, m.Low, m.High, l[0], l[1])
			}
		}
		delete(summarised, [3]string{descriptor, m.Scope, m.Name})
		use(descriptor, m)
	})
	switch {
	case err != nil:
		return notFolded(f, err)
	case differs != nil:
		return differs
	case len(summarised) > 0:
		lost := slices.MinFunc(slices.Collect(maps.Keys(summarised)), func(a, b [3]string) int { return slices.Compare(a[:], b[:]) })
		return changed("no %s of %s in %s, which summary.json has", lost[2], lost[0], lost[1])
	}
	for _, of := range slices.SortedFunc(maps.Keys(ofScenes), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		d := catalogue.Of(of[1])
		pooled := (d.Group == "ranking" || d.Group == "matching") && d.Pooled != catalogue.AsMedian // others have items in scenes without a value
		isMean := d.Pooled == catalogue.AsMean && !d.Std && d.Unit != catalogue.Count
		switch all, there := ofAll[of]; {
		case !there || !pooled:
		case all.n != ofScenes[of].n:
			return changed("%s of %s over all has n = %d, but its scenes have %d together", of[1], of[0], all.n, ofScenes[of].n)
		case isMean && math.Abs(all.value-ofScenes[of].value) > rounding*max(float64(all.n), math.Abs(all.value)):
			return changed("%s of %s over all is %g, but its scenes have a mean of %g", of[1], of[0], all.value/float64(all.n), ofScenes[of].value/float64(all.n))
		}
	}
	return nil
}

// ReadScope reads the metrics of the systems in one scope ("all", "viewpoint", "k:2",
// "scene:v_wall", "pair:v_wall/1_3"). It returns an error if none has any.
func (r *Run) ReadScope(within string) error {
	systems, found := r.byName(), false
	var scopes []string
	err := r.EachMetric(func(descriptor string, m scope.Metric) {
		s := systems[descriptor]
		if m.Scope == within && s != nil {
			found = true
			s.Add(m)
		} else if !found && !slices.Contains(scopes, m.Scope) && scope.Parse(m.Scope).Kind != scope.OnePair {
			scopes = append(scopes, m.Scope)
		}
	})
	if err == nil && !found {
		err = &config.Error{File: "--scope " + within, Msg: r.Folder + " lacks it" + otherScopes(within, scopes)}
	}
	return err
}

// ScopeNamed returns the name of the scope that a user means: that of a scene of any run, a group or
// a subset also without its kind, of a pair as scope.SplitPair takes it; that of all scenes for a group that has
// them all.
func (r *Runs) ScopeNamed(name string) string {
	name = r.scopeNamed(name)
	id := scope.Parse(name)
	if id.Kind != scope.OneGroup {
		return name
	}
	for _, s := range r.Systems {
		for in := range s.Summary.Scenes {
			if scope.Group(in) != id.Group {
				return name
			}
		}
	}
	return scope.All
}

func (r *Runs) scopeNamed(name string) string {
	for _, s := range r.Systems {
		for in, is := range s.Summary.Scenes {
			switch {
			case in == name:
				return "scene:" + name
			case scope.Group(in) == name:
				return "group:" + name
			case slices.Contains(is.Subsets, name):
				return "subset:" + name
			}
		}
	}
	return scope.Canonical(name)
}

// otherScopes says which scopes of a run are meant or allowed instead of one that it lacks:
// image numbers instead of one, else others.
func otherScopes(within string, scopes []string) string {
	const most = 10
	id := scope.Parse(within)
	named := strings.Contains(within, ":")
	scopes = slices.DeleteFunc(scopes, func(s string) bool {
		other := scope.Parse(s)
		return named && (id.K > 0 && id.Scene == "") != (other.Kind == scope.OneImage) || !named && other.IsOne()
	})
	text := ", want one of " + spelling.Few(scopes, most)
	switch {
	case id.Kind == scope.OneImage:
		return text
	case named:
		return spelling.Hint(within, scopes) + text + " or pair:SCENE/1_K"
	}
	return spelling.Hint(within, scopes) + text + "; tables of results also take scene:NAME and pair:NAME/1_3"
}

// MetricNames returns the names of the metrics that any descriptor has, each once: those
// of homographies in the order of the config's estimators, then the others.
func (r *Run) MetricNames() []string {
	var names []string
	for _, d := range r.Summary.Descriptors {
		for _, f := range d.Metrics {
			if !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	for _, descriptor := range slices.Sorted(maps.Keys(r.computed)) {
		for _, m := range r.computed[descriptor] {
			if m.Scope == scope.All && !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	place := func(name string) int { // -1: others
		return slices.Index(r.Config.Evaluation.Estimators, catalogue.Of(name).Estimator)
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(uint(place(a)), uint(place(b))) })
	return names
}

// ShortNames returns the names of the metrics in tables, flags and messages.
func (r *Run) ShortNames() []string {
	names := r.MetricNames()
	for i, name := range names {
		names[i] = catalogue.Short(name)
	}
	return names
}

// Lacks returns the error about a metric that a flag names, but that the run does not
// have in a scope, "" for that of single scenes. It suggests those that the run has.
func (r *Run) Lacks(flag, metric, in string) error {
	m := catalogue.Of(metric)
	text := "no value of single scenes"
	if in != "" {
		text = "no value of scope " + in
	}
	if metric = m.Short; m.Scene != "" && scope.Parse(in).IsOne() {
		text = metric + " is a mean over scenes, which single scenes and pairs do not have; use " + catalogue.Short(m.Scene)
	}
	if _, err := catalogue.Find(metric, r.ShortNames()); err != nil {
		text = err.Error()
		if without := fact.Only(r.Summary.Warnings, fact.NoPlaces); without != nil && m.IsKnown() {
			text = notes.Text(without[0])
		}
	}
	return &config.Error{File: flag + " " + metric, Msg: r.Folder + ": " + text}
}
