package y2017

import (
	"fmt"

	"descbench/eval/patches"
)

// line returns the line of entry i of a task file, below its header.
func line(i int) int { return i + 2 }

// checkRetrieval returns an error for the first patch that is listed twice among the
// queries and distractors: it would count twice, or answer itself.
func (in *Input) checkRetrieval(queries, distractors string) error {
	type place struct {
		file string
		line int
	}
	seen := make(map[Patch]place, len(in.Queries)+len(in.Distractors))
	for _, f := range []struct {
		file string
		list []Patch
	}{{queries, in.Queries}, {distractors, in.Distractors}} {
		for i, p := range f.list {
			if first, twice := seen[p]; twice {
				return &patches.Fault{File: f.file, Line: line(i), Reason: fmt.Sprintf("%s is listed twice, first in %s, line %d; want each query and distractor once", in.Sequences.patch(p), first.file, first.line)}
			}
			seen[p] = place{f.file, line(i)}
		}
	}
	return nil
}

// patch returns a patch as its sequence, image number and index, as in task files.
func (s *Sequences) patch(p Patch) string {
	return fmt.Sprintf("%s,%d,%d", s.Names[p.Sequence], p.Image, p.Index)
}
