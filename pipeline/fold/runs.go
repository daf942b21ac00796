package fold

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"descbench/eval/catalogue"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"descbench/pipeline/store/records"
	"descbench/pipeline/store/unitfile"
)

// Runs are folded runs that are open to be shown or compared.
type Runs struct {
	Runs    []*Run
	Systems []*System // of all runs, in the order of the runs and their configs
}

// A Run is a folded run that is open. Whatever is read of its folder is read here.
type Run struct {
	*Outcome        // without Timings before ReadTimings
	Label    string // names it among the runs that are open with it
	Systems  []*System

	plan  *plan.Plan
	units func() (plan.Units, error)
}

// A System is a descriptor of an open run.
type System struct {
	Name       string // the descriptor's, or RUN:descriptor if several of the runs have one of that name
	Descriptor string // name in the run's config
	Index      int    // among the systems of all runs; selects its look in every figure
	Run        *Run
	Keypoints  string // its keypoint set
	Summary    store.SummaryDescriptor
	Digests    map[string]store.Digests // by scene; after Read

	metrics map[metricKey]scope.Metric // after Read
}

type metricKey struct{ scope, name string }

// Open opens run folders. names are other names to show, for those of Named, as --names gives
// them. It returns an error if two folders are the same or one has no results yet.
func Open(paths []string, names map[string]string) (*Runs, error) {
	labels, err := labelsOf(paths)
	if err != nil {
		return nil, err
	}
	all := &Runs{}
	for i, path := range paths {
		r, err := open(path)
		if err != nil {
			return nil, err
		}
		r.Label = labels[i]
		all.Runs, all.Systems = append(all.Runs, r), append(all.Systems, r.Systems...)
	}
	all.Keep(all.Systems)
	return all, all.rename(names)
}

// Keep leaves out all other systems, and numbers these anew.
func (all *Runs) Keep(systems []*System) {
	all.Systems = systems
	for i, s := range systems {
		s.Index = i
	}
}

// open opens a run folder. The run has no label, nor have its systems.
func open(path string) (*Run, error) {
	r, err := load(path)
	if err != nil {
		return nil, err
	}
	return r, r.checkSummary()
}

func load(path string) (*Run, error) {
	f := plan.Folder(path)
	if !f.IsRun() || plan.Missing(f.Summary()) {
		p, err := f.Plan()
		if err != nil {
			return nil, err
		}
		if f.Complete(p) == nil {
			return nil, plan.Faultf("%s: all units are there, but no summary.json; compute the results: %s", path, Command(path, p.Config.Output.Database))
		}
		return nil, plan.Faultf("%s: no results yet; see descbench status %s%s", path, spelling.Shell(path), f.ReplacedHint())
	}
	summary, err := store.ReadSummary(f.Summary())
	if err != nil {
		return nil, NotFolded(f, err)
	}
	p, err := f.PlanOfResults(summary.SceneNames())
	if err != nil {
		return nil, err
	}
	r := &Run{Outcome: &Outcome{Folder: path, Config: p.Config, Summary: &summary}, plan: p, units: sync.OnceValues(f.Units)}
	sets := make(map[string]string)
	for _, d := range p.Config.Descriptors {
		sets[d.Name] = p.Config.SetOf(d)
	}
	for _, d := range summary.Descriptors {
		r.Systems = append(r.Systems, &System{Name: d.Name, Descriptor: d.Name, Run: r, Keypoints: sets[d.Name], Summary: d})
	}
	return r, nil
}

// checkSummary returns an error if the config has another protocol than the summary, or the
// summary a value outside its interval.
func (r *Run) checkSummary() error {
	text := func(p store.Protocol) string {
		p.Preset, _, _ = strings.Cut(p.Preset, " (") // other versions may word its source otherwise
		return p.WithPreset() + ", cut-offs " + strings.Trim(fmt.Sprint(p.Cutoffs), "[]")
	}
	if is, was := text(protocol(r.Config)), text(r.Summary.Protocol); is != was {
		return plan.Again(fmt.Errorf("%s: has %s; summary.json has %s; one of them was changed after the run", r.RunFolder().Config(), is, was), "use descbench fold "+spelling.Shell(r.Folder))
	}
	for _, d := range r.Summary.Descriptors {
		for _, m := range d.Metrics {
			const rounding = 1e-9
			if l, has := d.Intervals[m.Name]; has && (m.Value < l[0]-rounding || m.Value > l[1]+rounding) {
				return plan.Again(fmt.Errorf("%s: %s of %s is %g, outside its interval from %g to %g; changed after the run?", r.RunFolder().Summary(), m.Name, d.Name, m.Value, l[0], l[1]), "use descbench fold "+spelling.Shell(r.Folder))
			}
		}
	}
	return nil
}

// Read opens one run folder, with its times.
func Read(path string) (*Run, error) {
	r, err := open(path)
	if err == nil {
		r.ReadTimings()
	}
	return r, err
}

// Failure returns the error of the run, if no scene has results.
func (r *Run) Failure() error {
	err := failures(r.plan, r.Summary)
	var failed *plan.FailedScenesError
	if errors.As(err, &failed) && !failed.All() {
		return nil
	}
	return err
}

// Environment reads what the run was computed with. The error is fs.ErrNotExist for a
// folder of metrics that were computed again.
func (r *Run) Environment() (plan.Environment, error) { return r.RunFolder().ReadEnvironment() }

// ReadTimings reads the times.
func (r *Run) ReadTimings() { r.Timings = r.RunFolder().Timings(r.plan) }

// Read reads the metrics of the systems and the digests of their data. Of single scenes
// and pairs, it keeps the metrics of the given names only: there are many.
func (all *Runs) Read(ofScenes ...string) error {
	for _, r := range all.Runs {
		if err := r.ReadMetrics(ofScenes...); err != nil {
			return err
		}
	}
	return nil
}

// ReadMetrics is Runs.Read for one run.
func (r *Run) ReadMetrics(ofScenes ...string) error {
	byName := r.byName()
	err := r.EachMetric(func(descriptor string, m scope.Metric) {
		s := byName[descriptor]
		if s != nil && (!strings.HasPrefix(m.Scope, "pair:") && !strings.HasPrefix(m.Scope, "scene:") || slices.Contains(ofScenes, m.Name)) {
			s.Add(m)
		}
	})
	if err != nil {
		return err
	}
	return r.readDigests()
}

func (r *Run) byName() map[string]*System {
	systems := make(map[string]*System)
	for _, s := range r.Systems {
		systems[s.Descriptor] = s
	}
	return systems
}

// NameOf returns the name under which a descriptor is shown.
func (r *Run) NameOf(descriptor string) string { return r.byName()[descriptor].Name }

func (r *Run) readDigests() error {
	byName := r.byName()
	for _, s := range byName {
		s.Digests = make(map[string]store.Digests)
	}
	return r.EachPairRecord(func(p *record.Pair) {
		if s := byName[p.Descriptor]; s != nil {
			if _, known := s.Digests[p.Scene]; !known {
				s.Digests[strings.Clone(p.Scene)] = store.Digests{Scene: strings.Clone(p.SceneDigest), Set: strings.Clone(p.SetDigest)}
			}
		}
	})
}

// KeypointGroup names the keypoints of descriptors: those of a config.KeypointGroup, and
// those with equal digests, have one name, that of equal ones in other runs. Without records,
// sets of other names differ.
func (o *Outcome) KeypointGroup() func(descriptor string) string {
	r, err := open(o.Folder)
	if err != nil || r.readDigests() != nil {
		return o.Config.KeypointGroup
	}
	groups, digests := make(map[string]string), make(map[string]string)
	for i, s := range r.Systems {
		own := o.Config.KeypointGroup(s.Descriptor)
		if digests[own] == "" && len(s.Digests) > 0 {
			digests[own] = fmt.Sprint(s.Digests)
		}
		group := cmp.Or(digests[own], own)
		for _, e := range r.Systems[:i] {
			if e.SameKeypoints(s) {
				group = groups[e.Descriptor]
				break
			}
		}
		groups[s.Descriptor] = group
	}
	return func(descriptor string) string { return groups[descriptor] }
}

// EachMetric calls use for every metric of the run, in no particular order of scopes. It
// returns an error if a value or an interval is not that of the summary, which other commands
// show, or if a value is missing: of the summary, or of a scene behind a value over all.
func (r *Run) EachMetric(use func(descriptor string, m scope.Metric)) error {
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
	ofAll, ofScenes := make(map[[2]string]int), make(map[[2]string]int) // queries, pairs, ... by descriptor and name
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
		if strings.HasPrefix(m.Scope, "scene:") {
			ofScenes[of] += m.N
		} else if known {
			ofAll[of] = m.N
			if l, has := systems[descriptor].Summary.Intervals[m.Name]; has && l != (store.Limits{m.Low, m.High}) {
				differs = changed("the interval of %s of %s is from %g to %g, but from %g to %g in summary.json", m.Name, descriptor, m.Low, m.High, l[0], l[1])
			}
		}
		delete(summarised, [3]string{descriptor, m.Scope, m.Name})
		use(descriptor, m)
	})
	switch {
	case err != nil:
		return NotFolded(f, err)
	case differs != nil:
		return differs
	case len(summarised) > 0:
		lost := slices.MinFunc(slices.Collect(maps.Keys(summarised)), func(a, b [3]string) int { return slices.Compare(a[:], b[:]) })
		return changed("no %s of %s in %s, which summary.json has", lost[2], lost[0], lost[1])
	}
	for _, of := range slices.SortedFunc(maps.Keys(ofScenes), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		_, d, _ := catalogue.Lookup(of[1])
		means := (d.Group == "ranking" || d.Group == "matching") && !strings.Contains(of[1], "_median") // others have items in scenes without a value
		if n, there := ofAll[of]; there && n != ofScenes[of] && means {
			return changed("%s of %s over all has n = %d, but its scenes have %d together", of[1], of[0], n, ofScenes[of])
		}
	}
	return nil
}

// EachPairRecord calls use for every pair record of the run. It must not keep the pair.
func (r *Run) EachPairRecord(use func(p *record.Pair)) error {
	pairs, err := records.ReadPairs(r.RunFolder().Pairs())
	if err != nil {
		return NotFolded(r.RunFolder(), err)
	}
	for i := range pairs {
		use(&pairs[i])
	}
	return nil
}

// Add adds a metric to those that were read.
func (s *System) Add(m scope.Metric) {
	if s.metrics == nil {
		s.metrics = make(map[metricKey]scope.Metric)
	}
	s.metrics[metricKey{m.Scope, m.Name}] = m
}

// Metric returns a metric of a scope. It is undefined if its denominator is empty or the
// run does not compute it.
func (s *System) Metric(scope, name string) (m scope.Metric, defined bool) {
	m, defined = s.metrics[metricKey{scope, name}]
	return m, defined
}

// Value returns the value of a metric, or NaN if it is undefined.
func (s *System) Value(scope, name string) float64 {
	if m, defined := s.Metric(scope, name); defined {
		return m.Value
	}
	return math.NaN()
}

// Metrics iterates over the metrics that were read, in no order.
func (s *System) Metrics() iter.Seq[scope.Metric] { return maps.Values(s.metrics) }

// Warnings returns the warnings about the system, with those about copied scenes.
func (s *System) Warnings() []scope.Warning {
	var list []scope.Warning
	for _, w := range s.Run.Summary.Warnings {
		if w.Descriptor == s.Descriptor || w.Kind == store.CopiedScene {
			list = append(list, scope.Warning{Kind: w.Kind, Text: w.Text})
		}
	}
	return list
}

// SameKeypoints reports whether two systems share scenes and have the same keypoints in
// all of them. One without any results has those of its keypoint set.
func (s *System) SameKeypoints(other *System) bool {
	if len(s.Digests) == 0 || len(other.Digests) == 0 {
		return s.Run == other.Run && s.Keypoints == other.Keypoints
	}
	shared := false
	for scene, digests := range s.Digests {
		of, both := other.Digests[scene]
		if both && of != digests {
			return false
		}
		shared = shared || both
	}
	return shared
}

// ByKeypoints groups systems that were evaluated on the same keypoints, in their order.
// Systems with results, but without a common scene, do not share keypoints.
func ByKeypoints(systems []*System) [][]*System {
	var groups [][]*System
next:
	for _, s := range systems {
		for i, group := range groups {
			if !slices.ContainsFunc(group, func(o *System) bool { return !o.SameKeypoints(s) }) {
				groups[i] = append(group, s)
				continue next
			}
		}
		groups = append(groups, []*System{s})
	}
	return groups
}

// RunFolder returns the folder as the plan names its files.
func (r *Run) RunFolder() plan.Folder { return plan.Folder(r.Folder) }

// Scenes returns the names of the run's scenes, sorted.
func (r *Run) Scenes() []string { return r.plan.Scenes }

// Records returns the records of each pair of a scene of a system. The error is
// fs.ErrNotExist if the scene failed.
func (s *System) Records(scene string) ([]record.Records, error) {
	units, err := s.Run.units()
	if err != nil {
		return nil, err
	}
	return Records(s.Run.RunFolder(), units, s.Descriptor, scene)
}

// Records returns the records of each pair of a scene that the units of a run hold. The
// error is fs.ErrNotExist if the scene failed.
func Records(f plan.Folder, units plan.Units, descriptor, scene string) ([]record.Records, error) {
	path := f.Eval(descriptor, scene)
	file, err := units.Of(path, scene)
	if err != nil {
		return nil, plan.Recreate(err)
	}
	unit, err := unitfile.ReadEval(file)
	if err != nil {
		return nil, plan.Recreate(err)
	}
	var all []record.Records
	err = EachPair(unit, func(r record.Records) error {
		all = append(all, r)
		return nil
	})
	if err != nil {
		return nil, unfit(path, err)
	}
	return all, nil
}

// unfit returns an error about a unit that is as it was written, but whose records do not
// fit together: somebody else wrote it.
func unfit(path string, err error) error {
	return plan.Again(fmt.Errorf("%s: %w", path, err), "remove the file and rerun descbench run with the config of this run")
}

// Find returns the system that the value of a flag names: RUN:NAME, or NAME, in the first
// run that has one.
func (all *Runs) Find(flag, name string) (*System, error) {
	var names []string
	var first *System
	for _, s := range all.Systems {
		names = append(names, s.Name)
		switch {
		case name == s.Name, name == s.Run.Label+":"+s.Descriptor:
			return s, nil
		case name == s.Descriptor && first == nil:
			first = s
		}
	}
	if first == nil {
		return nil, &config.Error{File: flag + " " + name, Msg: fmt.Sprintf("no descriptor %q%s, want one of %s", name, spelling.Hint(name, names), strings.Join(names, ", "))}
	}
	return first, nil
}

// Named returns the systems that the values of a flag name: RUN:NAME, or NAME in every run
// that has one.
func (all *Runs) Named(flag string, names []string) (named []*System, err error) {
	for _, name := range names {
		first, err := all.Find(flag, name)
		if err != nil {
			return nil, err
		}
		for _, s := range all.Systems {
			if s == first || s.Descriptor == name {
				named = append(named, s)
			}
		}
	}
	return named, nil
}

// rename names the systems. A name in several runs begins with that of the run.
func (all *Runs) rename(names map[string]string) error {
	const flag = "--names"
	renamed, count, used := make(map[*System]string), make(map[string]int), make(map[string]bool)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		named, err := all.Named(flag, []string{name})
		if err != nil {
			return err
		}
		for _, s := range named {
			renamed[s] = names[name]
		}
	}
	for _, s := range all.Systems {
		s.Name = cmp.Or(renamed[s], s.Descriptor)
		count[s.Name]++
	}
	for _, s := range all.Systems {
		if count[s.Name] > 1 && len(all.Runs) > 1 {
			s.Name = s.Run.Label + ":" + s.Name
		}
		if used[s.Name] {
			return &config.Error{File: flag, Msg: fmt.Sprintf("two descriptors would be called %s", s.Name)}
		}
		used[s.Name] = true
	}
	return nil
}

// labelsOf labels runs by the names of their folders, or by their full paths if
// two folders have the same name. It returns an error if two are the same folder.
func labelsOf(runs []string) ([]string, error) {
	var labels []string
	count := make(map[string]int)
	for i, run := range runs {
		path, err := filepath.Abs(run)
		if err != nil {
			return nil, plan.Fault(err)
		}
		labels = append(labels, filepath.Base(path))
		count[labels[i]]++
		for _, other := range runs[:i] {
			if SameFolder(run, other) {
				return nil, &config.Error{File: "runs", Msg: fmt.Sprintf("%s and %s are the same run folder", other, run)}
			}
		}
	}
	for i, label := range labels {
		if count[label] > 1 {
			labels[i] = filepath.Clean(runs[i])
		}
	}
	return labels, nil
}
