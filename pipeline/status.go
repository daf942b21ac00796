package pipeline

import "descbench/pipeline/plan"

// A Status describes the progress of a run folder.
type Status struct {
	Folder      string             `json:"folder"`
	Scenes      int                `json:"scenes"`
	Descriptors []DescriptorStatus `json:"descriptors"`
	Folded      bool               `json:"folded"` // results have been written
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
	for _, d := range p.Config.Descriptors {
		ds := DescriptorStatus{Name: d.Name}
		for _, scene := range p.Scenes {
			switch {
			case !plan.Missing(f.Eval(d.Name, scene)):
				ds.Done++
			case !plan.Missing(f.Failure(d.Name, scene)):
				var record plan.Failure
				if err := plan.ReadJSON(f.Failure(d.Name, scene), &record); err != nil {
					return nil, err
				}
				if ds.Failed == nil {
					ds.Failed = make(map[string]string)
				}
				ds.Failed[scene] = record.Reason
			default:
				ds.Missing = append(ds.Missing, scene)
			}
		}
		s.Descriptors = append(s.Descriptors, ds)
	}
	return s, nil
}
