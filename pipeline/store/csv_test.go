package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/eval/ranking"
	"descbench/eval/scope"
)

func TestMetricsAreTidyWithEmptyFieldsForMissingIntervalsAndReadBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "metrics.csv")
	results := []ranking.Result{
		{Experiment: "e", Descriptor: "sift_rooted", Metrics: []scope.Metric{
			{Scope: "all", Name: "true_map_micro", Value: 1.0 / 3, Low: 0.25, High: 0.5, N: 12},
			{Scope: "pair:v_a/1_2", Name: "coverage", Value: 1e-9, Low: nan, High: nan, N: 0},
			{Scope: "scene:v_a", Name: "coverage", Value: 1, Low: nan, High: nan, N: 4},
		}},
		{Descriptor: "empty"},
		{Descriptor: "surf", Metrics: []scope.Metric{{Scope: "k:2", Name: "total", Value: 2553008, Low: nan, High: nan, N: 1}}},
	}
	must.Do(t, writeMetrics(path, results...))
	wantText(t, path, `descriptor,scope,metric,value,ci_low,ci_high,n,experiment,scene,k
sift_rooted,all,true_map_micro,0.3333333333333333,0.25,0.5,12,e,,
sift_rooted,pair:v_a/1_2,coverage,1e-09,,,0,e,v_a,2
sift_rooted,scene:v_a,coverage,1,,,4,e,v_a,
surf,k:2,total,2553008,,,1,,,2
`)
	var got, want []string
	for _, r := range results {
		for _, m := range r.Metrics {
			want = append(want, fmt.Sprint(r.Descriptor, m))
		}
	}
	summed(t, path)
	must.Do(t, ReadMetricsCSV(path, func(d string, m scope.Metric) { got = append(got, fmt.Sprint(d, m)) }))
	if !slices.Equal(got, want) {
		t.Errorf("read back: got %q\nwant %q", got, want)
	}
}

// writeMetrics writes a file of metrics.
func writeMetrics(path string, results ...ranking.Result) error {
	w, err := NewMetricsWriter(path)
	if err != nil {
		return err
	}
	for _, r := range results {
		err = errors.Join(err, w.Add(r))
	}
	return errors.Join(err, w.Close())
}

func TestTimingsAreWrittenInTheOrderGiven(t *testing.T) {
	path := filepath.Join(t.TempDir(), "timing.csv")
	must.Do(t, WriteTimingCSV(path, "e", sampleRun().Timings))
	wantText(t, path, `descriptor,scene,stage,seconds,images,cached_images,keypoints,experiment
,v_a,detect,5,6,0,60,e
sift,v_a,describe,0.25,6,0,60,e
sift,v_a,search,0.125,6,0,60,e
`)
}

func TestDamagedMetricsAreRefusedWithTheirLine(t *testing.T) {
	header := "descriptor,scope,metric,value,ci_low,ci_high,n,experiment,scene,k\n"
	for text, want := range map[string]string{
		"":                               "EOF",
		"a,b\n":                          "line 1: want descriptor,scope,",
		"a,scope,metric,value,ci,ci,n\n": "line 1: want descriptor,scope,",
		header + "d,all,m,1,,\n":         "line 2: wrong number of fields",
		header + "d,all,m,,,,1,,,\n":     `line 2: value: want a finite number, found ""`,
		header + "d,all,m,1,,,1,,,\nd,all,m,NaN,,,1,,,\n": `line 3: value: want a finite number, found "NaN"`,
		header + "d,all,m,1,x,,1,,,\n":                    `line 2: ci_low: want a finite number, found "x"`,
		header + "d,all,m,1,,,1.5,,,\n":                   `line 2: n: want a whole number, found "1.5"`,
	} {
		path := filepath.Join(t.TempDir(), "metrics.csv")
		must.Do(t, os.WriteFile(path, []byte(text), 0o666))
		summed(t, path)
		err := ReadMetricsCSV(path, func(string, scope.Metric) {})
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want ... %s", text, err, want)
		}
	}
}
