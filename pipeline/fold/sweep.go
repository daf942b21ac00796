package fold

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"descbench/eval/scope"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
)

// ParseSweep parses KEY=VALUE,VALUE,...: a number in the evaluation section, such
// as tolerance_px, and ascending values for it.
func ParseSweep(text string) (s scope.Sweep, err error) {
	key, list, found := strings.Cut(text, "=")
	s.Key = strings.TrimPrefix(strings.TrimSpace(key), "evaluation.")
	if !found || s.Key == "" {
		return s, fmt.Errorf("found %q, want KEY=VALUE,VALUE,..., such as tolerance_px=1,2,3,5,10", text)
	}
	for word := range strings.SplitSeq(list, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil {
			return s, fmt.Errorf("%[1]s: found %[2]q, want numbers separated by commas; for a word, use --set evaluation.%[1]s=WORD", s.Key, word)
		}
		if n := len(s.Values); n > 0 && v <= s.Values[n-1] {
			return s, fmt.Errorf("%s: found %v after %v, want ascending numbers", s.Key, v, s.Values[n-1])
		}
		s.Values = append(s.Values, v)
	}
	return s, nil
}

// Sweep evaluates a run again under every value of s.Key, and fills in s.Rows and
// s.Notes. It checks all values first, and reads the records once per value. set
// lists further changes to the evaluation section. It returns the first evaluation as well,
// and, if scenes of the run failed, a FailedScenesError.
func Sweep(ctx context.Context, run string, set []string, s scope.Sweep) (*scope.Sweep, *Outcome, error) {
	f := plan.Folder(run)
	changes := make([][]string, len(s.Values))
	var p *plan.Plan
	for i, v := range s.Values {
		changes[i] = append(set[:len(set):len(set)], fmt.Sprintf("evaluation.%s=%v", s.Key, v))
		var err error
		if p, _, err = Changed(f, changes[i]); err != nil {
			return nil, nil, err
		}
	}
	for _, d := range p.Config.Descriptors {
		s.Rows = append(s.Rows, scope.SweepRow{
			Descriptor: d.Name, Group: p.Config.KeypointGroup(d.Name), Metrics: make([]*scope.Metric, len(s.Values)),
		})
	}
	var failed *plan.FailedScenesError
	found := false
	var leftOut []string
	var first *Outcome
	for i := range s.Values {
		outcome, records, err := recomputed(ctx, f, changes[i])
		if err != nil && !errors.As(err, &failed) {
			return nil, nil, err
		}
		for d, r := range records.Results {
			row := &s.Rows[d]
			row.Warnings, row.Matches = append(row.Warnings, r.Warnings), append(row.Matches, math.NaN())
			for _, m := range r.Metrics { // copies, so that the others can be freed
				if m.Scope == s.Scope && m.Name == s.Metric {
					row.Metrics[i], found = &m, true
				}
				if m.Scope == s.Scope && m.Name == "matches_per_pair" {
					row.Matches[i] = m.Value
				}
			}
		}
		for _, text := range records.leftOut {
			if !slices.Contains(leftOut, text) {
				leftOut = append(leftOut, text)
			}
		}
		if i == 0 {
			s.Notes, first = []string{protocolBut(s.Key, s.Metric, *p.Config)}, outcome
		}
	}
	if !found {
		return nil, nil, first.Lacks("--metric", s.Metric, fmt.Sprintf("in scope %s with any of these values of %s", s.Scope, s.Key))
	}
	s.Notes = append(s.Notes, leftOut...)
	if failed != nil {
		return &s, first, failed
	}
	return &s, first, nil
}

// protocolBut is ProtocolOf a metric without the setting that varies.
func protocolBut(key, metric string, c config.Config) string {
	switch key {
	case "tolerance_px":
		c.Evaluation.TolerancePx = -1 // not r1's
		return strings.Replace(ProtocolOf(&c, metric), "within -1 px", "within "+key, 1)
	case "exclude_beyond_px":
		c.Evaluation.ExcludeBeyondPx = 1
		return strings.Replace(ProtocolOf(&c, metric), "beyond 1 px", "beyond "+key, 1)
	}
	return ProtocolOf(&c, metric)
}
