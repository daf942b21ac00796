package plan

import "fmt"

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
