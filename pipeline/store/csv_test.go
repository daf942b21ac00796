package store

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"descbench/eval"

	"pgregory.net/rapid"
)

func TestMetricsAreTidyWithEmptyFieldsForMissingIntervals(t *testing.T) {
	path := filepath.Join(t.TempDir(), "metrics.csv")
	results := []eval.Result{
		{Descriptor: "sift, rooted", Metrics: []eval.Metric{
			{Scope: "all", Name: "true_map_micro", Value: 1.0 / 3, Low: 0.25, High: 0.5, N: 12},
			{Scope: "pair:v_a/1_2", Name: "coverage", Value: 1e-9, Low: nan, High: nan, N: 0},
		}},
		{Descriptor: "empty"},
		{Descriptor: "surf", Metrics: []eval.Metric{{Scope: "k:2", Name: "total", Value: 2553008, Low: nan, High: nan, N: 1}}},
	}
	if err := WriteMetricsCSV(path, results); err != nil {
		t.Fatal(err)
	}
	wantText(t, path, `descriptor,scope,metric,value,ci_low,ci_high,n
"sift, rooted",all,true_map_micro,0.3333333333333333,0.25,0.5,12
"sift, rooted",pair:v_a/1_2,coverage,1e-09,,,0
surf,k:2,total,2553008,,,1
`)
	results[2].Metrics[0].Value = nan
	if err := WriteMetricsCSV(path, results); err == nil {
		t.Error("an undefined metric was written")
	}
}

func TestNumbersInMetricsAreReadBackExactly(t *testing.T) {
	path := rapidFile(t)
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.Float64().Draw(t, "value")
		if err := WriteMetricsCSV(path, []eval.Result{{Metrics: []eval.Metric{{Value: v}}}}); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows, err := csv.NewReader(f).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		got, err := strconv.ParseFloat(rows[1][3], 64)
		if err != nil || math.Float64bits(got) != math.Float64bits(v) {
			t.Errorf("got %v, %v; want %v", got, err, v)
		}
	})
}

func TestTimingsAreWrittenInTheOrderGiven(t *testing.T) {
	path := filepath.Join(t.TempDir(), "timing.csv")
	if err := WriteTimingCSV(path, sampleRun().Timings); err != nil {
		t.Fatal(err)
	}
	wantText(t, path, `descriptor,scene,stage,seconds,images,cached_images,keypoints
,v_a,detect,5,6,0,60
sift,v_a,extract,0.25,6,0,60
sift,v_a,search,0.125,6,0,60
`)
}
