package pipeline

// A Status tells how far a run folder is.
type Status struct {
	Folder      string             `json:"folder"`
	Scenes      int                `json:"scenes"`
	Descriptors []DescriptorStatus `json:"descriptors"`
	Folded      bool               `json:"folded"` // results have been written
}

// A DescriptorStatus counts one descriptor's scenes.
type DescriptorStatus struct {
	Name    string            `json:"name"`
	Done    int               `json:"done"`
	Failed  map[string]string `json:"failed,omitempty"` // scene: reason
	Missing []string          `json:"missing,omitempty"`
}

// ReadStatus looks at the units of a run folder without opening them.
func ReadStatus(path string) (*Status, error) {
	f := folder{path}
	plan, err := f.plan()
	if err != nil {
		return nil, err
	}
	s := &Status{Folder: path, Scenes: len(plan.Scenes), Folded: !missing(f.summary())}
	for _, d := range plan.Config.Descriptors {
		ds := DescriptorStatus{Name: d.Name}
		for _, scene := range plan.Scenes {
			switch {
			case !missing(f.eval(d.Name, scene)):
				ds.Done++
			case !missing(f.failure(d.Name, scene)):
				var record failureRecord
				if err := readJSON(f.failure(d.Name, scene), &record); err != nil {
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
