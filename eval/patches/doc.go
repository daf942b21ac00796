// Package patches reads the data of the HPatches patch benchmark (Balntas,
// Lenc, Vedaldi, Mikolajczyk, CVPR 2017): descriptors of the patches, names of
// patches, patch strips. The benchmark's tasks stand on it: package tasks holds
// those of 2017, package original those of 2016 with their result files.
//
// A sequence (v_wall) has a reference image (ref) and, per noise level (e, h,
// t: easy, hard, tough), images 1 to 5. Patch n of each image shows the same
// place.
package patches

import "descbench/eval/patches/internal/text"

// A Fault is what is wrong with a file of the benchmark: file, line, reason.
type Fault = text.Fault

// An OptionError is an option that does not fit the data: no such split, a
// distance that the descriptors do not have.
type OptionError struct{ Reason string }

// Error returns the reason.
func (e *OptionError) Error() string { return e.Reason }
