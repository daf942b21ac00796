package fold

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// checkProtocol returns an error if the config has another protocol than the summary.
func (r *Run) checkProtocol() error {
	text := func(p store.Protocol) string {
		return p.Key() + ", cut-offs " + strings.Trim(fmt.Sprint(p.Cutoffs), "[]")
	}
	if is, was := text(protocol(r.Config)), text(r.Summary.Protocol); is != was {
		return plan.Again(fmt.Errorf("%s: has %s; summary.json has %s; one of them was changed after the run", r.RunFolder().Config(), is, was), "use descbench fold "+spelling.Shell(r.Folder))
	}
	return nil
}

// EachMetric calls use for every metric of the run, and those of Compute, in no particular order of
// scopes. It returns an error if a value over all scenes is not that of the summary, which other commands show.
func (r *Run) EachMetric(use func(descriptor string, m scope.Metric)) error {
	for descriptor, metrics := range r.computed {
		for _, m := range metrics {
			use(descriptor, m)
		}
	}
	if r.Unstored {
		return nil
	}
	systems, path := r.byName(), r.RunFolder().Metrics()
	var differs error
	err := store.ReadMetricsCSV(path, func(descriptor string, m scope.Metric) {
		if s := systems[descriptor]; s != nil && m.Scope == scope.All && differs == nil {
			if v, has := s.Summary.Metrics.Get(m.Name); has && v != m.Value {
				differs = plan.Faultf("%s: %s of %s in all is %g, but %g in summary.json; changed after the run? descbench verify %s --recompute computes both from the units", path, m.Name, descriptor, m.Value, v, r.Folder)
			}
		}
		use(descriptor, m)
	})
	if err != nil {
		return notFolded(r.RunFolder(), err)
	}
	return differs
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

// otherScopes says which scopes of a run are meant or allowed instead of one that it lacks.
func otherScopes(within string, scopes []string) string {
	const most = 10
	named := slices.DeleteFunc(slices.Clone(scopes), func(s string) bool { return scope.Parse(s).Kind == scope.OneImage })
	wanted := named
	if !strings.HasPrefix(within, "scene:") {
		wanted = slices.DeleteFunc(slices.Clone(scopes), func(s string) bool { return scope.Parse(s).IsOne() })
	}
	return fmt.Sprintf("%s, want one of %s; tables of results also take scene:NAME and pair:NAME/1_3", spelling.Hint(within, named), spelling.Few(wanted, most))
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
