package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"descbench/eval/stats"
)

// A Comparison holds the results of comparing descriptors with one baseline, by
// scene.
type Comparison struct {
	Metric   string          `json:"metric"`
	Baseline string          `json:"baseline"`
	Protocol string          `json:"protocol"`
	Rows     []ComparisonRow `json:"comparisons"`
	// NotShared lists what was left out because one side lacks it or has a
	// different version of it.
	NotShared []string         `json:"not_shared"`
	Warnings  []WarningMessage `json:"warnings"`
	Wilcoxon  bool             `json:"-"` // rows have a Wilcoxon p
}

// A ComparisonRow compares one descriptor with the baseline over a group of
// scenes. Values are fractions. Undefined values are NaN.
type ComparisonRow struct {
	Descriptor   string `json:"descriptor"`
	Scope        string `json:"scope"` // all, viewpoint or illumination
	Scenes       int    `json:"scenes"`
	Mean         Number `json:"mean,omitzero"` // over these scenes
	BaselineMean Number `json:"baseline_mean,omitzero"`
	Difference   Number `json:"difference,omitzero"`
	Low          Number `json:"ci_low,omitzero"` // of Difference
	High         Number `json:"ci_high,omitzero"`
	P            Number `json:"p,omitzero"`
	PHolm        Number `json:"p_holm,omitzero"` // corrected over all rows
	Exact        bool   `json:"p_exact"`         // from all sign flips, not a random sample
	EffectSize   Number `json:"effect_size,omitzero"`
	Wins         int    `json:"wins"`
	Ties         int    `json:"ties"`
	Losses       int    `json:"losses"`
	Verdict      string `json:"verdict"` // better, worse, or ~ where not significant
	WilcoxonP    Number `json:"wilcoxon_p,omitzero"`
	// Differences holds the differences per scene, largest first. Only rows of
	// scope all have them.
	Differences []SceneDifference `json:"differences,omitempty"`
}

// A SceneDifference holds the values of both descriptors in one scene.
type SceneDifference struct {
	Scene      string  `json:"scene"`
	Category   string  `json:"category"`
	Value      float64 `json:"value"`
	Baseline   float64 `json:"baseline"`
	Difference float64 `json:"difference"`
}

// deciding is the number of most influential scenes to list.
const deciding = 5

// Write prints the comparison as a table, with means in per cent and differences
// in percentage points. Below the table it lists the most influential scenes and
// what was left out.
func (c Comparison) Write(out io.Writer) error {
	if _, err := fmt.Fprintf(out, "%s against %s, by scene; means in %%, differences in percentage points\n", c.Metric, c.Baseline); err != nil {
		return err
	}
	title := []string{"descriptor", "over", "scenes", "baseline", "mean", "difference", "95 % interval", "p (Holm)", "", "effect d_z", "wins/ties/losses"}
	if c.Wilcoxon {
		title = append(title, "p (Wilcoxon)")
	}
	rows := [][]string{title}
	for _, r := range c.Rows {
		row := []string{
			r.Descriptor, r.Scope, fmt.Sprint(r.Scenes), points(r.BaselineMean), points(r.Mean), signed(100*float64(r.Difference), 2),
			interval(r), fixed(float64(r.PHolm), 4), r.Verdict, fixed(float64(r.EffectSize), 2), fmt.Sprintf("%d/%d/%d", r.Wins, r.Ties, r.Losses),
		}
		if c.Wilcoxon {
			row = append(row, fixed(float64(r.WilcoxonP), 4))
		}
		rows = append(rows, row)
	}
	if err := writeAligned(out, rows); err != nil {
		return err
	}
	if err := c.writeLegend(out); err != nil {
		return err
	}
	if err := c.writeDeciding(out); err != nil {
		return err
	}
	for _, text := range c.NotShared {
		if _, err := fmt.Fprintf(out, "not shared: %s\n", text); err != nil {
			return err
		}
	}
	return nil
}

func points(v Number) string { return fixed(100*float64(v), 2) }

func interval(r ComparisonRow) string {
	if math.IsNaN(float64(r.Low)) {
		return "undefined"
	}
	return fmt.Sprintf("[%s, %s]", signed(100*float64(r.Low), 2), signed(100*float64(r.High), 2))
}

func (c Comparison) writeLegend(out io.Writer) error {
	text := fmt.Sprintf("%s\n~ not significant at 5 %%: paired permutation test (sign flips of scenes), Holm correction over %d comparisons;\n"+
		"intervals: cluster bootstrap over scenes, uncorrected\n", c.Protocol, len(c.Rows))
	if !slices.ContainsFunc(c.Rows, func(r ComparisonRow) bool { return r.Scenes >= stats.EnoughScenes }) {
		text += fmt.Sprintf("significance cannot be claimed: it needs at least %d scenes\n", stats.EnoughScenes)
	}
	if c.Wilcoxon {
		text += "p (Wilcoxon) is uncorrected and tests the symmetry of the differences, not their mean: the signed-rank test misses\n" +
			"some differences and reports others wrongly (Smucker et al., CIKM 2007; Ihemelandu & Ekstrand, SIGIR 2023)\n"
	}
	_, err := io.WriteString(out, text)
	return err
}

// writeDeciding lists the scenes with the largest differences, and the
// contribution of each to the mean difference.
func (c Comparison) writeDeciding(out io.Writer) error {
	if _, err := fmt.Fprintln(out, "most influential scenes (difference, contribution to the mean):"); err != nil {
		return err
	}
	for _, r := range c.Rows {
		if len(r.Differences) == 0 {
			continue
		}
		var parts []string
		for _, d := range r.Differences[:min(deciding, len(r.Differences))] {
			parts = append(parts, fmt.Sprintf("%s %s (%s)", d.Scene, signed(100*d.Difference, 2), signed(100*d.Difference/float64(r.Scenes), 2)))
		}
		if _, err := fmt.Fprintf(out, "  %s: %s\n", r.Descriptor, strings.Join(parts, ", ")); err != nil {
			return err
		}
	}
	return nil
}
