package fold

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"descbench/eval"
	"descbench/pipeline/plan"
)

// A Sweep evaluates a run again under several values of one setting.
type Sweep struct {
	Run    string
	Set    []string // further changes to the evaluation section, as in Reevaluation
	Key    string   // a number in the evaluation section: tolerance_px
	Values []float64
	Metric string
	Scope  string
}

// Swept holds the results of a Sweep.
type Swept struct {
	Plan        *plan.Plan // of the run with the last value
	Descriptors []SweptDescriptor
	LeftOut     []string          // what the records do not answer under some of the values
	Failed      map[string]string // scenes of the run without records, with the reasons
}

// A SweptDescriptor holds one metric of a descriptor, by value; nil where it is
// undefined.
type SweptDescriptor struct {
	Name    string
	Metrics []*eval.Metric
}

// ParseSweep parses KEY=VALUE,VALUE,... with different, ascending values.
func ParseSweep(text string) (key string, values []float64, err error) {
	key, list, found := strings.Cut(text, "=")
	key = strings.TrimPrefix(strings.TrimSpace(key), "evaluation.")
	if !found || key == "" {
		return "", nil, fmt.Errorf("found %q, want KEY=VALUE,VALUE,..., such as tolerance_px=1,2,3,5,10", text)
	}
	for word := range strings.SplitSeq(list, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil {
			return "", nil, fmt.Errorf("%s: found %q, want numbers separated by commas", key, word)
		}
		if n := len(values); n > 0 && v <= values[n-1] {
			return "", nil, fmt.Errorf("%s: found %v after %v, want ascending numbers", key, v, values[n-1])
		}
		values = append(values, v)
	}
	return key, values, nil
}

// Evaluate reads the records once per value. It checks all values first.
func (s Sweep) Evaluate(ctx context.Context) (*Swept, error) {
	f := plan.Folder(s.Run)
	out := &Swept{}
	for _, v := range s.Values {
		p, leftOut, err := reevaluation(f, s.set(v))
		if err != nil {
			return nil, err
		}
		for _, text := range leftOut {
			if len(out.LeftOut) == 0 || out.LeftOut[len(out.LeftOut)-1] != text {
				out.LeftOut = append(out.LeftOut, text)
			}
		}
		out.Plan = p
	}
	for _, d := range out.Plan.Config.Descriptors {
		out.Descriptors = append(out.Descriptors, SweptDescriptor{d.Name, make([]*eval.Metric, len(s.Values))})
	}
	for i, v := range s.Values {
		_, records, err := Reevaluated(ctx, f, s.set(v))
		if err != nil {
			return nil, err
		}
		for j, r := range records.Results {
			out.Descriptors[j].Metrics[i] = metricOf(r, s.Scope, s.Metric)
			for scene, reason := range r.Failed {
				if out.Failed == nil {
					out.Failed = make(map[string]string)
				}
				out.Failed[scene] = reason
			}
		}
	}
	for _, d := range out.Descriptors {
		for _, m := range d.Metrics {
			if m != nil {
				return out, nil
			}
		}
	}
	return nil, plan.Faultf("%s: no descriptor has %s in scope %s under any value of %s", s.Run, s.Metric, s.Scope, s.Key)
}

// set returns the changes for one value, which override the others.
func (s Sweep) set(v float64) []string {
	return append(s.Set[:len(s.Set):len(s.Set)], fmt.Sprintf("evaluation.%s=%v", s.Key, v))
}

func metricOf(r eval.Result, scope, name string) *eval.Metric {
	for _, m := range r.Metrics {
		if m.Scope == scope && m.Name == name {
			return &m
		}
	}
	return nil
}

