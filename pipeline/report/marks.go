package report

import (
	"fmt"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/eval/stats"
	"descbench/pipeline/report/table"
)

// narrowBelow is the number of scenes below which 95 % percentile intervals of the mean of
// normal values cover it in less than 90 %: P(|t| < 1.96 √((n-1)/n)) with n-1 degrees of
// freedom (Hesterberg, The American Statistician 2015).
const narrowBelow = 10

// TooNarrow reports whether intervals over so many scenes are too narrow.
func TooNarrow(n int) bool { return n >= stats.FewestScenes && n < narrowBelow }

// Interval says what the intervals of a table are: those of a bootstrap over things, such as
// scenes, of which there are so many behind its columns by category.
func Interval(t *table.Table, things string, n map[string]int) string {
	var narrow []string
	if TooNarrow(n[scope.All]) {
		narrow = []string{fmt.Sprint(n[scope.All])}
	} else {
		for _, in := range []string{scope.Viewpoint, scope.Illumination} {
			for _, c := range t.Columns {
				if (c.Name == in || catalogue.Of(c.Name).Category == in) && TooNarrow(n[in]) {
					narrow = append(narrow, fmt.Sprint(n[in], " ", in))
					break
				}
			}
		}
	}
	text := "95 % bootstrap CI over " + things
	if narrow != nil {
		text += ", too narrow with only " + strings.Join(narrow, " and ")
	}
	return text
}

// onSame are the rows whose values can be compared.
const onSame = "on the same keypoints and scenes"
