package main

import (
	"context"
	"fmt"
	"math"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"descbench/pipeline/dataset"
	"descbench/pipeline/dataset/fit"
	"descbench/pipeline/report/table"
)

// fitHomographies judges the homographies of all scenes that are not broken.
func fitHomographies(ctx context.Context, found *dataset.Survey, maxMegapixels, jobs int) ([]fit.Pair, error) {
	scenes := make([][]fit.Pair, len(found.Scenes))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(jobs)
	for i, s := range found.Scenes {
		if s.Fault != "" {
			continue
		}
		g.Go(func() error {
			scene, err := dataset.Open(ctx, found.Root, s.Name, maxMegapixels)
			if err != nil {
				return err
			}
			if scenes[i], err = fit.Scene(ctx, scene); err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	pairs := []fit.Pair{}
	for _, s := range scenes {
		pairs = append(pairs, s...)
	}
	return pairs, nil
}

// fitTable returns the table of the verdicts on homographies.
func fitTable(pairs []fit.Pair) *table.Table {
	t := table.New(
		table.Column{Name: "scene", Title: "scene", Unit: table.Words},
		table.Column{Name: "k", Title: "k", Unit: table.Count},
		table.Column{Name: "matches", Title: "matches", Unit: table.Count},
		table.Column{Name: "fitting", Title: "fitting", Unit: table.Count},
		table.Column{Name: "inliers", Title: "inliers", Unit: table.Count},
		table.Column{Name: "corner_error_px", Title: "corner error px", Unit: table.Pixels},
		table.Column{Name: "verdict", Title: "verdict", Unit: table.Words},
	)
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

// printFit prints the verdicts on homographies below those on scenes and returns an
// error if some do not fit.
func printFit(cmd *cobra.Command, flags *commonFlags, pairs []fit.Pair) error {
	differ, undecided := 0, 0
	for _, p := range pairs {
		switch p.Verdict {
		case fit.Differs:
			differ++
		case fit.Undecided:
			undecided++
		}
	}
	if !flags.json {
		fmt.Fprintln(cmd.OutOrStdout())
		if err := fitTable(pairs).Write(cmd.OutOrStdout(), table.AsText, table.PageWidth); err != nil {
			return err
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%d homographies, %d do not fit, %d undecided\n", len(pairs), differ, undecided)
	}
	if differ > 0 {
		return &dataset.Error{Where: flags.data, Err: fmt.Errorf("%d of %d homographies do not fit their images", differ, len(pairs))}
	}
	return nil
}
