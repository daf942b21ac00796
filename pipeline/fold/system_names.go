package fold

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
)

// Find returns the system that the value of a flag names: RUN:NAME, or NAME, in the first
// run that has one. NAME is that in the run or the one to show.
func (all *Runs) Find(flag, name string) (*System, error) {
	var names []string
	var first *System
	as := all.as(name)
	for _, s := range all.Systems {
		names = append(names, s.Name)
		switch {
		case as == s.Name, as == s.Run.Label+":"+s.Descriptor, as == s.Run.Label+":"+s.Own:
			return s, nil
		case (as == s.Descriptor || as == s.Own) && first == nil:
			first = s
		}
	}
	if first == nil {
		return nil, &MissingError{flag, &config.Error{File: flag + " " + name, Msg: fmt.Sprintf("no descriptor %q%s, want one of %s", name, spelling.Hint(name, names), strings.Join(names, ", "))}}
	}
	return first, nil
}

// as returns a name as the systems have it, whatever its capital letters are.
func (all *Runs) as(name string) string {
	var names []string
	for _, s := range all.Systems {
		names = append(names, s.Name, s.Descriptor, s.Own, s.Run.Label+":"+s.Descriptor, s.Run.Label+":"+s.Own)
	}
	return spelling.As(name, names)
}

// A MissingError reports that no run has a descriptor that a flag names.
type MissingError struct {
	Flag  string // such as --only
	fault *config.Error
}

func (e *MissingError) Error() string { return e.fault.Error() }

// Unwrap returns the error about the flag.
func (e *MissingError) Unwrap() error { return e.fault }

// Named returns the systems that the values of a flag name, each once: RUN:NAME, or NAME in every
// run that has one; if no system has it, those whose names match it as a pattern, then those on
// keypoint sets of such names.
func (all *Runs) Named(flag string, names []string) (named []*System, err error) {
	for _, name := range names {
		first, unknown := all.Find(flag, name)
		name = all.as(name)
		var found, onSets []*System
		for _, s := range all.Systems {
			run := s.Run.Label + ":"
			like := func(texts ...string) bool { return unknown != nil && spelling.Matching(name, texts) != nil }
			switch {
			case s == first, s.Descriptor == name, s.Own == name, like(s.Descriptor, s.Own, run+s.Descriptor, run+s.Own):
				found = append(found, s)
			case like(s.Keypoints, run+s.Keypoints):
				onSets = append(onSets, s)
			}
		}
		if found == nil {
			found = onSets
		}
		if found == nil {
			return nil, unknown
		}
		named = append(named, slices.DeleteFunc(found, func(s *System) bool { return slices.Contains(named, s) })...)
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
