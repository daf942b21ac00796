package tasks

import (
	"math"
	"slices"
	"testing"

	"golang.org/x/sync/semaphore"

	"descbench/descriptors"
	"descbench/eval"
	"descbench/keypoints/draw"
)

func TestBojanicFiguresAreWhatListsOfAllPairsGive(t *testing.T) {
	for seed := range uint64(8) {
		scenes := randomScenes(seed, 4, 18)
		for _, b := range []Bojanic{{N: 5, Repetitions: 3, Seed: seed}, {N: 0, Repetitions: 3, Seed: seed}} {
			pools := poolsOf(scenes, seed)
			a := NewBojanicAccumulator(b)
			order := slices.Clone(scenes)
			slices.Reverse(order)
			for _, s := range order {
				records, err := b.Record(t.Context(), "d", s, pools, Options{Workers: 2, Slots: semaphore.NewWeighted(2)})
				if err != nil {
					t.Fatal(err)
				}
				if err := a.Add(s.Name, records); err != nil {
					t.Fatal(err)
				}
			}
			metrics, _, err := a.Result(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for name, want := range naiveBojanic(b, scenes, pools) {
				i := slices.IndexFunc(metrics, func(m eval.Metric) bool { return m.Scope == "all" && m.Name == name })
				if i < 0 || !near(metrics[i].Value, want) || !(metrics[i].Low <= want && want <= metrics[i].High) {
					t.Errorf("seed %d, %+v: %s: metric %d of %+v, want %v", seed, b, name, i, metrics, want)
				}
			}
		}
	}
}

func nearestRow(a *descriptors.Matrix, i int, b *descriptors.Matrix, rows []int) (row int, d float64) {
	row, d = -1, math.Inf(1)
	for _, j := range rows {
		if x := distance(a, i, b, j); x < d {
			row, d = j, x
		}
	}
	return row, d
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// naiveBojanic follows the protocol's text, one keypoint and one repetition at
// a time.
func naiveBojanic(b Bojanic, scenes []*Scene, pools []Pool) map[string]float64 {
	var matching, verification, retrieval []float64
	for repetition := range b.Rounds() {
		var pairs, queries []float64
		var pooled []labelled
		for _, s := range scenes {
			first := s.Images[0]
			var eligible []int
			for q, k := range first.Keypoints {
				inside := true
				for i := 1; i < 6; i++ {
					x, y := s.Homographies[i].Apply(float64(k.X), float64(k.Y))
					inside = inside && x >= 0 && y >= 0 && x <= 100 && y <= 90
				}
				if inside {
					eligible = append(eligible, q)
				}
			}
			chosen := eligible
			if b.N > 0 && b.N < len(eligible) {
				chosen = nil
				for _, place := range draw.New(b.Seed, "bojanic keypoints", s.Name, repetition).Sample(len(eligible), b.N) {
					chosen = append(chosen, eligible[place])
				}
			}
			for i := 1; i < 6; i++ {
				var samples []labelled
				for _, q := range chosen {
					target := s.Images[i]
					row, d := nearestRow(first.Rows, q, target.Rows, upTo(len(target.Keypoints)))
					if row < 0 {
						continue
					}
					_, best := nearestTo(s, q, i, math.Inf(1))
					k := first.Keypoints[q]
					x, y := s.Homographies[i].Apply(float64(k.X), float64(k.Y))
					px := math.Hypot(float64(target.Keypoints[row].X)-x, float64(target.Keypoints[row].Y)-y)
					samples = append(samples, labelled{d, px <= best})
				}
				pooled = append(pooled, samples...)
				if ap := naiveAP(samples); !math.IsNaN(ap) {
					pairs = append(pairs, ap)
				}
			}
			for _, q := range chosen {
				var samples []labelled
				for i := 1; i < 6; i++ {
					if row, _ := nearestTo(s, q, i, math.Inf(1)); row >= 0 {
						samples = append(samples, labelled{distance(first.Rows, q, s.Images[i].Rows, row), true})
					}
				}
				for _, p := range pools {
					if p.Scene == s.Name {
						continue
					}
					if _, d := nearestRow(first.Rows, q, p.Rows, upTo(p.Rows.Rows)); !math.IsInf(d, 1) {
						pooled = append(pooled, labelled{d, false})
					}
					rows := upTo(p.Rows.Rows)
					if b.N > 0 && b.N < p.Rows.Rows {
						rows = draw.New(b.Seed, "bojanic candidates", s.Name, repetition, p.Scene).Sample(p.Rows.Rows, b.N)
					}
					_, d := nearestRow(first.Rows, q, p.Rows, rows)
					samples = append(samples, labelled{d, false})
				}
				if ap := naiveAP(samples); !math.IsNaN(ap) {
					queries = append(queries, ap)
				}
			}
		}
		matching = append(matching, meanOf(pairs))
		verification = append(verification, naiveAP(pooled))
		retrieval = append(retrieval, meanOf(queries))
	}
	out := map[string]float64{
		"bojanic_matching_map": meanOf(matching), "bojanic_verification_ap": meanOf(verification), "bojanic_retrieval_map": meanOf(retrieval),
	}
	return out
}

func TestARepetitionTakesOtherKeypoints(t *testing.T) {
	scenes := randomScenes(1, 3, 30)
	b := Bojanic{N: 4, Repetitions: 4, Seed: 3}
	records, err := b.Record(t.Context(), "d", scenes[0], poolsOf(scenes, 3), Options{})
	if err != nil {
		t.Fatal(err)
	}
	rows := make(map[int32]map[int32]bool)
	for _, r := range records {
		if rows[r.Repetition] == nil {
			rows[r.Repetition] = make(map[int32]bool)
		}
		rows[r.Repetition][r.Row] = true
	}
	different := make(map[int32]bool)
	for repetition := range int32(4) {
		if len(rows[repetition]) != 4 {
			t.Errorf("repetition %d has keypoints %v, want 4", repetition, rows[repetition])
		}
		for row := range rows[repetition] {
			different[row] = true
		}
	}
	if len(different) < 8 {
		t.Errorf("only %d different keypoints in all", len(different))
	}
}
