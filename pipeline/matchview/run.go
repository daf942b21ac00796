package matchview

import (
	"errors"
	"io/fs"

	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/pipeline/fold"
)

// A System is a descriptor of an open run, with the rules that judge its queries.
type System struct {
	*fold.System
	rules ranking.Options
	data  string // folder of the scenes; "" for that of the run
}

// Of returns the systems of open runs, whose scenes are in the folder data, or with "" where
// each run had them.
func Of(runs *fold.Runs, data string) (all []*System) {
	for _, s := range runs.Systems {
		all = append(all, &System{s, fold.Options(s.Run.Config.Evaluation), data})
	}
	return all
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
