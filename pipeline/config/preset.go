package config

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"descbench/configs"
	"descbench/eval/fact"
	"descbench/eval/matching"
	"descbench/eval/spelling"
)

// Workbench is the preset of DescriptorWorkbench. It is none of Presets: it refuses other
// values of the keys that it sets.
const Workbench = "workbench"

// A Preset is the evaluation of a paper on HPatches or on pairs of images with cameras, as its
// authors' script does it: a file of configs/presets. Its keys are defaults; a run names what
// deviates.
type Preset struct {
	Name       string         `yaml:"-"`
	Paper      string         `yaml:"paper"`
	Repository string         `yaml:"repository"` // on GitHub
	Commit     string         `yaml:"commit"`
	Files      []string       `yaml:"files"`   // of the repository, which the preset follows
	Also       string         `yaml:"also"`    // further sources
	Pairs      int            `yaml:"pairs"`   // with cameras; 0: scenes of HPatches
	Sets       yaml.Node      `yaml:"sets"`    // values by key: dataset.subset: "108"; null: not set
	Metrics    []PresetMetric `yaml:"metrics"` // that the authors print
	Differs    []string       `yaml:"differs"` // what differs whatever the config says

	// DiffersBy says by key what also differs if the key has the preset's value.
	DiffersBy map[string][]string `yaml:"differs_by"`

	// PoseLib is what the preset says of estimators instead, if evaluation.own_estimators has poselib.
	PoseLib *PresetPoseLib `yaml:"poselib"`
}

// A PresetPoseLib is how the authors of a preset estimate by PoseLib.
type PresetPoseLib struct {
	Run        []string       `yaml:"run"` // after the path of Python
	Estimators yaml.Node      `yaml:"estimators"`
	Metrics    []PresetMetric `yaml:"metrics"`
	Differs    []string       `yaml:"differs"` // with these estimators
}

// A PresetMetric is a metric that the authors of a preset print.
type PresetMetric struct {
	Name  string `yaml:"name"`
	Title string `yaml:"title"` // theirs
	Paper string `yaml:"paper"` // as papers write it; "" for Title
}

// MetricOf returns the metric that the authors of the preset call by a title, or the title
// itself. The preset may be nil.
func (p *Preset) MetricOf(title string) string {
	if p != nil {
		for _, m := range p.Metrics {
			if strings.EqualFold(m.Title, strings.TrimSuffix(title, " %")) {
				return m.Name
			}
		}
	}
	return title
}

// Titles returns the titles of the metrics that the authors of the preset print. The preset may be nil.
func (p *Preset) Titles() (titles []string) {
	if p != nil {
		for _, m := range p.Metrics {
			titles = append(titles, m.Title)
		}
	}
	return titles
}

// Presets returns the presets of papers, sorted by name.
var Presets = sync.OnceValue(func() (all []Preset) {
	paths, err := fs.Glob(configs.Presets, "presets/*.yaml")
	for _, file := range paths {
		p := Preset{Name: strings.TrimSuffix(filepath.Base(file), ".yaml")}
		var text []byte
		if text, err = configs.Presets.ReadFile(file); err == nil {
			d := yaml.NewDecoder(bytes.NewReader(text))
			d.KnownFields(true)
			err = d.Decode(&p)
		}
		if err != nil {
			break
		}
		all = append(all, p)
	}
	if err != nil {
		panic(err) // they are part of the program
	}
	return all
})

// Preset returns the preset of a paper that the config names, nil without any.
func (c *Config) Preset() *Preset {
	return presetNamed(c.Evaluation.Preset, c.Commands()[poselib.Key()] != nil)
}

// poselib is the program by which presets estimate if they can.
var poselib = OwnEstimator{Name: "poselib"}

func presetNamed(name string, byPoseLib bool) *Preset {
	all := Presets()
	i := slices.IndexFunc(all, func(p Preset) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	p := all[i]
	if !byPoseLib {
		p.PoseLib = nil
	}
	if by := p.PoseLib; by != nil {
		const key = "evaluation.estimators"
		p.Sets.Content = slices.Clone(p.Sets.Content)
		p.Sets.Content[slices.IndexFunc(p.Sets.Content, func(n *yaml.Node) bool { return n.Value == key })+1] = &by.Estimators
		p.Metrics, p.DiffersBy = by.Metrics, maps.Clone(p.DiffersBy)
		p.DiffersBy[key] = by.Differs
	}
	return &p
}

// Source names where the preset's rules come from.
func (p *Preset) Source() string { return fmt.Sprintf("%s, commit %.7s", p.Repository, p.Commit) }

// Subset returns the value of dataset.subset that the preset sets.
func (p *Preset) Subset() string {
	if n := valueOf(&p.Sets, "dataset.subset"); n != nil {
		return n.Value
	}
	return "all"
}

func presetNames() []string {
	return append([]string{Workbench}, spelling.Words(Presets(), func(p Preset) string { return p.Name })...)
}

// applyPreset gives the keys of a preset of a paper its values, where the config has
// none. A preset that overrides the file replaces the file's values.
func (d *decoder) applyPreset(root *yaml.Node) {
	name := valueAt(root, "evaluation.preset")
	if name == nil || name.Kind != yaml.ScalarNode {
		return
	}
	own := valueAt(root, "evaluation.own_estimators")
	p := presetNamed(name.Value, own != nil && slices.ContainsFunc(own.Content, func(o *yaml.Node) bool {
		at := valueAt(o, "name")
		return at != nil && at.Value == poselib.Name
	}))
	if p == nil {
		return
	}
	for i := 0; i < len(p.Sets.Content); i += 2 {
		key, value := p.Sets.Content[i].Value, p.Sets.Content[i+1]
		section, rest, _ := strings.Cut(key, ".")
		given := valueAt(root, key)
		scenes := valueAt(root, "dataset.scenes")
		switch {
		case isNull(value), given != nil && (d.origin[name] == "" || d.origin[given] != ""):
			continue
		case key == "dataset.subset" && scenes != nil && !isNull(scenes) && len(scenes.Content)+len(scenes.Value) > 0:
			continue
		}
		within := valueOf(root, section)
		if within == nil {
			within = &yaml.Node{Kind: yaml.MappingNode}
			d.put(root, section, within, "preset "+p.Name)
		}
		if within.Kind == yaml.MappingNode {
			value := d.copyOf(value)
			d.originOf(value, "preset "+p.Name)
			d.keepOverrides(given, value)
			d.put(within, rest, value, "")
		}
	}
}

// keepOverrides copies what overrides set in a mapping of the file to the mapping that
// replaces it.
func (d *decoder) keepOverrides(given, value *yaml.Node) {
	if given == nil || given.Kind != yaml.MappingNode || value.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i < len(given.Content); i += 2 {
		if key, of := given.Content[i], given.Content[i+1]; d.origin[of] != "" {
			d.put(value, key.Value, of, d.origin[of])
		}
	}
}

// valueAt returns the value of a setting such as dataset.root, nil if there is none.
func valueAt(n *yaml.Node, setting string) *yaml.Node {
	for key := range strings.SplitSeq(setting, ".") {
		if n == nil || n.Kind != yaml.MappingNode {
			return nil
		}
		n = valueOf(n, key)
	}
	return n
}

// PresetDeviations tells which keys have other values than the preset of a paper, and what differs
// from its authors' code whatever the config says.
func (c *Config) PresetDeviations() (out []fact.Fact) {
	p := c.Preset()
	if p == nil {
		return nil
	}
	deviation := func(key, ours, published string) {
		out = append(out, fact.New(fact.Deviation).Naming("key", key).Naming("ours", ours).Naming("published", published))
	}
	size := func(r *Resize) string {
		if r == nil {
			return "as stored"
		}
		return r.String()
	}
	ours, theirs := *c, defaults()
	if ours.Evaluation.Matcher == nil {
		ours.Evaluation.Matcher = new(matching.Mutual)
	}
	var keys []string
	shape := codec(allSections(theirs))
	for i := 0; i < len(p.Sets.Content); i += 2 {
		key, value := p.Sets.Content[i].Value, p.Sets.Content[i+1]
		if section, rest, _ := strings.Cut(key, "."); !isNull(value) {
			child(child(shape, section), rest).decode(newDecoder("", ""), key, value)
		}
		if key != "dataset.subset" || len(c.Dataset.Scenes) == 0 {
			keys = append(keys, key)
		}
	}
	for _, usual := range []string{"evaluation.tolerance_px", "evaluation.shared_top_k", "evaluation.shared_region"} { // of scripts whose presets do not set them
		if !slices.Contains(keys, usual) {
			keys = append(keys, usual)
		}
	}
	differs := make(map[string]bool) // keys with another value
	got, want := allSections(&ours).encode(results), shape.encode(results)
	for _, key := range keys {
		for _, c := range diff(key, valueAt(got, key), valueAt(want, key)) {
			differs[key] = true
			deviation(c.Key, strings.ReplaceAll(c.Was, `"`, ""), strings.ReplaceAll(c.Is, `"`, ""))
			if c.Key == "dataset.resize" { // as a whole
				out[len(out)-1] = out[len(out)-1].Naming("sizes", size(ours.Dataset.Resize), size(theirs.Dataset.Resize))
			}
		}
	}
	for _, set := range c.KeypointSets {
		if set.Detect != nil && set.Border != nil && set.Border.Px > 0 { // no script drops keypoints near the border
			deviation(set.key("border"), fmt.Sprintf("%g px", set.Border.Px), "0")
		}
	}
	for _, d := range c.Descriptors {
		if n := c.Evaluation.SharedTopK; d.Matches != nil && n > 0 {
			out = append(out, fact.New(fact.NotRestricted).Naming("key", d.key("matches")).With("n", float64(n)))
		}
	}
	if p.PoseLib != nil {
		if run := c.Commands()[poselib.Key()].Run[1:]; !slices.Equal(run, p.PoseLib.Run) {
			deviation(poselib.Key()+".run", strings.Join(run, " "), strings.Join(p.PoseLib.Run, " "))
		}
	}
	matcher := theirs.Evaluation.Matcher
	for _, d := range c.Descriptors {
		switch m := c.MatcherOf(d); {
		case matcher == nil:
		case d.Matches != nil:
			if m.TopK != matcher.TopK {
				deviation(d.key("matcher.top_k"), bestMatches(m.TopK), bestMatches(matcher.TopK))
			}
		case d.Matcher != nil && m != *matcher:
			deviation(d.key("matcher"), m.String(), matcher.String())
		}
	}
	notes := slices.Clone(p.Differs)
	for _, key := range slices.Sorted(maps.Keys(p.DiffersBy)) {
		if !differs[key] {
			notes = append(notes, p.DiffersBy[key]...)
		}
	}
	for _, note := range notes {
		out = append(out, fact.New(fact.PresetDiffers).Naming("preset", p.Name).Naming("note", note))
	}
	return out
}

func bestMatches(topK int) string {
	if topK == 0 {
		return "all matches"
	}
	return fmt.Sprintf("the best %d", topK)
}
