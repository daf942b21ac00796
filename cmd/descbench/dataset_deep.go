package main

import (
	"fmt"
	"math"
	"slices"

	"descbench/eval/fact"
	"descbench/pipeline/dataset/fit"
	"descbench/pipeline/notes"
	"descbench/pipeline/report/table"
)

// fitTable returns the table of the verdicts on homographies.
func fitTable(pairs []fit.Pair) *table.Table {
	t := table.New(slices.Concat(wordColumns("scene"), countColumns("k", "matches", "fitting", "inliers"),
		[]table.Column{{Name: "corner_error_px", Title: "corner error", Unit: table.Pixels}}, wordColumns("verdict", "instead"))...)
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
		addRow(t, p.Scene, p.K, p.Matches, p.Fitting, p.Inliers, px, string(p.Verdict), instead(p))
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
func instead(p fit.Pair) string {
	switch {
	case p.Reading != "":
		return p.Reading
	case p.Inverted:
		return "its inverse"
	case p.Instead == 1:
		return "the identity"
	case p.Instead > 0:
		return fmt.Sprintf("H_1_%d", p.Instead)
	}
	return ""
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
