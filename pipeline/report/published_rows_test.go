package report

import (
	"strings"
	"testing"

	"descbench/pipeline/report/table"
)

// A method of two sources has one row, unless both have a value of the same metric.
func TestPublishedRowsDropNoValue(t *testing.T) {
	columns := MetricColumns([]string{"mma@1", "mma@3"})
	rows := []PublishedRow{
		{"a", map[string]float64{"mma@1": 0.25}, "first"},
		{"a", map[string]float64{"mma@3": 0.5}, "second"},
		{"a", map[string]float64{"mma@3": 0.75}, "third"},
		{"b", map[string]float64{"mma@5": 1}, "first"},
	}
	var b strings.Builder
	if err := PublishedRowsTable(nil, columns, rows, false).Write(&b, table.Markdown, 100); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`| a | 25.00 | 50.00 | \[1\] \[2\] |`, `| a | - | 75.00 | \[3\] |`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("got\n%s\nwant %s", b.String(), want)
		}
	}
	if strings.Contains(b.String(), "| b |") {
		t.Errorf("got\n%s\nwant no row without a value", b.String())
	}
}
