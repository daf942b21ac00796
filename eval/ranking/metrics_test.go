package ranking

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"descbench/eval/scope"

	"pgregory.net/rapid"
)

// handRecords are worked out on paper, with tolerance 3 px and ties at the mean.
//
//	pair       processed of queries  ranks      ΣAP                    correct of queries
//	v_one/1_2  3 of 4                1, 2.5, 4  1 + 2/5 + 1/4 = 33/20  1 of 4
//	v_one/1_3  2 of 4                4, 3       1/4 + 1/3 = 7/12       1 of 4
//	i_two/1_2  2 of 2                1, 2       1 + 1/2 = 3/2          1 of 2
//	v_three/1_3  0 of 1              -          0                      0 of 1
//	c_four/1_2 1 of 1                1          1                      1 of 1
//	v_five/1_2 no queries: 12 / 5, rounded, are missing
//
// The scene v_one has ΣAP = 99/60 + 35/60 = 67/30 over 5 processed of 8.
//
// One processed query is invalid, that of rank 4 in v_one/1_2. No processed query has
// an invalid ground truth: in v_one/1_3, one of 5 candidates is invalid, and the
// ground truths are before at least that one.
//
// Truths within 1 px have ranks 1 (v_one/1_2), 4, 3 (1_3), 1, 2 (i_two) and 1
// (c_four): 1/rank sums to 49/12. Within 2 px there is one more of rank 4
// (v_one/1_2), within 3 px of 2.5 (v_one/1_2), within 5 px of 3 (v_one/1_2).
func handRecords() []pairRecord {
	return []pairRecord{
		pairOf("v_one", 2, 4, 0,
			row{truth: 1, nearest: 1},
			row{truth: 3, less: 1, equal: 1, nearest: 3.5},
			row{truth: 3.5, less: 2, nearest: 3.5},
			row{truth: 2, less: 3, nearest: none, invalid: true}),
		pairOf("v_one", 3, 5, 1,
			row{truth: 0, less: 3, nearest: 50},
			row{truth: 0.5, equal: 4, nearest: 0.5},
			row{truth: none, nearest: 20},
			row{truth: none, nearest: none, invalid: true}),
		pairOf("i_two", 2, 3, 0,
			row{truth: 1, nearest: 3}, // the tolerance itself
			row{truth: 1, equal: 2, nearest: 9}),
		pairOf("v_three", 3, 2, 0,
			row{truth: none, nearest: 100}),
		pairOf("c_four", 2, 1, 0,
			row{truth: 0, nearest: 0}),
		pairOf("v_five", 2, 7, 0),
	}
}

func handResult(t *testing.T) Result {
	a := newAccumulator(Options{TolerancePx: 3, Ties: Mean, Cutoffs: []int{1, 3}})
	add(t, a, handRecords()...)
	a.Fail("i_six", "image 3 is not readable")
	return a.Result()
}

func TestEveryMetricWorkedByHand(t *testing.T) {
	type figure struct {
		name     string
		num, den float64
		n        int
	}
	for _, c := range []struct {
		scope string
		want  []figure
	}{
		{"all", []figure{
			{"true_map_micro", 71, 120, 8},           // (67/30 + 3/2 + 1) / 8
			{"true_map_macro_by_scene", 659, 900, 3}, // (67/150 + 3/4 + 1) / 3
			{"viewpoint_map", 67, 150, 1},
			{"viewpoint_map_micro", 67, 150, 5},
			{"illumination_map", 3, 4, 1},
			{"illumination_map_micro", 3, 4, 2},
			{"true_map_micro_including_zeros", 71, 210, 14},
			{"true_map_macro_by_scene_including_zeros", 487, 1200, 5}, // (67/240 + 3/4 + 0 + 1 + 0) / 5
			{"viewpoint_map_including_zeros", 67, 720, 3},             // (67/240 + 0 + 0) / 3
			{"illumination_map_including_zeros", 3, 4, 1},
			{"true_map_micro_including_invalid", 71, 120, 8},
			{"true_map_macro_by_scene_including_invalid", 659, 900, 3},
			{"true_map_micro_excluding_invalid", 269, 420, 7},          // (71/15 - 1/4) / 7
			{"true_map_macro_by_scene_excluding_invalid", 539, 720, 3}, // (119/240 + 3/4 + 1) / 3
			{"mean_precision", 2, 5, 5},                                // (1/4 + 1/4 + 1/2 + 0 + 1) / 5
			{"legacy_macro_precision_by_scene", 7, 16, 4},              // (1/4 + 1/2 + 0 + 1) / 4
			{"precision_at_1", 3, 8, 8}, {"precision_at_3", 6, 8, 8},
			{"recall_at_1", 3, 8, 8}, {"recall_at_3", 6, 8, 8},
			{"mrr@1", 49, 72, 6}, {"mrr@2", 13, 21, 7}, {"mrr@3", 71, 120, 8}, {"mrr@5", 76, 135, 9}, {"mrr@10", 76, 135, 9},
			{"coverage", 8, 14, 14},
			{"mean_gallery_size", 3*4 + 2*5 + 2*3 + 1, 8, 8},
			{"total_queries_processed", 8, 1, 12}, {"total_queries_excluded", 4, 1, 12},
			{"total_queries_invalid", 1, 1, 8},
			{"total_matches", 10, 1, 12},
			{"total_keypoints", 13 + 5 + 3 + 2 + 7, 1, 11},
			{"total_invalid_rows", 2, 1, 30},
		}},
		{"viewpoint", []figure{
			{"true_map_micro", 67, 150, 5},
			{"true_map_macro_by_scene", 67, 150, 1},
			{"true_map_micro_including_zeros", 67, 330, 11},
			{"true_map_macro_by_scene_including_zeros", 67, 720, 3},
			{"true_map_micro_including_invalid", 67, 150, 5},
			{"true_map_macro_by_scene_including_invalid", 67, 150, 1},
			{"true_map_micro_excluding_invalid", 119, 240, 4}, // (67/30 - 1/4) / 4
			{"true_map_macro_by_scene_excluding_invalid", 119, 240, 1},
			{"mean_precision", 1, 6, 3},                  // (1/4 + 1/4 + 0) / 3
			{"legacy_macro_precision_by_scene", 1, 8, 2}, // (1/4 + 0) / 2
			{"precision_at_1", 1, 5, 5}, {"precision_at_3", 3, 5, 5},
			{"recall_at_1", 1, 5, 5}, {"recall_at_3", 3, 5, 5},
			{"mrr@1", 19, 36, 3}, {"mrr@2", 11, 24, 4}, {"mrr@3", 67, 150, 5}, {"mrr@5", 77, 180, 6}, {"mrr@10", 77, 180, 6},
			{"coverage", 5, 11, 11},
			{"mean_gallery_size", 22, 5, 5},
			{"total_queries_processed", 5, 1, 9}, {"total_queries_excluded", 4, 1, 9},
			{"total_queries_invalid", 1, 1, 5},
			{"total_matches", 7, 1, 9},
			{"total_keypoints", 23, 1, 7},
			{"total_invalid_rows", 2, 1, 23},
		}},
		{"k:3", []figure{ // without illumination
			{"true_map_micro", 7, 24, 2},
			{"true_map_macro_by_scene", 7, 24, 1},
			{"viewpoint_map", 7, 24, 1},
			{"viewpoint_map_micro", 7, 24, 2},
			{"true_map_micro_including_zeros", 7, 60, 5},
			{"true_map_macro_by_scene_including_zeros", 7, 96, 2}, // (7/48 + 0) / 2
			{"viewpoint_map_including_zeros", 7, 96, 2},
			{"true_map_micro_including_invalid", 7, 24, 2},
			{"true_map_macro_by_scene_including_invalid", 7, 24, 1},
			{"true_map_micro_excluding_invalid", 7, 24, 2},
			{"true_map_macro_by_scene_excluding_invalid", 7, 24, 1},
			{"mean_precision", 1, 8, 2},
			{"legacy_macro_precision_by_scene", 1, 8, 2},
			{"precision_at_1", 0, 2, 2}, {"precision_at_3", 1, 2, 2},
			{"recall_at_1", 0, 2, 2}, {"recall_at_3", 1, 2, 2},
			{"mrr@1", 7, 24, 2}, {"mrr@2", 7, 24, 2}, {"mrr@3", 7, 24, 2}, {"mrr@5", 7, 24, 2}, {"mrr@10", 7, 24, 2},
			{"coverage", 2, 5, 5},
			{"mean_gallery_size", 5, 1, 2},
			{"total_queries_processed", 2, 1, 5}, {"total_queries_excluded", 3, 1, 5},
			{"total_queries_invalid", 0, 1, 2},
			{"total_matches", 4, 1, 5},
			{"total_keypoints", 9 + 3, 1, 4},
			{"total_invalid_rows", 2, 1, 12},
		}},
		{"pair:v_one/1_2", []figure{
			{"true_map_micro", 11, 20, 3},
			{"true_map_micro_including_zeros", 33, 80, 4},
			{"true_map_micro_including_invalid", 11, 20, 3},
			{"true_map_micro_excluding_invalid", 7, 10, 2}, // (1 + 2/5) / 2
			{"mean_precision", 1, 4, 1},
			{"precision_at_1", 1, 3, 3}, {"precision_at_3", 2, 3, 3},
			{"recall_at_1", 1, 3, 3}, {"recall_at_3", 2, 3, 3},
			{"mrr@1", 1, 1, 1}, {"mrr@2", 5, 8, 2}, {"mrr@3", 11, 20, 3}, {"mrr@5", 119, 240, 4}, {"mrr@10", 119, 240, 4},
			{"coverage", 3, 4, 4},
			{"mean_gallery_size", 4, 1, 3},
			{"total_queries_processed", 3, 1, 4}, {"total_queries_excluded", 1, 1, 4},
			{"total_queries_invalid", 1, 1, 3},
			{"total_matches", 3, 1, 4},
			{"total_keypoints", 8, 1, 2},
			{"total_invalid_rows", 1, 1, 8},
		}},
		{"pair:v_three/1_3", []figure{ // none processed: no mean over processed queries
			{"true_map_micro_including_zeros", 0, 1, 1},
			{"mean_precision", 0, 1, 1},
			{"coverage", 0, 1, 1},
			{"total_queries_processed", 0, 1, 1}, {"total_queries_excluded", 1, 1, 1},
			{"total_queries_invalid", 0, 1, 0},
			{"total_matches", 1, 1, 1},
			{"total_keypoints", 3, 1, 2},
			{"total_invalid_rows", 0, 1, 3},
		}},
		{"scene:v_five", []figure{ // no queries: only what judges the detector
			{"true_map_micro_including_zeros", 0, 1, 2},
			{"coverage", 0, 1, 2},
			{"total_queries_processed", 0, 1, 0}, {"total_queries_excluded", 0, 1, 0},
			{"total_queries_invalid", 0, 1, 0},
			{"total_matches", 0, 1, 0},
			{"total_keypoints", 7, 1, 2},
			{"total_invalid_rows", 0, 1, 7},
		}},
	} {
		var names []string
		got := make(map[string]scope.Metric)
		for _, m := range handResult(t).Metrics {
			if m.Scope == c.scope {
				names = append(names, m.Name)
				got[m.Name] = m
			}
		}
		var want []string
		for _, w := range c.want {
			want = append(want, w.name)
			m, ok := got[w.name]
			if ok && (m.N != w.n || math.Abs(m.Value-w.num/w.den) > 1e-15*max(1, w.num)) {
				t.Errorf("%s: got %+v, want %s = %v over %d", c.scope, m, w.name, w.num/w.den, w.n)
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: got\n%v\nwant\n%v", c.scope, names, want)
		}
	}
}

func TestHistogramsOfPartsAddUpToThatOfTheWhole(t *testing.T) {
	r := handResult(t)
	byKind := make(map[string]map[int]int) // kind of scope: rank: queries
	for _, h := range r.Histograms {
		kind, _, _ := strings.Cut(h.Scope, ":")
		if h.Scope == scope.Viewpoint || h.Scope == scope.Illumination || h.Scope == scope.Other {
			kind = "category"
		}
		if byKind[kind] == nil {
			byKind[kind] = make(map[int]int)
		}
		for i, bar := range h.Bars {
			if bar.Queries < 1 || i > 0 && bar.Rank <= h.Bars[i-1].Rank {
				t.Errorf("%s: bars are %v, want ascending ranks that occur", h.Scope, h.Bars)
			}
			byKind[kind][bar.Rank] += bar.Queries
		}
	}
	// Ranks 1, 1, 1, 2, 2.5, 3, 4, 4; 2.5 counts as 3.
	want := map[int]int{1: 3, 2: 1, 3: 2, 4: 2}
	if got := r.RankHistogram; !slices.Equal(got, []int64{3, 1, 2, 2}) {
		t.Errorf("histogram %v, want %v", got, want)
	}
	for _, kind := range []string{"all", "category", "k", "scene"} {
		if !maps.Equal(byKind[kind], want) {
			t.Errorf("histograms by %s add up to %v, want %v", kind, byKind[kind], want)
		}
	}
}

func TestMRRIsTheMAPOfARunWithThatTolerance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records, opt := drawRecords(t), drawOptions(t)
		at := newAccumulator(opt)
		add(t, at, records...)
		r := at.Result()
		for name, px := range map[string]float64{"mrr@1": 1, "mrr@2": 2, "mrr@3": 3, "mrr@5": 5, "mrr@10": 10} {
			opt.TolerancePx = px
			a := newAccumulator(opt)
			add(t, a, records...)
			for _, m := range a.Result().Metrics {
				if m.Name != "true_map_micro" {
					continue
				}
				if got, ok := value(r, m.Scope, name); !ok || got != m.Value {
					t.Fatalf("%s of %s: %v, %v, want %v", name, m.Scope, got, ok, m.Value)
				}
			}
		}
	})
}
