package distractors

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"descbench/eval/fact"
	"descbench/eval/must"
	"descbench/eval/random"
	"descbench/keypoints"
)

func TestWorkbenchRecordsAreWhatListsOfAllPairsGive(t *testing.T) {
	for seed := range uint64(12) {
		scenes := randomScenes(seed, 5, 14)
		for _, s := range scenes {
			checkWorkbench(t, seed, s, poolsOf(scenes, seed))
		}
	}
	scenes := randomScenes(12, 5, 14)
	scenes[0] = randomScene(rand.New(rand.NewPCG(12, 8)), scenes[0].Name, 2*rowsPerTile)
	first, rows := &scenes[0].Images[0], upTo(rowsPerTile + 5)[rowsPerTile-5:] // query i is near row i of the others
	first.Keypoints, first.Rows = first.Keypoints[rows[0]:rowsPerTile+5], first.Rows.Select(rows)
	checkWorkbench(t, 12, scenes[0], poolsOf(scenes, 12))
}

func checkWorkbench(t *testing.T, seed uint64, s *Scene, pools []Pool) {
	t.Helper()
	for i := 1; i < len(s.Images); i++ {
		for q := i; q < len(s.There[i]); q += 7 {
			s.There[i][q] = keypoints.Place{X: math.NaN(), Y: math.NaN(), State: keypoints.Unknown} // in which nothing is wrong or right
		}
	}
	w := Workbench{TolerancePx: 3, DistractorScenes: 3, DistractorsPerScene: 4, Seed: seed}
	got := must.Get(w.Record(t.Context(), "d", s, pools))(t)
	want := naiveWorkbench(w, s, pools)
	if !near(got.VerificationAP, want.VerificationAP) || !near(got.RetrievalAPSum, want.RetrievalAPSum) || !near(got.RetrievalAPSumIgnoring, want.RetrievalAPSumIgnoring) {
		t.Errorf("seed %d, %s:\ngot  %+v\nwant %+v", seed, s.Name, got, want)
	}
	if got.TruePositives != want.TruePositives || got.HardNegatives != want.HardNegatives || got.Distractors != want.Distractors ||
		got.RetrievalQueries != want.RetrievalQueries || got.Queries != want.Queries || got.InvalidQueries != want.InvalidQueries || got.PoolScenes != 4 {
		t.Errorf("seed %d, %s: counts\ngot  %+v\nwant %+v", seed, s.Name, got, want)
	}
}

func naiveWorkbench(w Workbench, s *Scene, pools []Pool) WorkbenchRecord {
	var elsewhere []Pool
	for _, p := range pools {
		if p.Scene != s.Name {
			elsewhere = append(elsewhere, p)
		}
	}
	slices.SortFunc(elsewhere, func(a, b Pool) int { return strings.Compare(a.Scene, b.Scene) })
	first := s.Images[0]
	r := WorkbenchRecord{Queries: int64(len(first.Keypoints))}
	var verification []labelled
	for q := range first.Keypoints {
		if first.Rows.IsInvalid(q) {
			r.InvalidQueries++
		}
		var counting, ignoring []labelled
		for i := 1; i < 6; i++ {
			if s.There[i][q].State == keypoints.Unknown {
				continue
			}
			truth, _ := nearestTo(s, q, i, w.TolerancePx)
			for j := range s.Images[i].Keypoints {
				x := labelled{distance(first.Rows, q, s.Images[i].Rows, j), j == truth}
				counting = append(counting, x)
				if x.positive {
					r.TruePositives++
					ignoring = append(ignoring, x)
				} else {
					r.HardNegatives++
				}
			}
		}
		stream := random.New(w.Seed, "workbench distractors", s.Name, q)
		for _, p := range stream.Sample(len(elsewhere), min(w.DistractorScenes, len(elsewhere))) {
			rows := elsewhere[p].Rows
			for _, j := range stream.Sample(rows.Rows, min(w.DistractorsPerScene, rows.Rows)) {
				x := labelled{distance(first.Rows, q, rows, j), false}
				counting, ignoring = append(counting, x), append(ignoring, x)
				r.Distractors++
			}
		}
		verification = append(verification, counting...)
		if ap := naiveAP(counting); !math.IsNaN(ap) {
			r.RetrievalQueries++
			r.RetrievalAPSum += ap
			r.RetrievalAPSumIgnoring += naiveAP(ignoring)
		}
	}
	r.VerificationAP = naiveAP(verification)
	return r
}

// Two scenes: verification is a mean over them, retrieval one over queries.
func TestWorkbenchFiguresWorkedByHand(t *testing.T) {
	records := []WorkbenchRecord{
		{Scene: "v_a", VerificationAP: 0.5, TruePositives: 6, HardNegatives: 60, Distractors: 20, Queries: 5, RetrievalQueries: 4, RetrievalAPSum: 2, RetrievalAPSumIgnoring: 3, PoolScenes: 2},
		{Scene: "i_b", VerificationAP: 0.25, TruePositives: 1, HardNegatives: 10, Distractors: 10, Queries: 1, RetrievalQueries: 1, RetrievalAPSum: 1, RetrievalAPSumIgnoring: 1, PoolScenes: 1},
		{Scene: "i_c", VerificationAP: math.NaN(), HardNegatives: 4, Queries: 1, InvalidQueries: 1, PoolScenes: 2},
	}
	check := func(hardNegatives string, want map[string]float64) {
		t.Helper()
		a := NewAccumulator("", Protocols{Workbench: &Workbench{DistractorScenes: 2, HardNegatives: hardNegatives}})
		for _, r := range records {
			must.Do(t, a.Add(r.Scene, []WorkbenchRecord{r}, nil))
		}
		metrics, facts, err := a.Result(t.Context(), 1)
		must.Do(t, err)
		wanted := []fact.Fact{
			fact.New(fact.FewDistractors, "i_b").Of("workbench_tasks").With("want", 2).With("i_b others", 1),
			fact.New(fact.NoPositives, "i_c").Of("workbench_tasks"),
			fact.New(fact.InvalidInTask).Of("workbench_tasks").Counting(1, 7),
		}
		if !reflect.DeepEqual(facts, wanted) {
			t.Errorf("facts %v, want %v", facts, wanted)
		}
		for name, value := range want {
			got, there := valueOf(metrics, name)
			if there == math.IsNaN(value) || there && !near(got, value) {
				t.Errorf("%s: %s is %v (%v), want %v", hardNegatives, name, got, there, value)
			}
		}
	}
	check(CountHardNegatives, map[string]float64{
		"all keypoint_verification_ap": 0.375, "all verification_viewpoint_ap": 0.5, "all verification_illumination_ap": 0.25,
		"all keypoint_retrieval_ap": 3. / 5, "all retrieval_viewpoint_ap": 0.5, "all retrieval_illumination_ap": 1,
		"all retrieval_num_true_positives": 7, "all retrieval_num_hard_negatives": 74, "all retrieval_num_distractors": 30,
		"illumination keypoint_verification_ap": 0.25, "scene:v_a keypoint_retrieval_ap": 0.5, "scene:i_b retrieval_num_true_positives": 1, "scene:i_c keypoint_verification_ap": math.NaN(),
		"illumination retrieval_num_hard_negatives": 14, "all verification_all_ap": math.NaN(),
	})
	check(IgnoreHardNegatives, map[string]float64{"all keypoint_retrieval_ap": 4. / 5, "all retrieval_viewpoint_ap": 3. / 4, "all keypoint_verification_ap": 0.375, "all retrieval_num_hard_negatives": 0})
}

// Without distractors, nothing is left to be wrong where hard negatives are ignored.
func TestRetrievalThatCannotFailIsUndefined(t *testing.T) {
	for hardNegatives, want := range map[string]float64{CountHardNegatives: 3. / 8, IgnoreHardNegatives: 1. / 2} {
		a := NewAccumulator("", Protocols{Workbench: &Workbench{HardNegatives: hardNegatives}})
		for _, r := range []WorkbenchRecord{
			{Scene: "v_a", VerificationAP: 0.5, TruePositives: 4, HardNegatives: 9, Queries: 2, RetrievalQueries: 2, RetrievalAPSum: 0.5, RetrievalAPSumIgnoring: 2},
			{Scene: "v_b", VerificationAP: 0.5, TruePositives: 4, HardNegatives: 9, Distractors: 5, Queries: 2, RetrievalQueries: 2, RetrievalAPSum: 1, RetrievalAPSumIgnoring: 1},
		} {
			must.Do(t, a.Add(r.Scene, []WorkbenchRecord{r}, nil))
		}
		metrics, facts, err := a.Result(t.Context(), 1)
		must.Do(t, err)
		if got, _ := valueOf(metrics, "all keypoint_retrieval_ap"); got != want {
			t.Errorf("%s: %v, want %v", hardNegatives, got, want)
		}
		_, alone := valueOf(metrics, "scene:v_a keypoint_retrieval_ap")
		if ignoring := hardNegatives == IgnoreHardNegatives; alone == ignoring || (len(facts) == 1) != ignoring || ignoring && !reflect.DeepEqual(facts[0], fact.New(fact.NoDistractors, "v_a").Of("workbench_tasks").Naming("excluded", "keypoint_retrieval_ap")) {
			t.Errorf("%s: v_a has a value: %v; facts %v", hardNegatives, alone, facts)
		}
	}
}

// A pool has more than four rows, and there are two.
func TestTheNumberOfDistractorsIsAskedFor(t *testing.T) {
	scenes := randomScenes(3, 3, 10)
	for n, scenes := range [][]*Scene{scenes, scenes, scenes, scenes[:2]} {
		want := 4 * min(n, len(scenes)-1)
		w := Workbench{TolerancePx: 3, DistractorScenes: n, DistractorsPerScene: 4, Seed: 1}
		got, err := w.Record(t.Context(), "d", scenes[0], poolsOf(scenes, 1))
		if err != nil || got.Distractors != int64(want)*got.Queries || got.HardNegatives == 0 {
			t.Errorf("%d scenes: %+v, %v", n, got, err)
		}
	}
}
