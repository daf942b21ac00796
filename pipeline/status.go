package pipeline

import (
	"path/filepath"
	"slices"
	"time"

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
	Running     []RunningScene
	Folded      bool   // results have been written and can be read
	Unusable    string // why its results cannot be read
	Incomplete  string // why the run cannot be folded yet
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

// A RunningScene is a scene that a process computes.
type RunningScene struct {
	Scene   string
	Process string // "process 4711 of alice on node3"
	Since   time.Time
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
	s.Running, err = runningScenes(p, f)
	return s, err
}

// runningScenes returns the scenes that processes have claimed.
func runningScenes(p *plan.Plan, f plan.Folder) ([]RunningScene, error) {
	holders, err := store.Holders(filepath.Dir(f.Claim("any")), plan.ClaimLife)
	if err != nil {
		return nil, plan.Fault(err)
	}
	var running []RunningScene
	for _, by := range holders {
		if i := slices.IndexFunc(p.Scenes, func(scene string) bool { return f.Claim(scene) == by.Claim }); i >= 0 {
			running = append(running, RunningScene{p.Scenes[i], by.Process, by.Since})
		}
	}
	return running, nil
}
