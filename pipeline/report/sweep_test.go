package report

import (
	"bytes"
	"strings"
	"testing"

	"descbench/eval/scope"
	"descbench/pipeline/report/table"
)

// dsp has the highest value, but keypoints of its own.
func TestASweepMarksTheBestOfTheSameKeypointsOnly(t *testing.T) {
	at := func(v float64) []*scope.Metric { return []*scope.Metric{{Value: v, Low: v, High: v}} }
	s := &scope.Sweep{Key: "tolerance_px", Values: []float64{3}, Metric: "true_map_micro", Scope: "all", Rows: []scope.SweepRow{
		{Descriptor: "sift", Group: "a", Metrics: at(.5)}, {Descriptor: "surf", Group: "a", Metrics: at(.25)}, {Descriptor: "dsp", Group: "b", Metrics: at(.75)},
	}}
	for _, tidy := range []bool{false, true} {
		var b bytes.Buffer
		if err := SweepTable(s, tidy, nil).Write(&b, table.AsText, 0); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			name, _, _ := strings.Cut(line, " ")
			if got := strings.Contains(line, "*"); got != (name == "sift" || name == "±" || name == "*") {
				t.Errorf("tidy %v: %q", tidy, line)
			}
		}
		if !strings.Contains(b.String(), "* best on the same keypoints and scenes (sift, surf; dsp)") {
			t.Errorf("tidy %v: %s", tidy, &b)
		}
	}
}
