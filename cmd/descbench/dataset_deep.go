package main

import (
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"descbench/pipeline/dataset/fit"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
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
	t.Notes = []string{
		fmt.Sprintf("fitting: SIFT matches that H_1_k maps to within %d px; inliers: the same for the homography estimated from the matches;", fit.TolerancePx),
		"corner error: mean distance between the corners of image 1 mapped by the two, px of image k",
	}
	return t
}

// judgeFit prints the number of homographies with each verdict and returns an error if
// some do not fit. JSON has them one by one.
func judgeFit(cmd *cobra.Command, choice *tableChoice, root string, pairs []fit.Pair) error {
	differ, undecided := fit.Count(pairs)
	if !choice.is(table.JSON) {
		remarks := []string{fmt.Sprintf("%d homographies, %d do not fit, %d undecided", len(pairs), differ, undecided)}
		for _, p := range pairs {
			if p.Doubt != "" {
				remarks = append(remarks, fmt.Sprintf("warning: %s: %s", p.Scene, p.Doubt))
			}
		}
		if err := choice.printRemarks(cmd, remarks); err != nil {
			return err
		}
	}
	if differ > 0 {
		return store.Faultf(root, "%d of %d homographies do not fit their images", differ, len(pairs))
	}
	return nil
}
