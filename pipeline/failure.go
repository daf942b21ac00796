package pipeline

import "strings"

// A failureRecord stands in the place of a unit that could not be computed.
type failureRecord struct {
	Reason string `json:"reason"`
}

// complete fails unless every unit of the plan is there or recorded as failed.
func complete(f folder, plan *Plan) error {
	var open []string
	for _, scene := range plan.Scenes {
		for _, d := range plan.Config.Descriptors {
			if missing(f.eval(d.Name, scene)) && missing(f.failure(d.Name, scene)) {
				open = append(open, scene)
				break
			}
		}
	}
	if len(open) == 0 {
		return nil
	}
	return dataErrorf("%s: run incomplete: %d of %d scenes evaluated, missing %s; run the missing shards, or the same run again, then fold",
		f.path, len(plan.Scenes)-len(open), len(plan.Scenes), strings.Join(open, ", "))
}

// failed reports whether a scene is recorded as failed for every descriptor.
func (f folder) failed(plan *Plan, scene string) bool {
	for _, d := range plan.Config.Descriptors {
		if missing(f.failure(d.Name, scene)) {
			return false
		}
	}
	return len(plan.Config.Descriptors) > 0
}
