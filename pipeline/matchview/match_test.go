package matchview

import (
	"math"
	"slices"
	"testing"

	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/keypoints"
	"descbench/pipeline/fold"
)

func TestClassesOfQueries(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name string
		q    record.Query
		want Class
	}{
		{"the ground truth is the nearest neighbour", record.Query{Truth: 4, TruthError: 1, Nearest: 4, NearestError: 1}, Correct},
		{"another keypoint within the tolerance is the nearest neighbour", record.Query{Truth: 4, TruthError: 1, Nearest: 5, NearestError: 3}, Correct},
		{"the nearest neighbour is too far", record.Query{Truth: 4, TruthError: 1, Nearest: 5, NearestError: 3.001}, Missed},
		{"the ground truth is too far", record.Query{Truth: 4, TruthError: 5, Nearest: 5, NearestError: 8}, Wrong},
		{"no ground truth", record.Query{Truth: -1, TruthError: inf, Nearest: 5, NearestError: 80}, Wrong},
		{"the homography maps the query to infinity", record.Query{Truth: -1, TruthError: inf, Nearest: 5, NearestError: inf}, Wrong},
		{"invalid, with a ground truth", record.Query{Truth: 4, TruthError: 1, Nearest: -1, NearestError: inf, Invalid: true}, Unmatched},
		{"hidden by another surface", record.Query{Truth: -1, TruthError: inf, Nearest: 5, NearestError: inf, State: keypoints.Occluded}, Occluded},
		{"without depth", record.Query{Truth: -1, TruthError: inf, Nearest: 5, NearestError: math.NaN(), State: keypoints.Unknown}, Unknown},
		{"no candidate", record.Query{Truth: -1, TruthError: inf, Nearest: -1, NearestError: inf}, Unmatched},
	} {
		if got := classOf(&c.q, 3); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// matchesOf returns records of n queries; wrong tells those without a correct match.
func matchesOf(n int, wrong func(row int) bool) record.Records {
	r := record.Records{Pair: record.Pair{Scene: "v_a", K: 2}}
	for row := range n {
		q := record.Query{Row: int32(row), Truth: 0, Nearest: 0, NearestError: 1}
		if wrong(row) {
			q.NearestError = 50
		}
		r.Queries = append(r.Queries, q)
	}
	return r
}

func TestSamplesOfTwoDescriptorsShowTheSameQueriesWhereTheyCan(t *testing.T) {
	s := &fold.System{Rules: ranking.Options{TolerancePx: 3}}
	a := byClass(s, matchesOf(1000, func(row int) bool { return row%10 == 0 }), 50)
	b := byClass(s, matchesOf(1000, func(row int) bool { return row%10 == 0 || row%11 == 0 }), 50)
	if a[Correct].count != 900 || a[Missed].count != 100 || b[Correct].count != 819 || b[Missed].count != 181 || a[Wrong].count+a[Unmatched].count != 0 {
		t.Errorf("counted %v and %v", a, b)
	}
	rows := func(m []sample) (rows []int32) {
		for _, q := range m[Correct].queries {
			rows = append(rows, q.Row)
		}
		return rows
	}
	x, y := rows(a), rows(b)
	if len(x) != 50 || len(y) != 50 || len(slices.Compact(slices.Sorted(slices.Values(x)))) != 50 {
		t.Fatalf("sampled %v and %v, want 50 rows", x, y)
	}
	common := 0
	for _, row := range x {
		if row%11 != 0 && slices.Contains(y, row) {
			common++
		}
	}
	if expected := 50 * 10 / 11; common < expected-10 {
		t.Errorf("%d common rows, want about %d", common, expected)
	}
	if again := rows(byClass(s, matchesOf(1000, func(row int) bool { return row%10 == 0 }), 50)); !slices.Equal(again, x) {
		t.Error("another sample the second time")
	}
}
