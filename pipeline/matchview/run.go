package matchview

import (
	"errors"
	"io/fs"

	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/pipeline/fold"
)

// A View reads the records of folded runs.
type View struct {
	Systems []*System // in the order of the runs and their configs
	Data    string    // folder of the scenes; "" for that of each run
	runs    *fold.Runs
}

// A System is a descriptor of one of the runs, with the rules that judge its queries.
type System struct {
	*fold.System
	rules ranking.Options
	view  *View
}

// Open opens the folders of folded runs.
func Open(folders []string) (*View, error) {
	runs, err := fold.Open(folders)
	if err != nil {
		return nil, err
	}
	return Of(runs), nil
}

// Of returns the view of open runs.
func Of(runs *fold.Runs) *View {
	v := &View{runs: runs}
	for _, s := range runs.Systems {
		v.Systems = append(v.Systems, &System{s, fold.Options(s.Run.Config.Evaluation), v})
	}
	return v
}

// Find returns the system of a name, NAME or RUN:NAME. option is the flag that names
// it, for the error.
func (v *View) Find(option, name string) (*System, error) {
	s, err := v.runs.Find(option, name)
	if err != nil {
		return nil, err
	}
	return v.Systems[s.Index], nil
}

// records returns the records of each pair of a scene, nil if the scene failed or lacks its
// unit.
func (s *System) records(scene string) ([]record.Records, error) {
	records, err := s.Records(scene)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return records, err
}
