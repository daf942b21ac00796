package plan

import (
	"errors"
	"io/fs"
	"strings"
)

// A Failure replaces a unit that could not be computed.
type Failure struct {
	Reason string `json:"reason"`
}

// Complete returns an error unless every unit of the plan exists or is recorded
// as failed.
func Complete(f Folder, plan *Plan) error {
	var open []string
	for _, scene := range plan.Scenes {
		for _, d := range plan.Config.Descriptors {
			if Missing(f.Eval(d.Name, scene)) && Missing(f.Failure(d.Name, scene)) {
				open = append(open, scene)
				break
			}
		}
	}
	if len(open) == 0 {
		return nil
	}
	return Faultf("%s: run incomplete: %d of %d scenes evaluated, missing %s; run the missing shards or rerun the same command, then fold",
		string(f), len(plan.Scenes)-len(open), len(plan.Scenes), strings.Join(open, ", "))
}

// Failed returns the reason why a scene is recorded as failed for every
// descriptor, or "" if it is not.
func (f Folder) Failed(plan *Plan, scene string) (reason string, err error) {
	for _, d := range plan.Config.Descriptors {
		var record Failure
		if err := ReadJSON(f.Failure(d.Name, scene), &record); errors.Is(err, fs.ErrNotExist) {
			return "", nil
		} else if err != nil {
			return "", err
		}
		reason = record.Reason
	}
	return reason, nil
}
