package matching

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"descbench/eval/fact"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/keypoints"
)

// handRecords are worked out on paper, with tolerance 2 px.
//
//	pair        matches (px)      mma@1 mma@3 mma@10  correct in the shared region of both
//	v_one/1_2   0.5, 1, 2.5, 10   2/4   3/4   4/4     2 of 4 and 1 of 2: score 1/2
//	v_one/1_3   none              0     0     0       0 of 2, no keypoints: score 0
//	i_two/1_2   4                 0     0     1       0 of 0 and 0 of 0: no score
//	c_three/1_2 3                 0     1     1       no keypoints, 1 of 4: score 1/4
func handRecords() []pairRecord {
	miss := row{nearest: none, truth: none, invalid: true}
	lost := row{nearest: none, truth: none}
	one := pairOf("v_one", 2, 9,
		row{nearest: 0.5, mutual: true, truth: 0.5, d1: 1, d2: 2, shared: true},
		row{nearest: 1, mutual: true, truth: 1, d1: 1, d2: 2}, // correct, but not in the shared region
		row{nearest: 2.5, mutual: true, truth: 1, d1: 1, d2: 2, shared: true},
		row{nearest: 10, mutual: true, truth: 1, d1: 1, d2: 2, shared: true},
		row{nearest: 0, truth: 0, d1: 1, d2: 2, shared: true}, // not mutual
		miss)
	p := &one.pair
	p.Shared1, p.SharedK, p.Repeated1, p.RepeatedK, p.RepeatedOnce, p.RepeatErrorSum1, p.RepeatErrorSumK = 4, 2, 3, 2, 2, 4, 3.5
	one.pair.CorrectSharedK, one.pair.Spread1, one.pair.SpreadK = 1, 0.5, 0.25
	EnterEstimateErrors(&one.pair, []EstimateError{{Estimator: "magsac", Px: 0.5}, {Estimator: "ransac", Px: 1}})
	other := pairOf("v_one", 3, 9, row{nearest: 1, truth: 1, d1: 1, d2: 2, shared: true}, row{nearest: 9, truth: none, d1: 1, d2: 2, shared: true}, lost, lost, lost, miss)
	other.pair.Shared1, other.pair.Spread1, other.pair.SpreadK = 2, 0.5, 0.75
	EnterEstimateErrors(&other.pair, []EstimateError{{Estimator: "magsac", Px: none}, {Estimator: "ransac", Px: none}})
	two := pairOf("i_two", 2, 1, row{nearest: 4, mutual: true, truth: none, d1: 1, d2: -1})
	two.pair.Spread1, two.pair.SpreadK = 0, 0
	EnterEstimateErrors(&two.pair, []EstimateError{{Estimator: "magsac", Px: 4}, {Estimator: "ransac", Px: 2}})
	three := pairOf("c_three", 2, 5, row{nearest: 3, mutual: true, truth: 3, d1: 0, d2: 0})
	three.pair.SharedK = 4
	three.pair.CorrectSharedK, three.pair.Spread1, three.pair.SpreadK = 1, 0, 1
	EnterEstimateErrors(&three.pair, []EstimateError{{Estimator: "magsac", Px: 3}, {Estimator: "ransac", Px: 6}})
	return []pairRecord{one, other, two, three}
}

func TestEveryMetricWorkedByHand(t *testing.T) {
	a := newAccumulator(2)
	add(t, a, handRecords()...)
	r := a.Result(scope.Subset{Name: "few", Contains: func(scene string) bool { return scene != "c_three" }}, scope.Subset{Name: "none", Contains: func(string) bool { return false }})

	type figure struct {
		name  string
		value float64
		n     int
	}
	for _, c := range []struct {
		scope string
		want  []figure
	}{
		{"all", []figure{
			{"mma@1", 1. / 8, 4}, {"mma@2", 1. / 8, 4}, {"mma@3", 7. / 16, 4}, {"mma@4", 11. / 16, 4}, {"mma@9", 11. / 16, 4}, {"mma@10", 3. / 4, 4},
			{"matching_score", 1. / 4, 3},             // (1/2 + 0 + 1/4) / 3
			{"repeatability@3", 5. / 18, 3},           // (5/6 + 0/2 + 0/4) / 3
			{"repeatability_one_to_one@3", 2. / 9, 3}, // (4/6 + 0 + 0) / 3
			{"localization_error", 3. / 2, 1},         // 7.5 / 5
			{"ratio_precision@0.80", 4. / 7, 7},       // 0.5, 1, 0 px of v_one/1_2 and 1 px of v_one/1_3
			{"ratio_recall@0.80", 4. / 6, 6},          // the truth of c_three is not within 2 px
			{"mutual_matches_per_pair", 6. / 4, 4},
			{"total_mutual_matches", 6, 14},
			{"inlier_share", 2. / 6, 6},
			{"keypoints_per_image", 32. / 7, 7},         // 6 + 9 + 9, 1 + 1, 1 + 5
			{"keypoint_spread", 2.5 / 7, 7},             // .5 + .25 + .75 + 0 + 0 + 0 + 1
			{"magsac_homography_accuracy@1", 1. / 4, 4}, // .5, 3, 4, ∞
			{"magsac_homography_accuracy@3", 2. / 4, 4},
			{"magsac_homography_accuracy@5", 3. / 4, 4},
			{"magsac_homography_auc@1", 0.1875, 4},     // .5·.125 + .5·.25
			{"magsac_homography_auc@3", 0.6875 / 3, 4}, // .5·.125 + 2.5·.25
			{"magsac_homography_auc@5", 2.375 / 5, 4},  // .5·.125 + 2.5·.375 + 1·.625 + 1·.75
			{"magsac_homography_accuracy@7", 3. / 4, 4},
			{"magsac_homography_accuracy@10", 3. / 4, 4},
			{"magsac_homography_auc@7", 3.875 / 7, 4},   // and 2·.75
			{"magsac_homography_auc@10", 6.125 / 10, 4}, // and 3·.75
			{"match_precision_median@1", 0, 4},          // 2/4, 0, 0, 0
			{"match_precision_median@3", 0.375, 4},      // 3/4, 0, 0, 1
			{"match_precision_median@5", 0.875, 4},      // 3/4, 0, 1, 1
			{"ransac_homography_accuracy@1", 1. / 4, 4},
			{"ransac_homography_accuracy@3", 2. / 4, 4},
			{"ransac_homography_accuracy@5", 2. / 4, 4},
			{"ransac_homography_auc@5", 2. / 5, 4}, // 1·.125 + 1·.375 + 3·.5
		}},
		{"viewpoint", []figure{{"mma@3", 3. / 8, 2}, {"matching_score", 1. / 4, 2}, {"keypoints_per_image", 8, 3}}},
		{"illumination", []figure{{"mma@3", 0, 1}, {"mma@4", 1, 1}, {"inlier_share", 0, 1}}},
		{"other", []figure{{"mma@3", 1, 1}, {"matching_score", 1. / 4, 1}, {"ratio_precision@0.80", none, 0}}},
		{"subset:few", []figure{{"mma@3", 1. / 4, 3}, {"mma@4", 7. / 12, 3}}},
		{"subset:few/viewpoint", []figure{{"mma@3", 3. / 8, 2}}},
		{"subset:few/illumination", []figure{{"mma@10", 1, 1}}},
		{"k:2", []figure{{"mma@3", 7. / 12, 3}, {"matching_score", 3. / 8, 2}, {"keypoints_per_image", 23. / 6, 6}}},
		{"k:3", []figure{{"mma@3", 0, 1}, {"matching_score", 0, 1}, {"keypoint_spread", 1.25 / 2, 2}}},
		{"scene:v_one", []figure{{"mma@3", 3. / 8, 2}, {"total_mutual_matches", 4, 12}, {"keypoint_spread", 0.5, 3}}},
		{"pair:v_one/1_2", []figure{{"mma@3", 3. / 4, 1}, {"inlier_share", 2. / 4, 4}, {"ransac_homography_accuracy@1", 1, 1}}},
		{"pair:v_one/1_3", []figure{{"mma@3", 0, 1}, {"inlier_share", none, 0}, {"localization_error", none, 0}}},
		{"pair:i_two/1_2", []figure{{"matching_score", none, 0}, {"repeatability@3", none, 0}}},
	} {
		for _, w := range c.want {
			got, ok := find(r, c.scope, w.name)
			if ok != (w.value < none) || ok && (math.Abs(got.Value-w.value) > 1e-15 || got.N != w.n) {
				t.Errorf("%s %s: %+v, %v, want %v of %d", c.scope, w.name, got, ok, w.value, w.n)
			}
		}
	}

	var scopes []string
	for _, m := range r.Metrics {
		if len(scopes) == 0 || scopes[len(scopes)-1] != m.Scope {
			scopes = append(scopes, m.Scope)
		}
	}
	want := []string{"all", "viewpoint", "illumination", "other", "subset:few", "subset:few/viewpoint", "subset:few/illumination",
		"k:2", "k:3", "scene:c_three", "scene:i_two", "scene:v_one", "pair:c_three/1_2", "pair:i_two/1_2", "pair:v_one/1_2", "pair:v_one/1_3"}
	if !slices.Equal(scopes, want) {
		t.Errorf("scopes %q, want %q", scopes, want)
	}
	if facts := []fact.Fact{
		fact.New(fact.NoMatches).Counting(1, 4),
		fact.New(fact.FailedEstimates).Naming("estimator", "magsac").Counting(1, 4),
		fact.New(fact.FailedEstimates).Naming("estimator", "ransac").Counting(1, 4),
	}; !reflect.DeepEqual(r.Facts, facts) {
		t.Errorf("facts %v, want %v", r.Facts, facts)
	}
}

func TestIntervalsAreOverScenes(t *testing.T) {
	hand := newAccumulator(2)
	add(t, hand, handRecords()...)
	for _, m := range hand.Result().Metrics {
		if !math.IsNaN(m.Low) || !math.IsNaN(m.High) {
			t.Errorf("3 scenes: %+v", m)
		}
	}
	// Resamples of equal scenes are all alike.
	equal := newAccumulator(2)
	for _, scene := range []string{"v_a", "v_b", "v_c", "v_d", "v_e"} {
		for _, p := range handRecords()[:2] {
			p.pair.Scene = scene
			for i := range p.queries {
				p.queries[i].Scene = scene
			}
			add(t, equal, p)
		}
	}
	intervals := 0
	for _, m := range equal.Result().Metrics {
		if !math.IsNaN(m.Low) {
			intervals++
			if math.Abs(m.Low-m.Value) > 1e-12 || math.Abs(m.High-m.Value) > 1e-12 {
				t.Errorf("equal scenes: %+v", m)
			}
		}
	}
	if intervals < 100 {
		t.Errorf("%d intervals", intervals)
	}
}

func TestAPairWithoutKeypointsCountsAs0InWhatJudgesTheDetector(t *testing.T) {
	a := newAccumulator(3)
	one := pairOf("v_a", 2, 1, row{nearest: 1, mutual: true, truth: 1, d1: 1, d2: -1, shared: true})
	p := &one.pair
	p.Shared1, p.SharedK, p.Repeated1, p.RepeatedK, p.RepeatedOnce, p.CorrectSharedK, p.RepeatErrorSum1 = 1, 1, 1, 1, 1, 1, 2
	p.KeynetKeypoints, p.KeynetRepeated, p.KeynetRepeatedSingleScale, p.KeynetPossible = 1, 1, 1, 1
	p.SetHomography([9]float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	add(t, a, one, pairOf("v_b", 2, 0), pairOf("v_c", 2, 5), pairOf("v_d", 2, 0, row{nearest: none, truth: none}))
	r := a.Result()
	for _, name := range []string{"mma@1", "matching_score", "repeatability@3", "repeatability_one_to_one@3"} {
		if m, ok := find(r, "all", name); !ok || m.Value != 0.25 || m.N != 4 {
			t.Errorf("%s: %+v, want 1/4 over 4", name, m)
		}
		if m, ok := find(r, "pair:v_b/1_2", name); !ok || m.Value != 0 || m.N != 1 {
			t.Errorf("%s without keypoints: %+v, want 0", name, m)
		}
	}
	for _, name := range []string{"localization_error", "keynet_repeatability"} { // of what is repeated; docs/presets.md on keynet
		if m, _ := find(r, "all", name); m.N != 1 {
			t.Errorf("%s: %+v, want that of one pair", name, m)
		}
	}
	if m, ok := find(r, "all", "keypoint_spread"); !ok || m.Value != 0.375 || m.N != 4 {
		t.Errorf("spread: %+v", m)
	}
	if m, ok := find(r, "pair:v_b/1_2", "inlier_share"); ok {
		t.Errorf("inlier share of nothing: %+v", m)
	}
}

func TestMatchesAreCountedInTheSharedRegionOfImageK(t *testing.T) {
	b := []keypoints.Keypoint{at(15, 8), at(9, 90), at(60, 60), at(70, 70), at(80, 80)} // back 10 px to the left
	match := func(row int32, errorPx float64, mutual bool) record.Query {
		return record.Query{Descriptor: "d", Scene: "v_a", K: 2, Row: row, Nearest: row, NearestX: b[row].X, NearestY: b[row].Y, NearestError: errorPx, Mutual: mutual}
	}
	queries := []record.Query{match(0, 3, true), match(1, 1, true), match(2, 3.1, true), match(3, 1, false), match(4, 0, true)}
	// Row 1 comes from (-1, 90), 2 is wrong, 3 not mutual.
	if got := CorrectSharedK(queries, Mutual.Match(queries), mapping(shiftBack, [2]int{100, 100}, [2]int{100, 100}), false); got != 2 {
		t.Errorf("%d, want 2", got)
	}
}

// All matches map 10 px to the right, those of the second pair with exchanged points.
func TestExchangedPointsOfImportedMatchesAreNamed(t *testing.T) {
	a := newAccumulator(2)
	for k, dx := range map[int32]float32{2: 10, 3: -10} {
		r := pairOf("v_a", k, 10, slices.Repeat([]row{{nearest: math.Abs(float64(dx) - 10), truth: none, mutual: true}}, 10)...)
		r.pair.Imported = record.ImportedPoints
		r.pair.SetHomography(shift)
		r.pair.Width1, r.pair.Height1, r.pair.WidthK, r.pair.HeightK = 1, 1, 1, 1
		for i := range r.queries {
			r.queries[i].NearestX = dx
		}
		add(t, a, r)
	}
	want := []fact.Fact{fact.New(fact.ExchangedPoints, "v_a").Naming("pairs", "v_a/1_3")}
	if got := a.Result().Facts; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Of 200 matches of each pair, so many are correct.
func TestScenesAndPairsWhoseImportedMatchesAreRandomAreNamed(t *testing.T) {
	a := newAccumulator(2)
	for scene, right := range map[string][]int{"v_a": {3, 4}, "v_b": {4, 4}, "v_c": {3, 200}} {
		for i, right := range right {
			rows := slices.Repeat([]row{{nearest: 99, truth: none, mutual: true}}, 200)
			for i := range right {
				rows[i].nearest = 3
			}
			r := pairOf(scene, int32(i)+2, 200, rows...)
			r.pair.Imported = record.ImportedPoints
			add(t, a, r)
		}
	}
	want := []fact.Fact{fact.New(fact.RandomMatches, "v_a", "v_c").With("px", 3).With("n", 2).Naming("places", "v_a", "v_c/1_2")}
	if got := a.Result().Facts; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Of 100 correct matches of each pair, so many are with keypoint 0.
func TestMatchesOfManyWithOneKeypointAreWarnedAbout(t *testing.T) {
	for _, c := range []struct {
		of   []int32
		want []fact.Fact
	}{{[]int32{25, 26}, nil}, {[]int32{26, 25, 50}, []fact.Fact{fact.New(fact.OneKeypoint).Counting(2, 3)}}} {
		a := newAccumulator(2)
		for i, zeros := range c.of {
			r := pairOf("v_a", int32(i)+2, 200, slices.Repeat([]row{{nearest: 1, truth: none, mutual: true}}, 100)...)
			r.pair.Imported = record.ImportedRows
			for row := range r.queries {
				r.queries[row].Nearest = max(0, int32(row)-zeros+1)
			}
			add(t, a, r)
		}
		if got := a.Result().Facts; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: got %v", c.of, got)
		}
	}
}
