package y2017

import (
	"fmt"

	"descbench/eval/patches"
)

// line returns the line of entry i of a task file, below its header.
func line(i int) int { return i + 2 }

// checkPairs returns an error for the first pair that contradicts its file: a patch
// paired with itself, a positive pair or a negative pair within a sequence whose
// sequences or indexes do not fit. Negative pairs between sequences may be in one
// sequence, even at the same place, because the benchmark's own files contain such
// pairs. Pairs may be listed repeatedly, as there.
func checkPairs(file, kind string, pairs []Pair, known *Sequences) error {
	for i, p := range pairs {
		reason := ""
		switch sequence, place := p.A.Sequence == p.B.Sequence, p.A.Index == p.B.Index; {
		case p.A == p.B:
			reason = "a patch is paired with itself"
		case kind == positiveFile && !(sequence && place):
			reason = "want the same sequence and index for both patches of a positive pair"
		case kind == intraFile && !sequence:
			reason = "want the same sequence for both patches of a negative pair within a sequence"
		case kind == intraFile && place:
			reason = "want different indexes for the patches of a negative pair, because equal indexes show the same place"
		default:
			continue
		}
		return &patches.Fault{File: file, Line: line(i), Reason: fmt.Sprintf("%s and %s: %s", known.patch(p.A), known.patch(p.B), reason)}
	}
	return nil
}

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
