package main

import (
	"fmt"
	"math"

	"descbench/eval/fact"
	"descbench/pipeline/dataset/fit"
	"descbench/pipeline/notes"
	"descbench/pipeline/report/table"
)

// fitTable returns the table of the verdicts on homographies.
func fitTable(pairs []fit.Pair) *table.Table {
	t := table.New(
		table.Titled("scene", table.Words, 0), table.Titled("k", table.Count, 0), table.Titled("matches", table.Count, 0),
		table.Titled("fitting", table.Count, 0), table.Titled("inliers", table.Count, 0),
		table.Column{Name: "corner_error_px", Title: "corner error", Unit: table.Pixels},
		table.Titled("verdict", table.Words, 0), table.Titled("instead", table.Words, 0),
	)
	t.Keys = 2
	cameras := true // all scenes have the same
	for _, p := range pairs {
		px := table.Cell{}
		switch cameras = p.Cameras; {
		case p.CornerError != nil:
			px = table.Number(*p.CornerError)
		case !cameras:
			px = table.Number(math.NaN())
		}
		t.Add(table.Text(p.Scene), table.Integer(p.K), table.Integer(p.Matches), table.Integer(p.Fitting), table.Integer(p.Inliers), px, table.Text(string(p.Verdict)), instead(p))
	}
	if cameras {
		t.Note("fitting: SIFT matches within %d px of the epipolar lines of the cameras; inliers: the same for the pose estimated from the matches", fit.TolerancePx)
		return t
	}
	t.Note("fitting: SIFT matches that H_1_k maps to within %d px; inliers: the same for the homography estimated from the matches", fit.TolerancePx)
	t.Note("corner error: mean distance between the corners of image 1 mapped by the two, px of image k")
	return t
}

// instead names what fits in place of a homography.
func instead(p fit.Pair) table.Cell {
	switch {
	case p.Reading != "":
		return table.Text(p.Reading)
	case p.Inverted:
		return table.Text("its inverse")
	case p.Instead == 1:
		return table.Text("the identity")
	case p.Instead > 0:
		return table.Text(fmt.Sprintf("H_1_%d", p.Instead))
	}
	return table.Cell{}
}

// fitNotes are the notes below it: the number of homographies with each verdict, and doubts.
func fitNotes(pairs []fit.Pair) []table.Note {
	differ, undecided := fit.Count(pairs)
	all := table.Notes(fmt.Sprintf("%d pairs, %d do not fit, %d undecided", len(pairs), differ, undecided))
	for _, p := range pairs {
		for _, f := range p.Doubt {
			all = append(all, table.Note{Fact: f, Text: "warning: " + notes.Text(f)})
		}
	}
	for _, found := range []string{fit.Off(pairs), fit.Shifted(pairs)} {
		if found != "" {
			all = append(all, table.Note{Fact: fact.Fact{Kind: "warning"}, Text: "warning: " + found})
		}
	}
	return all
}
