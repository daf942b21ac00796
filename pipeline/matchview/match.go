// Package matchview shows what is behind the figures of a run: which queries of an
// image pair a descriptor matches correctly, and where it fails. It works from the units of run folders, one scene at a time.
package matchview

import (
	"descbench/eval/random"
	"descbench/eval/record"
	"descbench/keypoints"
	"descbench/pipeline/fold"
)

// A Class says how the match of a query, its nearest neighbour in descriptor space,
// turned out. The match is correct if its pixel error, the distance from the projected
// query, is at most the tolerance of the run.
type Class int

const (
	// Correct queries have a correct match.
	Correct Class = iota
	// Missed queries have a ground truth within the tolerance, but a wrong match.
	Missed
	// Wrong queries have a wrong match and no ground truth within the tolerance.
	// They are excluded from average precision, but not from precision. Those of imported
	// matches, whose records have no ground truths, are all queries with a wrong match.
	Wrong
	// Unmatched queries have no match, because their descriptor is invalid or there
	// is no valid candidate.
	Unmatched
	// Occluded queries have a wrong match, and depth shows that another surface hides them in image K.
	Occluded
	// Unknown queries have a match of which nobody knows how it turned out: depth is missing.
	Unknown

	classes = iota
)

// classOf returns the class of a query for a tolerance in px.
func classOf(q *record.Query, tolerancePx float64) Class {
	switch {
	case q.Nearest < 0:
		return Unmatched
	case q.Unknown():
		return Unknown
	case q.NearestError <= tolerancePx:
		return Correct
	case q.Truth >= 0 && q.TruthError <= tolerancePx:
		return Missed
	case q.State == keypoints.Occluded:
		return Occluded
	}
	return Wrong
}

// A sample is the queries of one class of an image pair.
type sample struct {
	count   int             // of all
	queries []*record.Query // a random sample, in random order
}

// byClass returns a sample of at most limit queries of each Class of a pair. The sample
// depends on the scene, k and the row of a query, so that descriptors on the same keypoints
// show the same queries where they can.
func byClass(s *fold.System, r record.Records, limit int) []sample {
	all, classOf := make([]sample, classes), judge(&r.Pair, s.Rules.TolerancePx)
	for _, row := range random.New(0, "match view", r.Pair.Scene, int(r.Pair.K)).Sample(len(r.Queries), len(r.Queries)) {
		q := &r.Queries[row]
		of := &all[classOf(q)]
		if of.count++; len(of.queries) < limit {
			of.queries = append(of.queries, q)
		}
	}
	return all
}
