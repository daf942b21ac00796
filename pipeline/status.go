package pipeline

import "descbench/pipeline/plan"

// A Status describes the progress of a run folder.
type Status struct {
	Folder      string             `json:"folder"`
	Scenes      int                `json:"scenes"`
	Descriptors []DescriptorStatus `json:"descriptors"`
	Folded      bool               `json:"folded"`               // results have been written
	Incomplete  string             `json:"incomplete,omitempty"` // why the run cannot be folded yet
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
	return s, nil
}
