package pipeline_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/eval/scope"
	"descbench/pipeline"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// referenceTolerance is how far a figure may be from that of the reference.
const referenceTolerance = 1e-9

// The sets of which testdata/reference/reference.py knows the keypoints. They
// start behind OpenCV, whose SIFT depends on the processor: with imported
// keypoints, whose raw rows the descriptors take.
const referenceSets = `
experiment: {name: reference}
dataset: {root: ROOT/testdata/scenes}
keypoint_sets:
  - {name: all, import: {path: FEATURES}}
  - {name: strong, from: all, border: 40, top: {by: response, per_image: 60}}
  - {name: large, from: all, border: {px: 30, rule: half_open}, min_size: 3, top: {by: size, total: 700}}
  - {name: scarce, from: large, top: {by: size, total: 72}}
  - {name: apart, from: all, spatial: {min_distance_px: 12}}
  - {name: both, intersect: {a: strong, b: large, tolerance_px: 2}}
evaluation: {estimators: []}
descriptors:
`

// The descriptors that it knows, in the order of configs.
var referenceDescriptors = []struct{ name, rest string }{
	{"sift", "type: file, path: FEATURES, keypoints: all"},
	{"rootsift", "type: file, path: FEATURES, keypoints: all, root: l1"},
	{"raw", "type: file, path: FEATURES, keypoints: all, normalize: none"},
	{"l1", "type: file, path: FEATURES, keypoints: all, normalize: l1"},
	{"strong", "type: file, path: FEATURES, keypoints: strong"},
	{"large", "type: file, path: FEATURES, keypoints: large"},
	{"scarce", "type: file, path: FEATURES, keypoints: scarce"},
	{"apart", "type: file, path: FEATURES, keypoints: apart, root: l1, normalize: none"},
	{"both_a", "type: file, path: FEATURES, keypoints: both.a"},
	{"both_b", "type: file, path: FEATURES, keypoints: both.b"},
	{"fused", "type: fusion, of: [sift, rootsift], aggregate: concatenate, normalize: l2"},
}

// The groups of testdata/reference/expected.json, each with what it sets above
// the config.
var referenceGroups = []struct {
	name string
	set  []string
}{
	{"r1", nil},
	{"pairs", nil},
	{"sets", nil},
	{"matcher nearest", []string{"evaluation.matcher.cross_check=false", "evaluation.estimators=dlt"}},
	{"matcher ratio", []string{"evaluation.matcher.cross_check=false", "evaluation.matcher.ratio=0.8", "evaluation.estimators=dlt"}},
	{"matcher mutual ratio", []string{"evaluation.matcher.ratio=0.7", "evaluation.estimators=dlt"}},
	{"matcher top", []string{"evaluation.matcher.max_distance=0.6", "evaluation.matcher.top_k=25", "evaluation.estimators=dlt"}},
	{"ties strict", []string{"evaluation.ties=strict"}},
	{"ties workbench", []string{"evaluation.ties=workbench"}},
	{"tolerance", []string{"evaluation.tolerance_px=1.5", "evaluation.cutoffs=2,20"}},
	{"workbench preset", []string{"evaluation.preset=workbench"}},
	{"workbench preset", []string{
		"evaluation.ties=workbench", "evaluation.exclude_invalid=true", "evaluation.exclude_invalid_truths=false", "evaluation.exclude_beyond_px=2000",
	}},
	{"exclusions", []string{"evaluation.exclude_invalid=true", "evaluation.exclude_beyond_px=400"}},
	{"position", []string{"evaluation.relevance=position"}},
	{"fixed gallery", []string{"evaluation.fixed_gallery.n=60", "evaluation.fixed_gallery.seed=7"}},
	{"fixed gallery by position", []string{
		"evaluation.fixed_gallery.n=80", "evaluation.fixed_gallery.seed=18446744073709551615",
		"evaluation.relevance=position", "evaluation.ties=workbench",
	}},
	{"workbench tasks", []string{"evaluation.workbench_tasks.distractor_scenes=0"}},
	{"workbench tasks with distractors", []string{
		"evaluation.workbench_tasks.distractor_scenes=2", "evaluation.workbench_tasks.distractors_per_scene=15", "evaluation.workbench_tasks.seed=5",
	}},
	{"workbench tasks without hard negatives", []string{
		"evaluation.workbench_tasks.distractors_per_scene=100", "evaluation.workbench_tasks.seed=6",
		"evaluation.workbench_tasks.hard_negatives=ignore", "evaluation.tolerance_px=5",
	}},
	{"bojanic", []string{"evaluation.bojanic_2019.n=20", "evaluation.bojanic_2019.repetitions=3"}},
	{"bojanic on all keypoints", []string{"evaluation.bojanic_2019.n=0", "evaluation.bojanic_2019.repetitions=1", "evaluation.bojanic_2019.seed=9"}},
}

// complete are the groups in which the reference has every figure that a run
// prints of a descriptor. Of the others it has those that the group is about.
var complete = []string{"r1", "pairs", "sets", "tolerance"}

// TestRunsPrintWhatAnIndependentProgramWorksOut holds whole runs, from files to
// printed figures, to what testdata/reference/reference.py makes of the same
// files and of the definitions.
func TestRunsPrintWhatAnIndependentProgramWorksOut(t *testing.T) {
	text := must.Get(os.ReadFile("testdata/reference/expected.json"))(t)
	var expected map[string]map[string]referenceFigures
	must.Do(t, json.Unmarshal(text, &expected))
	cache := t.TempDir()
	for _, g := range referenceGroups {
		t.Run(g.name, func(t *testing.T) {
			want := expected[g.name]
			if len(want) == 0 {
				t.Fatal("the reference has no such group")
			}
			run := runReference(t, referenceRunConfig(t, want, g.set), cache)
			for name, figures := range want {
				got := run.figures(t, name)
				figures.compare(t, name, got, slices.Contains(complete, g.name))
				if figures.histogram != nil {
					run.compareSummary(t, name, figures)
				}
			}
		})
	}
}

// referenceRunConfig returns the config of a run of the descriptors that a
// group has, and of what they are fused of.
func referenceRunConfig(t *testing.T, group map[string]referenceFigures, set []string) *config.Config {
	t.Helper()
	root := must.Get(filepath.Abs(".."))(t)
	_, fusing := group["fused"]
	text := referenceSets
	for _, d := range referenceDescriptors {
		if _, wanted := group[d.name]; wanted || fusing && (d.name == "sift" || d.name == "rootsift") {
			text += fmt.Sprintf("  - {name: %s, %s}\n", d.name, d.rest)
		}
	}
	features := filepath.Join(root, "pipeline", "testdata", "reference", "features", "{scene}", "{image}.npz")
	text = strings.ReplaceAll(text, "ROOT/testdata/scenes", strconv.Quote(filepath.Join(root, "testdata", "scenes")))
	text = strings.ReplaceAll(text, "FEATURES", strconv.Quote(features))
	folder := t.TempDir()
	path := filepath.Join(folder, "reference.yaml")
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
	return must.Get(config.Load(path, config.Overrides{Set: append(set, "output.root="+folder)}))(t)
}

// A referenceRun is what a run wrote.
type referenceRun struct {
	metrics map[string][]scope.Metric // by descriptor
	summary store.Summary
}

func runReference(t *testing.T, cfg *config.Config, cache string) referenceRun {
	t.Helper()
	outcome, err := pipeline.Run(t.Context(), cfg, plan.Options{
		Jobs: 2, CacheDir: cache, Log: slog.New(slog.DiscardHandler),
	})
	must.Do(t, err)
	run := referenceRun{metrics: make(map[string][]scope.Metric)}
	err = store.ReadMetricsCSV(filepath.Join(outcome.Folder, "metrics.csv"), func(descriptor string, m scope.Metric) {
		run.metrics[descriptor] = append(run.metrics[descriptor], m)
	})
	must.Do(t, err)
	if run.summary, err = store.ReadSummary(filepath.Join(outcome.Folder, "summary.json")); err != nil {
		t.Fatal(err)
	}
	return run
}

// A referenceFigure is a value and the number of things behind it.
type referenceFigure struct {
	value float64
	n     int
}

// referenceFigures are those of one descriptor.
type referenceFigures struct {
	scopes    map[string]map[string]referenceFigure // by scope, by metric
	pairs     bool                                  // there are scopes of single pairs
	histogram []int64                               // processed queries by rank; nil in groups without ranks
}

// UnmarshalJSON reads {scope: {metric: [value, n]}, "histogram": [count]}.
func (f *referenceFigures) UnmarshalJSON(text []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	f.scopes = make(map[string]map[string]referenceFigure)
	for name, member := range members {
		if name == "histogram" {
			if err := json.Unmarshal(member, &f.histogram); err != nil {
				return err
			}
			continue
		}
		var figures map[string][2]float64
		if err := json.Unmarshal(member, &figures); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		f.pairs = f.pairs || isPair(name)
		f.scopes[name] = make(map[string]referenceFigure)
		for metric, v := range figures {
			f.scopes[name][metric] = referenceFigure{v[0], int(v[1])}
		}
	}
	return nil
}

func isPair(scope string) bool { return strings.HasPrefix(scope, "pair:") }

// figures returns what the run printed of a descriptor.
func (r referenceRun) figures(t *testing.T, descriptor string) referenceFigures {
	t.Helper()
	f := referenceFigures{scopes: make(map[string]map[string]referenceFigure)}
	for _, m := range r.metrics[descriptor] {
		if f.scopes[m.Scope] == nil {
			f.scopes[m.Scope] = make(map[string]referenceFigure)
		}
		if _, twice := f.scopes[m.Scope][m.Name]; twice {
			t.Errorf("%s: %s of %s is printed twice", descriptor, m.Name, m.Scope)
		}
		f.scopes[m.Scope][m.Name] = referenceFigure{m.Value, m.N}
	}
	return f
}

// compare demands that got has every figure of f, and no other ones: of the
// metrics that f has in some scope, or of all where f is complete; of single
// pairs where f has any.
func (f referenceFigures) compare(t *testing.T, descriptor string, got referenceFigures, complete bool) {
	t.Helper()
	var wrong []string
	report := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	known := make(map[string]bool)
	for scope, figures := range f.scopes {
		for name, want := range figures {
			known[name] = true
			have, ok := got.scopes[scope][name]
			switch {
			case !ok:
				report("%s of %s is not printed, want %v", name, scope, want.value)
			case !near(have.value, want.value):
				report("%s of %s is %v, want %v", name, scope, have.value, want.value)
			case have.n != want.n:
				report("%s of %s is over %d, want %d", name, scope, have.n, want.n)
			}
		}
	}
	if len(known) == 0 {
		t.Errorf("%s: the reference has no figures", descriptor)
	}
	for scope, figures := range got.scopes {
		if isPair(scope) && !f.pairs {
			continue
		}
		for name, have := range figures {
			if _, ok := f.scopes[scope][name]; !ok && (complete || known[name]) {
				report("%s of %s is %v, and undefined by the reference, testdata/reference/reference.py", name, scope, have.value)
			}
		}
	}
	slices.Sort(wrong)
	for i, w := range wrong {
		if i == 20 {
			t.Errorf("%s: and %d more", descriptor, len(wrong)-i)
			break
		}
		t.Errorf("%s: %s", descriptor, w)
	}
}

// near reports whether two figures agree; NaN agrees with nothing.
func near(a, b float64) bool {
	return math.Abs(a-b) <= referenceTolerance*math.Max(1, math.Abs(b))
}

// compareSummary compares summary.json with the figures.
func (r referenceRun) compareSummary(t *testing.T, descriptor string, f referenceFigures) {
	t.Helper()
	i := slices.IndexFunc(r.summary.Descriptors, func(d store.SummaryDescriptor) bool { return d.Name == descriptor })
	if i < 0 {
		t.Fatalf("%s: not in the summary", descriptor)
	}
	s := r.summary.Descriptors[i]
	if !slices.Equal(s.RankHistogram, f.histogram) {
		t.Errorf("%s: queries by rank are %v, want %v", descriptor, s.RankHistogram, f.histogram)
	}
	if want := []string{"i_synth_001", "i_synth_002", "v_synth_001", "v_synth_002"}; !slices.Equal(slices.Sorted(maps.Keys(s.Scenes)), want) {
		t.Errorf("%s: scenes in the summary are not %v", descriptor, want)
	}
	for name, scene := range s.Scenes {
		want := f.scopes["scene:"+name]
		for metric, got := range map[string]*float64{
			"true_map_micro": scene.TrueMAP, "true_map_micro_including_zeros": scene.TrueMAPIncludingZeros, "mean_precision": scene.Precision,
		} {
			if figure, defined := want[metric]; (got != nil) != defined || defined && !near(*got, figure.value) {
				t.Errorf("%s: %s of %s in the summary is not %v (%v)", descriptor, metric, name, figure.value, defined)
			}
		}
		for metric, got := range map[string]int{
			"total_queries_processed": scene.QueriesProcessed, "total_queries_excluded": scene.QueriesExcluded,
			"total_matches": scene.Matches, "total_keypoints": scene.Keypoints,
		} {
			if float64(got) != want[metric].value {
				t.Errorf("%s: %s of %s in the summary is %d, want %v", descriptor, metric, name, got, want[metric].value)
			}
		}
	}
}
