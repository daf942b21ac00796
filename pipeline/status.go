package pipeline

import (
	"path/filepath"
	"slices"
	"time"

	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A Status describes the progress of a run folder.
type Status struct {
	Folder      string             `json:"folder"`
	Scenes      int                `json:"scenes"`
	Descriptors []DescriptorStatus `json:"descriptors"`
	Running     []RunningScene     `json:"running,omitempty"`
	// SecondsLeft estimates how long the units that are missing take the processes
	// that run now: from the measured times of the units that exist and the sizes of
	// the images. 0 if it is unknown.
	SecondsLeft float64 `json:"seconds_left,omitempty"`
	Folded      bool    `json:"folded"`               // results have been written
	Incomplete  string  `json:"incomplete,omitempty"` // why the run cannot be folded yet
	// Reevaluation is set if the folder holds the units of another run, evaluated
	// under other settings.
	Reevaluation *plan.Reevaluation `json:"reevaluation,omitempty"`
}

// A DescriptorStatus counts the finished, failed and missing scenes of one
// descriptor.
type DescriptorStatus struct {
	Name    string            `json:"name"`
	Done    int               `json:"done"`
	Failed  map[string]string `json:"failed,omitempty"` // scene: reason
	Missing []string          `json:"missing,omitempty"`
}

// A RunningScene is a scene that a process computes.
type RunningScene struct {
	Scene   string    `json:"scene"`
	Process string    `json:"process"` // "process 4711 on node3"
	Since   time.Time `json:"since"`
}

// ReadStatus returns the status of a run folder. It checks which units exist but
// does not read them.
func ReadStatus(path string) (*Status, error) {
	f := plan.Folder(path)
	p, err := f.Plan()
	if err != nil {
		return nil, err
	}
	s := &Status{Folder: path, Scenes: len(p.Scenes), Folded: !plan.Missing(f.Summary())}
	if s.Reevaluation, err = f.Reevaluation(); err != nil {
		return nil, err
	}
	for _, d := range p.Config.Descriptors {
		ds := DescriptorStatus{Name: d.Name}
		for _, scene := range p.Scenes {
			reason, failed, err := f.Failed(d.Name, scene)
			switch {
			case err != nil:
				return nil, err
			case !plan.Missing(f.Eval(d.Name, scene)):
				ds.Done++
			case failed:
				if ds.Failed == nil {
					ds.Failed = make(map[string]string)
				}
				ds.Failed[scene] = reason
			default:
				ds.Missing = append(ds.Missing, scene)
			}
		}
		s.Descriptors = append(s.Descriptors, ds)
	}
	if err := f.Complete(p); err != nil {
		s.Incomplete = err.Error()
	}
	if s.Running, err = runningScenes(p, f); err != nil {
		return nil, err
	}
	if workers := len(s.Running); workers > 0 {
		s.SecondsLeft, err = s.secondsOfWork(p, f)
		s.SecondsLeft /= float64(workers)
	}
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
		if scene := filepath.Base(by.Claim); slices.Contains(p.Scenes, scene) {
			running = append(running, RunningScene{scene, by.Process, by.Since})
		}
	}
	return running, nil
}

// secondsOfWork estimates the time that one process needs for the missing units: for
// each descriptor, the time that its existing units took, by the cost of their
// scenes. Descriptors without times take as long as the mean of the others.
func (s *Status) secondsOfWork(p *plan.Plan, f plan.Folder) (float64, error) {
	timings, _, err := f.Timings(p)
	if err != nil {
		return 0, err
	}
	took, scenes := make(map[string]float64), make(map[string][]string) // by descriptor
	for _, t := range timings {
		took[t.Descriptor] += t.Seconds
		if done := scenes[t.Descriptor]; len(done) == 0 || done[len(done)-1] != t.Scene {
			scenes[t.Descriptor] = append(done, t.Scene)
		}
	}
	known, rates := 0, 0.0 // descriptors, and their seconds for all scenes
	seconds, unknown := 0.0, 0.0
	for _, d := range s.Descriptors {
		missing := p.Cost(d.Missing)
		if took[d.Name] == 0 {
			unknown += missing
			continue
		}
		rate := took[d.Name] / p.Cost(scenes[d.Name])
		known++
		rates += rate
		seconds += missing * rate
	}
	if known == 0 {
		return 0, nil
	}
	return seconds + unknown*rates/float64(known), nil
}
