package patchbench

import (
	"fmt"

	"descbench/pipeline"
)

func dataErrorf(format string, args ...any) error {
	return &pipeline.DataError{Err: fmt.Errorf(format, args...)}
}

// place marks an error of reading or writing as a fault of the place.
func place(err error) error {
	if err == nil {
		return nil
	}
	return &pipeline.DataError{Err: err}
}
