package y2016

import (
	"fmt"

	"descbench/eval/patches"
)

// exists returns an error if a line of a file names an image or a patch that the set
// lacks. With a nil set, nothing is known.
func exists(set *patches.Set, file string, line int, s patches.Signature) error {
	if set == nil {
		return nil
	}
	reason := ""
	switch m := set.Image(s.Sequence, s.Image); {
	case m == nil:
		reason = fmt.Sprintf("%s: %s has no descriptors of %s", s, set.Name, s.Whole())
	case s.Index >= m.Rows:
		reason = fmt.Sprintf("%s: index %d, want 0 to %d", s, s.Index, m.Rows-1)
	default:
		return nil
	}
	return &patches.Fault{File: file, Line: line, Reason: reason}
}
