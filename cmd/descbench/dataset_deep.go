package main

import (
	"fmt"
	"math"

	"descbench/pipeline/dataset/fit"
	"descbench/pipeline/report/table"
)

// fitTable returns the table of the verdicts on homographies.
func fitTable(pairs []fit.Pair) *table.Table {
	t := table.New(
		table.Titled("scene", table.Words, 0), table.Titled("k", table.Count, 0), table.Titled("matches", table.Count, 0),
		table.Titled("fitting", table.Count, 0), table.Titled("inliers", table.Count, 0),
		table.Column{Name: "corner_error_px", Title: "corner error", Unit: table.Pixels},
		table.Titled("verdict", table.Words, 0),
	)
	t.Keys = 2
	for _, p := range pairs {
		px := math.NaN()
		if p.CornerError != nil {
			px = *p.CornerError
		}
		t.Add(table.Text(p.Scene), table.Integer(p.K), table.Integer(p.Matches), table.Integer(p.Fitting), table.Integer(p.Inliers), table.Number(px), table.Text(string(p.Verdict)))
	}
	t.Notes = table.Notes(
		fmt.Sprintf("fitting: SIFT matches that H_1_k maps to within %d px; inliers: the same for the homography estimated from the matches;", fit.TolerancePx),
		"corner error: mean distance between the corners of image 1 mapped by the two, px of image k",
	)
	return t
}

// fitLines are the lines below it: the number of homographies with each verdict, and doubts.
func fitLines(pairs []fit.Pair) []string {
	differ, undecided := fit.Count(pairs)
	lines := []string{fmt.Sprintf("%d homographies, %d do not fit, %d undecided", len(pairs), differ, undecided)}
	for _, p := range pairs {
		if p.Doubt != "" {
			lines = append(lines, fmt.Sprintf("warning: %s: %s", p.Scene, p.Doubt))
		}
	}
	for _, found := range []string{fit.Off(pairs), fit.Shifted(pairs)} {
		if found != "" {
			lines = append(lines, "warning: "+found)
		}
	}
	return lines
}
