package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
)

// A Method is a method with several settings: of the matcher, and of the estimator and its
// inlier threshold.
type Method struct {
	Name     string
	Settings []Setting // the best one first
	Scenes   int       // in which all settings have a value
	Groups   int       // of these scenes
	Means    bool      // values are means over scenes, since those over all pairs are not known for parts
	// Honest is the value if each group of scenes is measured with the setting that is the best
	// one in all others. The value of the best setting is the maximum over all of them, chosen by
	// the same scenes, and therefore too high on average. NaN with fewer than 2 groups.
	Honest float64
	// Chosen is the number of different settings that are the best in all other groups.
	Chosen int
}

// A Setting is one setting of a method.
type Setting struct {
	Descriptor string
	Estimator  string // "" unless the metric is by any estimator
	Value      float64

	values *Descriptor
}

// Best returns the methods of a run, each with its settings by a metric: descriptors
// that differ in nothing but the matcher are settings of one method. A metric without an estimator,
// such as homography_auc@3 or pose_auc@5, stands for those of all estimators. It also
// returns the metric, of several the first tolerant one. Only names descriptors whose methods are to be returned; nil: all.
func Best(run *fold.Run, metric string, only []string) ([]Method, *catalogue.Metric, error) {
	refuse := func(format string, args ...any) ([]Method, *catalogue.Metric, error) {
		return nil, nil, &config.Error{File: "--best-of " + metric, Msg: fmt.Sprintf(format, args...)}
	}
	if err := run.Compute(metric); err != nil {
		return nil, nil, err
	}
	cfg, has := run.Config, run.MetricNames()
	first, err := FindMetric(metric, run)
	if err != nil {
		return refuse("%v", err)
	}
	estimators, metrics := []string{""}, []*catalogue.Metric{first}
	switch open := catalogue.Of(metric); {
	case first.Estimator != "" && open.Open && open.Estimator == "":
		estimators, metrics = nil, nil
		for _, e := range cfg.Evaluation.Estimators {
			if by := open.By(e); slices.Contains(has, by.Name) {
				estimators, metrics = append(estimators, e), append(metrics, by)
			}
		}
	case first.Better == "" || open.Open:
		return refuse("want a metric of which higher or lower values are better, such as mma@3 or homography_auc@3")
	}
	settings := make([][]Setting, len(cfg.Descriptors))
	for i, m := range metrics {
		if err := run.ReadMetrics(sceneMetric(m)); err != nil {
			return nil, nil, err
		}
		list, err := comparedRun(run, scope.All, "--best-of", sceneMetric(m))
		if err != nil {
			return nil, nil, err
		}
		for k, d := range list {
			if len(d.defined()) > 0 {
				settings[k] = append(settings[k], Setting{Descriptor: d.System.Own, Estimator: estimators[i], values: d})
			}
		}
	}
	var methods []Method
	var firsts []config.Descriptor // the first one of each method
	for i, d := range cfg.Descriptors {
		if settings[i] == nil {
			continue
		}
		at := slices.IndexFunc(firsts, func(first config.Descriptor) bool { return sameMethod(cfg, d, first) })
		if at < 0 {
			at = len(methods)
			methods, firsts = append(methods, Method{}), append(firsts, d)
		}
		methods[at].Settings = append(methods[at].Settings, settings[i]...)
	}
	methods = slices.DeleteFunc(methods, func(m Method) bool {
		return only != nil && !slices.ContainsFunc(m.Settings, func(s Setting) bool { return slices.Contains(only, s.Descriptor) })
	})
	if len(methods) == 0 {
		return nil, nil, run.Lacks("--best-of", metric, "")
	}
	for i := range methods {
		methods[i].choose(first)
	}
	return methods, first, nil
}

// sameMethod reports whether two descriptors differ in nothing but the matcher. What
// depends on files or on other descriptors, which set-ups do not have, differs.
func sameMethod(c *config.Config, a, b config.Descriptor) bool {
	if a.Matches != nil || a.File != nil || a.Command != nil || a.Fusion != nil {
		return false
	}
	if set := c.SetOf(a); set != c.SetOf(b) && c.Graph().Reaches(set, func(s *config.KeypointSet) bool { return s.Import != nil }) {
		return false
	}
	return !slices.ContainsFunc(c.Setup(a).DifferencesFrom(c.Setup(b)), func(d config.Change) bool { return !within(d.Key, config.MatcherPart) })
}

// choose sets everything but the settings, and sorts these.
func (m *Method) choose(metric *catalogue.Metric) {
	scenes := m.Settings[0].values.defined()
	canPool := metric.Scene == ""
	for _, s := range m.Settings {
		scenes = slices.DeleteFunc(scenes, func(name string) bool { return !slices.Contains(s.values.defined(), name) })
		canPool = canPool && s.values.canPool(metric)
	}
	value := func(d *Descriptor) func(times []uint8) float64 {
		if canPool {
			return d.pooled(metric, scenes)
		}
		return d.mean(scenes, func(SceneValue) float64 { return 1 })
	}
	of := make([]func([]uint8) float64, len(m.Settings))
	groups, clusters := make([]string, len(scenes)), make(map[string]bool)
	for i, s := range m.Settings {
		of[i] = value(s.values)
		m.Settings[i].Value = of[i](nil)
	}
	for i, scene := range scenes {
		groups[i] = scope.Group(scene)
		clusters[groups[i]] = true
	}
	left := &Descriptor{Scenes: make(map[string]SceneValue)} // each scene by the setting of its group
	chosen := make(map[int]bool)
	for group := range clusters {
		times := make([]uint8, len(scenes))
		for i := range scenes {
			if groups[i] != group {
				times[i] = 1
			}
		}
		best, highest := 0, math.Inf(-1)
		for i, value := range of {
			v := value(times)
			if metric.Lower() {
				v = -v
			}
			if v > highest {
				best, highest = i, v
			}
		}
		chosen[best] = true
		for i, scene := range scenes {
			if groups[i] == group {
				left.Scenes[scene] = m.Settings[best].values.Scenes[scene]
			}
		}
	}
	m.Scenes, m.Groups, m.Name, m.Chosen, m.Honest = len(scenes), len(clusters), m.name(), len(chosen), math.NaN()
	m.Means = metric.Scene == "" && !canPool
	if m.Groups > 1 {
		m.Honest = value(left)(nil)
	}
	slices.SortStableFunc(m.Settings, func(a, b Setting) int {
		if metric.Lower() {
			a, b = b, a
		}
		return cmp.Compare(b.Value, a.Value)
	})
}

// name returns what the names of a method's descriptors begin with.
func (m *Method) name() string {
	prefix := m.Settings[0].Descriptor
	for _, s := range m.Settings[1:] {
		for !strings.HasPrefix(s.Descriptor, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	for prefix != "" && strings.ContainsRune("-_./", rune(prefix[len(prefix)-1])) {
		prefix = prefix[:len(prefix)-1]
	}
	return cmp.Or(prefix, m.Settings[0].Descriptor)
}
