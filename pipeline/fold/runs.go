package fold

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"descbench/eval/fact"
	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"descbench/pipeline/store/records"
)

// Runs are folded runs that are open to be shown or compared.
type Runs struct {
	Runs    []*Run
	Systems []*System // of all runs, in the order of the runs and their configs
}

// A System is a descriptor of an open run.
type System struct {
	Name       string // Own, or RUN:Own if several of those shown have one of that name
	Descriptor string // name in the run's config
	Index      int    // among the systems of all runs
	Run        *Run
	Own        string // what is shown of it: its label or name
	Keypoints  string // its keypoint set
	Set        string // what is shown of that
	Summary    store.SummaryDescriptor
	Rules      ranking.Options          // that judge its queries
	Digests    map[string]store.Digests // by scene; after Read

	metrics map[metricKey]scope.Metric // those over all scenes, which the summary has; others after Read
}

type metricKey struct{ scope, name string }

// Open opens run folders, and changes labels of --set, each in the runs that have the name. It returns
// an error if two folders are the same, one has no results yet, or none has a name.
func Open(paths, set []string) (*Runs, error) {
	labels, err := labelsOf(paths)
	if err != nil {
		return nil, err
	}
	all, unknown := &Runs{}, slices.Clone(set)
	for i, path := range paths {
		r, err := open(path)
		if err != nil {
			return nil, err
		}
		others, err := r.Config.Relabel(set)
		if err != nil {
			return nil, err
		}
		r.nameSystems()
		unknown = slices.DeleteFunc(unknown, func(l string) bool { return !slices.Contains(others, l) })
		all.add(r, labels[i])
	}
	if len(unknown) > 0 {
		return nil, &config.Error{File: "--set " + unknown[0], Msg: "no descriptor or keypoint set of this name in " + strings.Join(paths, ", ")}
	}
	all.Show(all.Systems)
	return all, all.warnOfEnvironments()
}

// add adds a run under a label.
func (all *Runs) add(r *Run, label string) {
	r.Label, all.Runs = label, append(all.Runs, r)
	for _, s := range r.Systems {
		s.Index = len(all.Systems)
		all.Systems = append(all.Systems, s)
	}
}

// warnOfEnvironments adds warnings to the descriptors of runs that were computed in another
// environment than the first, so that what looks like a difference between descriptors may be one
// between detectors, or with a file of a program or a model of the same name and other content.
func (all *Runs) warnOfEnvironments() error {
	first := make(map[string][2]string) // digest of each file of a program and model, and the first run with it
	var was plan.Environment
	for i, r := range all.Runs {
		e, err := r.RunFolder().ReadEnvironment()
		if errors.Is(err, fs.ErrNotExist) || len(all.Runs) == 1 { // re-evaluated by an earlier version
			continue
		}
		if err != nil {
			return err
		}
		if i == 0 {
			was = e
		}
		differs := was.OtherSoftware(e)
		for _, s := range r.Systems {
			tell := func(f fact.Fact) { r.Summary.Warnings = append(r.Summary.Warnings, f.On(s.Descriptor)) }
			if was.OpenCV != "" && len(differs) > 0 {
				tell(fact.New(fact.OtherEnvironment).Naming("run", all.Runs[0].Folder).Naming("differs", differs...))
			}
			files := make(map[string]string) // digests
			for _, key := range r.Config.ProgramsOf(s.Descriptor) {
				for name, digest := range e.Programs[key].Files {
					files[name+" of "+key+".files"] = digest
				}
			}
			for _, file := range slices.Sorted(maps.Keys(files)) {
				if known := first[file]; known[0] == "" {
					first[file] = [2]string{files[file], r.Label}
				} else if known[0] != files[file] {
					tell(fact.New(fact.OtherFile).Naming("file", file).Naming("run", known[1]))
				}
			}
		}
	}
	return nil
}

// Keep leaves out all other systems with what is said about them, and runs without any, and
// numbers these systems anew.
func (all *Runs) Keep(systems []*System) {
	all.Systems = systems
	for i, s := range systems {
		s.Index = i
	}
	for _, r := range all.Runs {
		r.only(systems)
	}
	all.Runs = slices.DeleteFunc(all.Runs, func(r *Run) bool { return len(r.Systems) == 0 })
}

// only leaves out all other systems of the run, and what is said about them.
func (r *Run) only(systems []*System) {
	r.Systems = slices.DeleteFunc(slices.Clone(r.Systems), func(s *System) bool { return !slices.Contains(systems, s) })
	kept := r.byName()
	chosen := func(descriptor string) bool { return kept[descriptor] != nil }
	concerns := func(part string) bool { return r.Config.Concerns(part, chosen) }
	summary := *r.Summary
	summary.Descriptors = slices.DeleteFunc(slices.Clone(summary.Descriptors), func(d store.SummaryDescriptor) bool { return !chosen(d.Name) })
	summary.Warnings = slices.DeleteFunc(slices.Clone(summary.Warnings), func(f fact.Fact) bool {
		switch {
		case f.Descriptor != "":
			return !chosen(f.Descriptor)
		case f.Names["keys"] != nil: // of programs
			return !slices.ContainsFunc(f.Names["keys"], concerns)
		}
		return !concerns(f.Part)
	})
	summary.FailedScenes = maps.Clone(summary.FailedScenes)
	maps.DeleteFunc(summary.FailedScenes, func(_ string, failures []store.Failure) bool {
		return !slices.ContainsFunc(failures, func(f store.Failure) bool { return slices.ContainsFunc(f.Descriptors, chosen) })
	})
	r.Summary = &summary
}

// About returns facts about a run under the names that are shown: of its descriptors, else of the
// run if there are several.
func (all *Runs) About(r *Run, facts ...fact.Fact) (out []fact.Fact) {
	for _, f := range facts {
		if f.Descriptor != "" {
			f.Descriptor = r.NameOf(f.Descriptor)
		} else if len(all.Runs) > 1 {
			f = f.Within(r.Label)
		}
		out = append(out, f)
	}
	return out
}

// open opens a run folder. The run has no label, nor have its systems.
func open(path string) (*Run, error) {
	r, err := load(path)
	if err != nil {
		return nil, err
	}
	return r, r.checkProtocol()
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
		return nil, notFolded(f, err)
	}
	p, err := f.PlanOfResults(summary.SceneNames())
	if err != nil {
		return nil, err
	}
	return newOpen(f, p, &summary), nil
}

// newOpen returns the open run of a plan and a summary.
func newOpen(f plan.Folder, p *plan.Plan, summary *store.Summary) *Run {
	r := &Run{Folder: string(f), Config: p.Config, Summary: summary, plan: p, Units: sync.OnceValues(func() (*plan.Units, error) { return f.Units(p) })}
	for _, d := range summary.Descriptors {
		s := &System{Descriptor: d.Name, Run: r, Summary: d, Rules: Options(p.Config.Evaluation)}
		for _, m := range d.Metrics {
			limits, has := d.Intervals[m.Name]
			if !has {
				limits = store.Limits{math.NaN(), math.NaN()}
			}
			s.Add(scope.Metric{Scope: scope.All, Name: m.Name, Value: m.Value, Low: limits[0], High: limits[1]})
		}
		r.Systems = append(r.Systems, s)
	}
	r.nameSystems()
	return r
}

// nameSystems gives the systems the names that the config shows.
func (r *Run) nameSystems() {
	for _, s := range r.Systems {
		s.Name, s.Own = s.Descriptor, s.Descriptor
		if d := r.Config.Named(s.Descriptor); d != nil {
			s.Own, s.Keypoints = r.Config.Shown(*d), r.Config.SetOf(*d)
			s.Name, s.Set = s.Own, r.Config.ShownSet(s.Keypoints)
		}
	}
}

// Alone returns the run as the only one, whose systems need not be named with it.
func (r *Run) Alone() *Runs {
	alone := &Runs{[]*Run{r}, r.Systems}
	alone.Show(r.Systems)
	return alone
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

// ReadTimings reads the times; none of a folder that does not say whose they are.
func (r *Run) ReadTimings() {
	if units, err := r.RunFolder().Units(r.plan); err == nil {
		r.Timings = units.Timings()
	}
}

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
		if s != nil && (!scope.Parse(m.Scope).IsOne() || slices.Contains(ofScenes, m.Name)) {
			s.Add(m)
		}
	})
	if err != nil {
		return err
	}
	return r.ReadDigests()
}

func (r *Run) byName() map[string]*System {
	systems := make(map[string]*System)
	for _, s := range r.Systems {
		systems[s.Descriptor] = s
	}
	return systems
}

// NameOf returns the name under which a descriptor is shown.
func (r *Run) NameOf(descriptor string) string {
	if s := r.byName()[descriptor]; s != nil {
		return s.Name
	}
	return descriptor
}

// ReadDigests reads the digests of the data of the systems. Without them, keypoint sets of other names
// are different ones.
func (r *Run) ReadDigests() error {
	byName := r.byName()
	for _, s := range byName {
		s.Digests = make(map[string]store.Digests)
	}
	pairs, err := r.PairRecords()
	for _, p := range slices.Backward(pairs) { // of a scene, the first decides
		if s := byName[p.Descriptor]; s != nil {
			s.Digests[p.Scene] = store.Digests{Scene: p.SceneDigest, Set: p.SetDigest}
		}
	}
	return err
}

// PairRecords reads every pair record of the run.
func (r *Run) PairRecords() ([]record.Pair, error) {
	pairs, err := records.ReadPairs(r.RunFolder().Pairs())
	if err != nil {
		return nil, notFolded(r.RunFolder(), err)
	}
	return pairs, nil
}

// WriteRecords writes the records of queries, or of pairs, of the systems as CSV.
func (r *Run) WriteRecords(w io.Writer, of string, header bool) error {
	path := map[string]string{"queries": r.RunFolder().Queries(), "pairs": r.RunFolder().Pairs()}[of]
	systems := r.byName()
	if err := records.WriteCSV(w, path, header, func(descriptor string) bool { return systems[descriptor] != nil }); err != nil {
		return notFolded(r.RunFolder(), err)
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

// Facts returns the facts about the system, with those about copied scenes.
func (s *System) Facts() []fact.Fact {
	return slices.DeleteFunc(slices.Clone(s.Run.Summary.Warnings), func(f fact.Fact) bool {
		return f.Descriptor != s.Descriptor && f.Kind != fact.CopiedScene && f.Kind != fact.CopiedPlanes && f.Kind != fact.CopiedKeypoints
	})
}

// SameKeypoints reports whether two systems share scenes and have the same keypoints in
// all of them. One without any results has those of its keypoint set; both sides of an intersection
// are the same points.
func (s *System) SameKeypoints(other *System) bool {
	group := s.Run.Config.KeypointGroup(s.Descriptor)
	if s.Run == other.Run && group != "" && group == s.Run.Config.KeypointGroup(other.Descriptor) {
		return true
	}
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

// ByKeypoints groups systems by the first of them that was evaluated on the same keypoints, by the same rule of
// relevance, in their order.
func ByKeypoints(systems []*System) [][]*System {
	var groups [][]*System
	for _, s := range systems {
		at := slices.IndexFunc(groups, func(group []*System) bool {
			return group[0].SameKeypoints(s) && group[0].Run.Config.Evaluation.Relevance == s.Run.Config.Evaluation.Relevance
		})
		if at < 0 {
			at, groups = len(groups), append(groups, nil)
		}
		groups[at] = append(groups[at], s)
	}
	return groups
}

// KeypointSets returns the numbers of systems among the groups of ByKeypoints, and of these.
func KeypointSets(systems []*System) (sets map[*System]int, n int) {
	sets = make(map[*System]int)
	groups := ByKeypoints(systems)
	for i, group := range groups {
		for _, s := range group {
			sets[s] = i
		}
	}
	return sets, len(groups)
}

// RunFolder returns the folder as the plan names its files.
func (r *Run) RunFolder() plan.Folder { return plan.Folder(r.Folder) }

// Scenes returns the names of the run's scenes, sorted.
func (r *Run) Scenes() []string { return r.plan.Scenes }

// Records returns the records of each pair of a scene of a system, nil if the scene failed or
// lacks its unit.
func (s *System) Records(scene string) ([]record.Records, error) {
	units, err := s.Run.Units()
	if err != nil {
		return nil, err
	}
	all, err := Records(units, s.Descriptor, scene)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return all, err
}

// Records returns the records of each pair of a scene that the units of a run hold. The
// error is fs.ErrNotExist if the scene failed.
func Records(units *plan.Units, descriptor, scene string) ([]record.Records, error) {
	unit, err := readUnit(units, descriptor, scene)
	if err != nil {
		return nil, err
	}
	var all []record.Records
	err = EachPair(unit, func(r record.Records) error {
		all = append(all, r)
		return nil
	})
	if err != nil {
		return nil, unfit(units.Path(units.Eval(descriptor), scene), err)
	}
	return all, nil
}

// unfit returns an error about a unit that is as it was written, but whose records do not
// fit together: somebody else wrote it.
func unfit(path string, err error) error {
	return plan.Again(fmt.Errorf("%s: %w", path, err), "remove the file and rerun descbench run with the config of this run")
}

// Identical returns the systems with the same results, bit by bit, on the same keypoints, in groups of two or
// more. There are none if a program is not reproducible: its equal rows come from the cache.
func (r *Run) Identical() (groups [][]*System) {
	if fact.Only(r.Summary.Warnings, fact.NotReproducible) != nil {
		return nil
	}
	sets, _ := KeypointSets(r.Systems)
	for _, s := range r.Systems {
		i := slices.IndexFunc(groups, func(group []*System) bool {
			first := group[0].Summary
			return sets[group[0]] == sets[s] && slices.Equal(first.Metrics, s.Summary.Metrics) && slices.Equal(first.RankHistogram, s.Summary.RankHistogram)
		})
		switch {
		case len(s.Summary.Scenes) == 0: // failed in all of them
		case i < 0:
			groups = append(groups, []*System{s})
		default:
			groups[i] = append(groups[i], s)
		}
	}
	return slices.DeleteFunc(groups, func(group []*System) bool { return len(group) < 2 })
}
