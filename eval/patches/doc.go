// Package patches reads the data of the HPatches patch benchmark (Balntas, Lenc,
// Vedaldi, Mikolajczyk, CVPR 2017): patch descriptors, patch names and patch strips.
// The benchmark's tasks are built on it: package y2017 evaluates the tasks of 2017,
// package y2016 the tasks of 2016 with their result files.
//
// A sequence (v_wall) has a reference image (ref) and, per noise level (e, h,
// t: easy, hard, tough), images 1 to 5. Patch n of each image shows the same
// place.
package patches

import "descbench/eval/text"

// A Fault describes an error in a file of the benchmark: file, line and reason.
type Fault = text.Fault

// An OptionError describes an option that does not fit the data, for example an
// unknown split or a distance that the descriptors do not support.
type OptionError struct{ Reason string }

// Error returns the reason.
func (e *OptionError) Error() string { return e.Reason }
