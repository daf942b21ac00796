package report

import (
	"strings"
	"testing"

	"descbench/eval/must"

	"descbench/pipeline/report/table"
)

// A method of two sources has one row, unless both have a value of the same metric or other
// estimators. Their values are not in the columns of descbench's estimators, but in those of an own one of their name.
func TestPublishedRowsDropNoValue(t *testing.T) {
	columns := MetricColumns([]string{"mma@1", "mma@3", "ransac_homography_auc@3", "dlt_homography_auc@3", "own_homography_rho_homography_auc@3"})
	rows := []PublishedRow{
		{"a", "", map[string]float64{"mma@1": 0.25}, Source{Where: "first"}},
		{"a", "", map[string]float64{"mma@3": 0.5}, Source{Where: "second"}},
		{"a", "", map[string]float64{"mma@3": 0.75}, Source{Where: "third"}},
		{"b", "", map[string]float64{"mma@5": 1}, Source{Where: "first"}},
		{"a", "PoseLib", map[string]float64{"ESTIMATOR_homography_auc@3": 0.125}, Source{Where: "first"}},
		{"a", "Rho", map[string]float64{"ESTIMATOR_homography_auc@3": 0.625}, Source{Where: "second"}},
		{"a", "Hest", map[string]float64{"ESTIMATOR_homography_auc@3": 0.375}, Source{Where: "first"}},
	}
	lines, columns, sources := WithPublished(nil, columns, rows, false)
	if len(sources) != 3 {
		t.Errorf("sources %q, want 3", sources)
	}
	shown, _ := ResultsTable(lines, columns)
	var b strings.Builder
	must.Do(t, shown.Write(&b, table.Markdown, 100))
	for _, want := range []string{
		`| a | 25.00 (a) | 50.00 (b) | 62.50 (b) | PoseLib | 12.50 (a) |`, `| a | - | 75.00 (c) | - | Hest | 37.50 (a) |`, `| other estimator | homography AUC@3 (%) |`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("got\n%s\nwant %s", b.String(), want)
		}
	}
	if strings.Contains(b.String(), "| b |") {
		t.Errorf("got\n%s\nwant no row without a value", b.String())
	}
}
