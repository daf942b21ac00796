package report

import (
	"fmt"
	"slices"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/eval/stats"
	"descbench/pipeline/report/table"
)

// narrowBelow is the number of scenes below which 95 % percentile intervals of the mean of
// normal values cover it in less than 90 %: P(|t| < 1.96 √((n-1)/n)) with n-1 degrees of
// freedom (Hesterberg, The American Statistician 2015).
const narrowBelow = 10

// TooNarrow says that intervals over so many scenes are too narrow, if they are:
// "; with only 8 scenes the true interval is wider".
func TooNarrow(n int, scene string) string {
	if n < stats.FewestScenes || n >= narrowBelow {
		return ""
	}
	return "; with only " + spelling.Count(n, scene) + " the true interval is wider"
}

// MarkIntervals says below a table of results what its intervals and marks are. scenes are
// the numbers of scenes behind its columns by category; reworded are words and those to
// use for them.
func MarkIntervals(t *table.Table, scenes map[string]int, reworded ...string) {
	t.Marks = append(t.Marks, func(printed *table.Table) string {
		return strings.NewReplacer(reworded...).Replace(intervalNote(printed, scenes))
	})
}

// ofCategory reports whether a table has a column of a category.
func ofCategory(t *table.Table, category string) bool {
	return slices.ContainsFunc(t.Columns, func(c table.Column) bool { return c.Name == category || catalogue.Of(c.Name).Category == category })
}

func intervalNote(t *table.Table, scenes map[string]int) string {
	var parts []string
	if intervals, limits, _ := t.Shows(); intervals {
		note := "± 95 % bootstrap interval over scenes (its longer side)"
		if limits {
			note = "± 95 % bootstrap interval over scenes (its longer side, or both limits in columns with a skewed one)"
		}
		if parts = append(parts, note+TooNarrow(scenes[scope.All], "scene")); parts[0] == note { // else all the more for each category
			var narrow []string
			for _, in := range []string{scope.Viewpoint, scope.Illumination} {
				if ofCategory(t, in) && TooNarrow(scenes[in], "") != "" {
					narrow = append(narrow, fmt.Sprintf("%d %s", scenes[in], in))
				}
			}
			if narrow != nil {
				parts[0] += "; with only " + strings.Join(narrow, " and ") + " scenes the true interval is wider"
			}
		}
	}
	if note := bestNote(t); note != "" {
		parts = append(parts, note)
	}
	return strings.Join(parts, "; ")
}

const sameKeypointsAndScenes = " on the same keypoints and scenes"

// bestNote says what the marked values of a table are. If the rows have different
// keypoints, it names those that are compared with each other: the largest value of a
// column need not be marked.
func bestNote(t *table.Table) string {
	switch _, _, best := t.Shows(); best {
	case 0:
		return ""
	case 1:
		return bestOf(t)
	}
	return bestOf(t) + ", several where they print the same"
}

func bestOf(t *table.Table) string {
	var groups spelling.Groups
	inOrder := t.RowNames()
	for i, name := range inOrder {
		if t.Rows[i].HasValue() {
			groups.Add(t.Rows[i].Group, name)
		}
	}
	switch {
	case len(groups.Texts) == 1:
		return "* best"
	case t.Best != "":
		return "* best " + t.Best
	}
	const note = "* best" + sameKeypointsAndScenes
	const few = 5
	if len(slices.Compact(slices.Sorted(slices.Values(inOrder)))) < len(t.Rows) || len(groups.Texts) > few { // names alone do not tell the rows apart, or are many
		return note
	}
	var members []string
	for _, g := range groups.Texts {
		of := groups.Of[g]
		if at := slices.Index(inOrder, of[0]); len(of) > 3 && slices.Equal(of, inOrder[at:min(at+len(of), len(inOrder))]) {
			of = []string{of[0] + " to " + of[len(of)-1]}
		}
		members = append(members, spelling.Few(of, few+1))
	}
	return note + " (" + strings.Join(members, "; ") + ")"
}
