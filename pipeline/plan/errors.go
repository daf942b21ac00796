package plan

import (
	"fmt"
	"slices"
	"strings"
)

// A DataError is a fault of the data set or of the place where results go, as
// opposed to one of the user's input or of the program.
type DataError struct{ Err error }

func (e *DataError) Error() string { return e.Err.Error() }

func (e *DataError) Unwrap() error { return e.Err }

// Fault returns err as a DataError; nil stays nil.
func Fault(err error) error {
	if err == nil {
		return nil
	}
	return &DataError{err}
}

// Faultf returns a formatted DataError.
func Faultf(format string, args ...any) error { return &DataError{fmt.Errorf(format, args...)} }

// A FailedScenesError tells that the run finished, but that its results do not
// cover every scene asked for.
type FailedScenesError struct {
	Requested int
	Failed    map[string]string // scene: reason
}

func (e *FailedScenesError) Error() string {
	names := make([]string, 0, len(e.Failed))
	for name := range e.Failed {
		names = append(names, name)
	}
	slices.Sort(names)
	return fmt.Sprintf("%d of %d scenes failed: %s", len(names), e.Requested, strings.Join(names, ", "))
}

// All reports whether not a single scene was evaluated.
func (e *FailedScenesError) All() bool { return len(e.Failed) == e.Requested }
