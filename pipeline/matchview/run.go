package matchview

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"descbench/eval"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A View reads the records of folded runs.
type View struct {
	Systems []*System // in the order of the runs and their configs
	runs    []*run
}

// A System is a descriptor of one of the runs.
type System struct {
	fold.System
	run *run
}

// run is a run folder with what is needed to judge its queries.
type run struct {
	folder plan.Folder
	plan   *plan.Plan
	units  plan.Units
	rules  eval.Options
	seed   uint64
}

// Open opens the folders of folded runs.
func Open(folders []string) (*View, error) {
	labels, err := fold.Labels(folders)
	if err != nil {
		return nil, err
	}
	v := new(View)
	descriptors := make([][]string, len(folders))
	for i, path := range folders {
		f := plan.Folder(path)
		if plan.Missing(f.Summary()) && f.IsRun() {
			return nil, plan.Faultf("%s: no results yet; see descbench status %s", path, path)
		}
		p, err := f.Plan()
		if err != nil {
			return nil, err
		}
		units, err := f.Units()
		if err != nil {
			return nil, err
		}
		v.runs = append(v.runs, &run{folder: f, plan: p, units: units, rules: fold.Options(p.Config.Evaluation)})
		for _, d := range p.Config.Descriptors {
			descriptors[i] = append(descriptors[i], d.Name)
		}
	}
	names := fold.Systems(labels, descriptors)
	for i, r := range v.runs {
		for range descriptors[i] {
			v.Systems = append(v.Systems, &System{names[len(v.Systems)], r})
		}
	}
	return v, nil
}

// Find returns the system of a name, NAME or RUN:NAME. option is the flag that names
// it, for the error.
func (v *View) Find(option, name string) (*System, error) {
	var names []string
	for _, s := range v.Systems {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	hint := ""
	if near := spelling.Nearest(name, names); near != "" {
		hint = fmt.Sprintf(" (did you mean %s?)", near)
	}
	return nil, &config.Error{File: option + " " + name, Msg: fmt.Sprintf("no descriptor %q%s, want one of %s", name, hint, strings.Join(names, ", "))}
}

// Scenes returns the names of the scenes of the system's run, sorted.
func (s *System) Scenes() []string { return s.run.plan.Scenes }

// errNoRecords marks errors about scenes that failed or lack their unit.
var errNoRecords = errors.New("no records")

// records returns the records of each pair of a scene. The error is errNoRecords if
// the scene failed.
func (s *System) records(scene string) ([]eval.Records, error) {
	f := s.run.folder
	path := f.Eval(s.Descriptor, scene)
	file, err := s.run.units.Of(path, scene)
	var unit store.EvalUnit
	if err == nil {
		unit, err = store.ReadEval(file)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s, %s: %w", s.Name, scene, errNoRecords)
	}
	if err != nil {
		return nil, plan.Recreate(err)
	}
	var all []eval.Records
	err = fold.EachPair(unit, func(r eval.Records) error {
		all = append(all, r)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// checkScene returns an error if the run has no scene of the name.
func (r *run) checkScene(option, scene string) error {
	for _, name := range r.plan.Scenes {
		if name == scene {
			return nil
		}
	}
	hint := ""
	if near := spelling.Nearest(scene, r.plan.Scenes); near != "" {
		hint = ", did you mean " + near + "?"
	}
	return &config.Error{File: option, Msg: fmt.Sprintf("no scene %q in %s%s", scene, string(r.folder), hint)}
}
