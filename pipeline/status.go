package pipeline

import (
	"slices"

	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A Status describes the progress of a run folder.
type Status struct {
	Folder      string
	Database    string // that the config names
	Scenes      int
	Descriptors []DescriptorStatus
	Running     []*store.Holder // processes by the scenes that they compute, which are their claims
	Folded      bool            // results have been written and can be read
	Unusable    string          // why its results cannot be read
	Incomplete  string          // why the run cannot be folded yet
	// Reevaluation is set if the folder holds the units of another run, evaluated
	// under other settings.
	Reevaluation *plan.Reevaluation
}

// A DescriptorStatus counts the finished, failed and missing scenes of one
// descriptor.
type DescriptorStatus struct {
	Name    string
	Done    int
	Failed  map[string]string // scene: reason
	Missing []string
}

// ReadStatus returns the status of a run folder. It checks which units exist but
// does not read them.
func ReadStatus(path string) (*Status, error) {
	f := plan.Folder(path)
	p, err := f.Plan()
	if err != nil {
		return nil, err
	}
	s := &Status{Folder: path, Database: p.Config.Output.Database, Scenes: len(p.Scenes)}
	if !plan.Missing(f.Summary()) && !plan.Missing(f.Metrics()) {
		runs, err := fold.Open([]string{path}, nil)
		if s.Folded = err == nil; err == nil {
			err = fold.WithoutKeypoints(runs.Runs[0].Config, runs.Runs[0].Summary)
		}
		if err != nil {
			s.Unusable = err.Error()
		}
	}
	if s.Reevaluation, err = f.Reevaluation(); err != nil {
		return nil, err
	}
	units, err := f.Units(p)
	if err != nil {
		return nil, err
	}
	for _, d := range p.Config.Descriptors {
		ds := DescriptorStatus{Name: d.Name, Failed: make(map[string]string)}
		for _, scene := range p.Scenes {
			reason, failed := units.Failed(d.Name, scene)
			switch {
			case units.Has(units.Eval(d.Name), scene):
				ds.Done++
			case failed:
				ds.Failed[scene] = reason
			default:
				ds.Missing = append(ds.Missing, scene)
			}
		}
		s.Descriptors = append(s.Descriptors, ds)
	}
	if err := units.Complete(); err != nil {
		s.Incomplete = err.Error()
	}
	s.Running, err = running(p, f)
	return s, err
}

// running returns the processes that have claimed scenes of a plan.
func running(p *plan.Plan, f plan.Folder) ([]*store.Holder, error) {
	holders, err := f.Holders()
	return slices.DeleteFunc(holders, func(by *store.Holder) bool { return !slices.Contains(p.Scenes, by.Claim) }), err
}
