package compare

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
)

// A Method is a method with several settings: of the matcher, and for homographies of
// the estimator and its inlier threshold.
type Method struct {
	Name     string
	Settings []Setting // the best one first
	Scenes   int       // in which all settings have a value
	// Honest is the mean over scenes of the setting that is the best one in all other
	// scenes. The value of the best setting is the maximum over all of them, chosen by the
	// same scenes, and therefore too high on average. NaN with fewer than 2 scenes.
	Honest float64
	// Chosen is the number of different settings that are the best in all other scenes.
	Chosen int
}

// A Setting is one setting of a method.
type Setting struct {
	Descriptor string
	Estimator  string // "" unless the metric is of homographies by any estimator
	Value      float64

	scenes map[string]float64
}

// Best returns the methods of a run, each with its settings by a metric: descriptors
// that differ in nothing but the matcher are settings of one method. The metric
// homography_auc@K or homography_accuracy@K stands for those of all estimators. It also
// returns the metric, of several the first tolerant one. Only names descriptors whose methods are to be returned; nil: all.
func Best(run *fold.Run, metric string, only []string) ([]Method, *catalogue.Metric, error) {
	refuse := func(format string, args ...any) ([]Method, *catalogue.Metric, error) {
		return nil, nil, &config.Error{File: "--best-of " + metric, Msg: fmt.Sprintf(format, args...)}
	}
	if err := run.Compute(metric); err != nil {
		return nil, nil, err
	}
	cfg, has := run.Config, run.MetricNames()
	first, err := FindMetric(metric, run.Outcome)
	if err != nil {
		return refuse("%v", err)
	}
	estimators, figures := []string{""}, []string{sceneMetric(first)}
	switch open := catalogue.Of(metric); {
	case first.Estimator != "" && open.Open && open.Estimator == "":
		estimators, figures = nil, nil
		for _, e := range cfg.Evaluation.Estimators {
			if figure := open.By(e).Name; slices.Contains(has, figure) {
				estimators, figures = append(estimators, e), append(figures, figure)
			}
		}
	case first.Better == "" || open.Open:
		return refuse("want a metric of which higher or lower values are better, such as mma@3 or homography_auc@3")
	}
	if err := run.ReadMetrics(figures...); err != nil {
		return nil, nil, err
	}
	var methods []Method
	var firsts []config.Descriptor // the first one of each method
	for i, d := range cfg.Descriptors {
		var settings []Setting
		for j, e := range estimators {
			if s, ok := newSetting(run.Systems[i], e, figures[j]); ok {
				settings = append(settings, s)
			}
		}
		if settings == nil {
			continue
		}
		at := slices.IndexFunc(firsts, func(first config.Descriptor) bool { return sameMethod(cfg, d, first) })
		if at < 0 {
			at = len(methods)
			methods, firsts = append(methods, Method{}), append(firsts, d)
		}
		methods[at].Settings = append(methods[at].Settings, settings...)
	}
	methods = slices.DeleteFunc(methods, func(m Method) bool {
		return only != nil && !slices.ContainsFunc(m.Settings, func(s Setting) bool { return slices.Contains(only, s.Descriptor) })
	})
	if len(methods) == 0 {
		return nil, nil, run.Lacks("--best-of", metric, "")
	}
	for i := range methods {
		methods[i].choose(first.Lower())
	}
	return methods, first, nil
}

// newSetting returns a setting with the values of the metric in each scene.
func newSetting(from *fold.System, estimator, figure string) (s Setting, ok bool) {
	s = Setting{Descriptor: from.Own, Estimator: estimator, scenes: make(map[string]float64)}
	for m := range from.Metrics() {
		if scene := m.OfScene(); scene != "" && m.Name == figure && !math.IsNaN(m.Value) {
			s.scenes[scene] = m.Value
		}
	}
	return s, len(s.scenes) > 0
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
	return !slices.ContainsFunc(c.Setup(a).DifferencesFrom(c.Setup(b)), func(d config.Difference) bool { return d.Part != config.MatcherPart })
}

// choose sets everything but the settings, and sorts these.
func (m *Method) choose(lower bool) {
	scenes := slices.Sorted(maps.Keys(m.Settings[0].scenes))
	for _, s := range m.Settings[1:] {
		scenes = slices.DeleteFunc(scenes, func(name string) bool { _, there := s.scenes[name]; return !there })
	}
	m.Scenes, m.Name = len(scenes), m.name()
	for i := range m.Settings {
		m.Settings[i].Value = m.Settings[i].mean(scenes, "")
	}
	best := func(without string) Setting {
		return slices.MaxFunc(m.Settings, func(a, b Setting) int {
			c := cmp.Compare(a.mean(scenes, without), b.mean(scenes, without))
			if lower {
				c = -c
			}
			return c
		})
	}
	chosen := make(map[[2]string]bool)
	sum := 0.0
	for _, scene := range scenes {
		s := best(scene)
		chosen[[2]string{s.Descriptor, s.Estimator}] = true
		sum += s.scenes[scene]
	}
	m.Honest, m.Chosen = math.NaN(), len(chosen)
	if len(scenes) > 1 {
		m.Honest = sum / float64(len(scenes))
	}
	slices.SortStableFunc(m.Settings, func(a, b Setting) int {
		if lower {
			a, b = b, a
		}
		return cmp.Compare(b.Value, a.Value)
	})
}

// mean returns the mean over scenes, without one of them.
func (s Setting) mean(scenes []string, without string) float64 {
	sum, n := 0.0, 0.0
	for _, name := range scenes {
		if name != without {
			sum, n = sum+s.scenes[name], n+1
		}
	}
	return sum / n
}

// name returns what the names of a method's descriptors begin with.
func (m *Method) name() string {
	prefix := m.Settings[0].Descriptor
	for _, s := range m.Settings[1:] {
		for !strings.HasPrefix(s.Descriptor, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	if trimmed := strings.TrimRight(prefix, "-_./"); trimmed != "" {
		return trimmed
	}
	return m.Settings[0].Descriptor
}
