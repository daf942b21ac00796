package plan

import (
	"errors"
	"fmt"

	"descbench/eval/spelling"
)

// A DataError reports bad data or a bad environment: a problem with the data set
// or with the output location, not with the user's input or the program.
type DataError struct{ Err error }

func (e *DataError) Error() string { return e.Err.Error() }

func (e *DataError) Unwrap() error { return e.Err }

// ErrWithoutUnits is the error about a folder that was shared without its units.
var ErrWithoutUnits = errors.New("has results, but not the units that they were computed from")

// Fault wraps err in a DataError. It returns nil for nil.
func Fault(err error) error {
	if err == nil {
		return nil
	}
	return &DataError{err}
}

// Faultf returns a formatted DataError.
func Faultf(format string, args ...any) error { return &DataError{fmt.Errorf(format, args...)} }

// A FailedScenesError reports that a run finished, but that some of the
// requested scenes failed and are not in its results.
type FailedScenesError struct {
	Requested int
	Failed    map[string]string // scene: reason
	Partly    bool              // some descriptor has results
	Without   []string          // descriptors without any results
}

func (e *FailedScenesError) Error() string {
	text := fmt.Sprintf("%d of %s failed", len(e.Failed), spelling.Count(e.Requested, "scene"))
	if e.Partly && len(e.Without) > 0 {
		text += "; no results of " + spelling.Few(e.Without, 6)
	}
	return text
}

// All reports whether every requested scene failed for every descriptor.
func (e *FailedScenesError) All() bool { return len(e.Failed) == e.Requested && !e.Partly }
