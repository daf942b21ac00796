package fold

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/fact"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
)

// Find returns the system that the value of a flag names: RUN:NAME, or NAME, in the first
// run that has one. NAME is that in the run or the one to show.
func (all *Runs) Find(flag, name string) (*System, error) {
	var names []string
	var first *System
	for _, s := range all.Systems {
		names = append(names, s.Name)
		switch {
		case name == s.Name, name == s.Run.Label+":"+s.Descriptor, name == s.Run.Label+":"+s.Own:
			return s, nil
		case (name == s.Descriptor || name == s.Own) && first == nil:
			first = s
		}
	}
	if first == nil {
		return nil, &config.Error{File: flag + " " + name, Msg: fmt.Sprintf("no descriptor %q%s, want one of %s", name, spelling.Hint(name, names), strings.Join(names, ", "))}
	}
	return first, nil
}

// Named returns the systems that the values of a flag name: RUN:NAME, or NAME in every run
// that has one. If no system has it, NAME is that of a keypoint set.
func (all *Runs) Named(flag string, names []string) (named []*System, err error) {
	for _, name := range names {
		first, unknown := all.Find(flag, name)
		before := len(named)
		for _, s := range all.Systems {
			if s == first || s.Descriptor == name || s.Own == name || unknown != nil && (s.Keypoints == name || s.Run.Label+":"+s.Keypoints == name) {
				named = append(named, s)
			}
		}
		if len(named) == before {
			return nil, unknown
		}
	}
	return named, nil
}

// Show names the systems for a text in which these are shown. A name that two of them have
// begins with that of the run; so does that of another system, if any has it.
func (all *Runs) Show(shown []*System) {
	for _, s := range all.Systems {
		others := shown
		if !slices.Contains(shown, s) {
			others = all.Systems
		}
		s.Name = s.Own
		if slices.ContainsFunc(others, func(o *System) bool { return o != s && o.Own == s.Own }) {
			s.Name = s.Run.Label + ":" + s.Own
		}
	}
}

// Renamed returns the outcome with the names that are shown, without those of runs. It is for
// tables and captions: no file has these names.
func (o *Outcome) Renamed() *Outcome {
	out, c, s := *o, *o.Config, *o.Summary
	out.Config, out.Summary, out.shown = &c, &s, make(map[string]string)
	for _, d := range c.Descriptors {
		out.shown[d.Name] = c.Shown(d)
	}
	c.Descriptors, s.Descriptors, s.Warnings, out.Timings = slices.Clone(c.Descriptors), slices.Clone(s.Descriptors), slices.Clone(s.Warnings), slices.Clone(o.Timings)
	for i, d := range c.Descriptors {
		c.Descriptors[i].Name, c.Descriptors[i].Label = out.Shown(d.Name), ""
		if f := d.Fusion; f != nil {
			c.Descriptors[i].Fusion = &config.Fusion{Of: slices.Clone(f.Of), Aggregate: f.Aggregate, Weights: f.Weights}
			for j, part := range f.Of {
				c.Descriptors[i].Fusion.Of[j] = out.Shown(part)
			}
		}
	}
	for i, d := range s.Descriptors {
		s.Descriptors[i].Name = out.Shown(d.Name)
	}
	s.Warnings = append(fact.Without(s.Warnings, fact.OtherWindows), config.Windows(c.Descriptors)...)
	for i, f := range s.Warnings {
		s.Warnings[i].Descriptor = out.Shown(f.Descriptor)
	}
	for i, t := range out.Timings {
		out.Timings[i].Descriptor = out.Shown(t.Descriptor)
	}
	return &out
}

// Shown returns the name under which a descriptor of the run's files is shown.
func (o *Outcome) Shown(descriptor string) string { return cmp.Or(o.shown[descriptor], descriptor) }

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
