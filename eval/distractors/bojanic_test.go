package distractors

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/fact"
	"descbench/eval/must"
	"descbench/eval/random"
	"descbench/eval/scope"
	"descbench/eval/stats"
	"descbench/keypoints"
)

func TestBojanicFiguresAreWhatListsOfAllPairsGive(t *testing.T) {
	for seed := range uint64(8) {
		scenes := randomScenes(seed, 5, 12)
		for _, b := range []Bojanic{{N: 5, Repetitions: 3, Seed: seed}, {N: 1, Repetitions: 3, Seed: seed}, {N: 0, Repetitions: 3, Seed: seed}} {
			a := NewAccumulator("d", Protocols{Bojanic: &b})
			order := slices.Clone(scenes)
			slices.Reverse(order)
			for _, s := range order {
				must.Do(t, a.Add(s.Name, nil, bojanicRecords(t, b, s, scenes)))
			}
			metrics, _, err := a.Result(t.Context(), 2)
			must.Do(t, err)
			wanted := naiveBojanic(b, scenes, "")
			for name, want := range naiveBojanic(b, scenes, "v_") {
				task, figure, _ := strings.Cut(strings.TrimPrefix(name, "bojanic_"), "_")
				wanted["bojanic_"+task+"_viewpoint_"+figure] = want
			}
			for name, want := range wanted {
				i := slices.IndexFunc(metrics, func(m scope.Metric) bool { return m.Scope == "all" && m.Name == name })
				if i < 0 || !near(metrics[i].Value, want) || name != "bojanic_matching_map" && strings.Contains(name, "viewpoint") == (metrics[i].Low <= metrics[i].Value && metrics[i].Value <= metrics[i].High) {
					m := scope.Metric{}
					if i >= 0 {
						m = metrics[i]
					}
					t.Errorf("seed %d, %+v: %s: metric %d, %+v, want %v", seed, b, name, i, m, want)
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
func naiveBojanic(b Bojanic, scenes []*Scene, prefix string) map[string]float64 {
	var matching, verification, retrieval []float64
	for repetition := range b.Repetitions {
		var pairs, queries []float64
		var pooled []labelled
		pools := poolsIn(scenes, b.Seed, repetition)
		for _, s := range scenes {
			if !strings.HasPrefix(s.Name, prefix) {
				continue
			}
			first := s.Images[0]
			var eligible []int
			for q := range first.Keypoints {
				inside := true
				for i := 1; i < 6; i++ {
					p := s.There[i][q]
					inside = inside && p.X >= 0 && p.Y >= 0 && p.X <= 100 && p.Y <= 90
				}
				if inside {
					eligible = append(eligible, q)
				}
			}
			chosen := eligible
			if b.N > 0 && b.N < len(eligible) {
				chosen = nil
				for _, place := range random.New(b.Seed, "bojanic keypoints", s.Name, repetition).Sample(len(eligible), b.N) {
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
					p := s.There[i][q]
					px := math.Hypot(float64(target.Keypoints[row].X)-p.X, float64(target.Keypoints[row].Y)-p.Y)
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
						rows = random.New(b.Seed, "bojanic candidates", s.Name, repetition, p.Scene).Sample(p.Rows.Rows, b.N)
					}
					_, d := nearestRow(first.Rows, q, p.Rows, rows)
					samples = append(samples, labelled{d, false})
				}
				if ap := naiveAP(samples); !math.IsNaN(ap) {
					queries = append(queries, ap)
				}
			}
		}
		matching = append(matching, stats.Mean(pairs))
		verification = append(verification, naiveAP(pooled))
		retrieval = append(retrieval, stats.Mean(queries))
	}
	defined := func(values []float64) float64 { return stats.Mean(slices.DeleteFunc(values, math.IsNaN)) }
	return map[string]float64{
		"bojanic_matching_map": defined(matching), "bojanic_verification_ap": defined(verification), "bojanic_retrieval_map": defined(retrieval),
	}
}

// The authors' code removes keypoints whose projection has x < 0 or width < x, and y
// likewise (removeUncommonPoints).
func TestKeypointsOnTheEdgeOfATargetStay(t *testing.T) {
	for at, want := range map[[2]float64]bool{{20, 10}: true, {0, 0}: true, {20.5, 5}: false, {10, 10.5}: false, {-.5, 5}: false, {5, -.5}: false} {
		r := &bojanicScene{scene: &Scene{Images: []Image{{}, {Width: 20, Height: 10}}, There: [][]keypoints.Place{nil, {{X: at[0], Y: at[1]}}}}}
		if got := r.staysInside(0); got != want {
			t.Errorf("(%v, %v): %v, want %v", at[0], at[1], got, want)
		}
	}
}

// One repetition of two scenes. v_a: pair 2 has right 1 and 3 and wrong 2, AP
// (1 + 2/3)/2 = 5/6; pair 3 has no correct match and does not count. i_b: pair 2
// has right 1 beside wrong 1, AP 1/2. Verification: right 1 3 1, wrong 2 2 1 and
// from elsewhere 1 5: at 1 2 × 2/4, at 3 1 × 3/7, AP (1 + 3/7)/3 = 10/21.
// Retrieval: (1 + 1/2 + 0.3)/3.
func TestBojanicFiguresWorkedByHand(t *testing.T) {
	nan := math.NaN()
	r := func(scene string, row, k int32, other string, correct bool, d, ap float64) BojanicRecord {
		return BojanicRecord{Descriptor: "d", Scene: scene, Row: row, K: k, Other: other, Correct: correct, Distance: d, AP: ap}
	}
	b := NewAccumulator("d", Protocols{Bojanic: &Bojanic{N: 3, Repetitions: 1, Seed: 1}})
	invalid := r("v_a", 6, kRetrieval, "", false, nan, nan)
	invalid.Invalid = true
	alone := invalid
	alone.Scene = "i_d"
	for scene, records := range map[string][]BojanicRecord{
		"v_a": {
			r("v_a", 4, 2, "", true, 1, nan), r("v_a", 5, 2, "", true, 3, nan), r("v_a", 6, 2, "", false, 2, nan),
			r("v_a", 4, 3, "", false, 2, nan), r("v_a", 4, kOther, "i_b", false, 5, nan),
			r("v_a", 4, kRetrieval, "", false, nan, 1), r("v_a", 5, kRetrieval, "", false, nan, 0.5), invalid,
		},
		"i_b": {r("i_b", 0, 2, "", true, 1, nan), r("i_b", 1, 2, "", false, 1, nan), r("i_b", 0, kOther, "v_a", false, 1, nan), r("i_b", 0, kRetrieval, "", false, nan, 0.3)},
		"i_c": nil,
		"i_d": {alone},
	} {
		must.Do(t, b.Add(scene, nil, records))
	}
	metrics, facts, err := b.Result(t.Context(), 1)
	must.Do(t, err)
	for name, want := range map[string]float64{
		"all bojanic_matching_map": (5./6 + 1./2) / 2, "all bojanic_matching_viewpoint_map": 5. / 6, "all bojanic_matching_illumination_map": 1. / 2,
		"all bojanic_verification_ap": 10. / 21, "all bojanic_retrieval_map": 0.6, "all bojanic_retrieval_viewpoint_map": 0.75,
		// Wrong 2 2 5, right 1 3: (1 + 2/4)/2.
		"all bojanic_verification_viewpoint_ap": 3. / 4, "scene:v_a bojanic_verification_ap": 3. / 4, "viewpoint bojanic_matching_map": 5. / 6,
	} {
		if got, there := valueOf(metrics, name); !there || !near(got, want) {
			t.Errorf("%s: %v (%v), want %v", name, got, there, want)
		}
	}
	for _, m := range metrics {
		if strings.HasSuffix(m.Name, "_std") {
			t.Errorf("the spread of one repetition is %+v, want none", m)
		}
		if m.Scope == scope.All && m.Name == "bojanic_verification_ap" && m.N != 8 {
			t.Errorf("%d labelled matches, want 8", m.N)
		}
	}
	want := []fact.Fact{
		fact.New(fact.FewReference, "i_b", "i_c", "i_d").Of("bojanic_2019").With("want", 3).With("i_b keypoints", 1).With("i_c keypoints", 0).With("i_d keypoints", 1),
		fact.New(fact.InvalidInTask).Of("bojanic_2019").Counting(2, 5),
	}
	if !reflect.DeepEqual(facts, want) {
		t.Errorf("facts %v, want %v", facts, want)
	}
}

func TestFiguresOfFewPairsAreNotLost(t *testing.T) {
	b := NewAccumulator("d", Protocols{Bojanic: &Bojanic{N: 3, Repetitions: 5, Seed: 1}})
	records := []BojanicRecord{
		{Descriptor: "d", Scene: "v_a", Row: 1, K: kRetrieval, Distance: math.NaN(), AP: math.NaN(), Invalid: true},
		{Descriptor: "d", Scene: "v_a", K: 2, Correct: true, Distance: 1, AP: math.NaN()},
		{Descriptor: "d", Scene: "v_a", K: kRetrieval, Distance: math.NaN(), AP: 1},
	}
	must.Do(t, b.Add("v_a", nil, records))
	metrics, facts, err := b.Result(t.Context(), 1)
	i := slices.IndexFunc(metrics, func(m scope.Metric) bool { return m.Scope == "all" && m.Name == "bojanic_matching_map" })
	if err != nil || i < 0 || metrics[i].Value != 1 || metrics[i].N != 1 {
		t.Errorf("%v, %v, want a mAP of 1 over one pair", metrics, err)
	}
	if !slices.Equal(kindsOf(facts), []fact.Kind{fact.FewReference, fact.NoDistractors, fact.InvalidInTask}) {
		t.Errorf("facts %v, want one of each kind", facts)
	}
}

// Repetitions of 1, 1/2 and 3/4: mean 3/4, standard deviation √((1/16 + 1/16)/2)
// = 1/4.
func TestSpreadIsTheStandardDeviationOverRepetitions(t *testing.T) {
	b := NewAccumulator("d", Protocols{Bojanic: &Bojanic{N: 1, Repetitions: 3, Seed: 1}})
	var records []BojanicRecord
	for i, ap := range []float64{1, 0.5, 0.75} {
		records = append(records, BojanicRecord{Descriptor: "d", Scene: "v_a", Repetition: int32(i), AP: ap, Distance: math.NaN()})
	}
	must.Do(t, b.Add("v_a", nil, records))
	metrics, _, err := b.Result(t.Context(), 1)
	mean, _ := valueOf(metrics, "all bojanic_retrieval_map")
	spread, _ := valueOf(metrics, "all bojanic_retrieval_map_std")
	if err != nil || !near(mean, 0.75) || !near(spread, 0.25) {
		t.Errorf("mean %v, spread %v, %v", mean, spread, err)
	}
}

// With one repetition, or equal ones, a mean over pairs or queries is a plain ratio of sums
// over scenes, whose interval comes from 10 000 or 1000 resamples. A scene without queries
// does not count.
func TestTheIntervalOfEqualRepetitionsIsThatOfARatio(t *testing.T) {
	for _, repetitions := range []int{1, 2} {
		b := NewAccumulator("d", Protocols{Bojanic: &Bojanic{N: 0, Repetitions: repetitions, Seed: 1}})
		var sums, numbers []float64
		for i := range 7 {
			scene := "v_" + string(rune('a'+i))
			var records []BojanicRecord
			sum := 0.0
			for row := range i + 1 {
				ap := 1 / float64(1+(3*i+5*row)%7)
				sum += ap
				for r := range int32(repetitions) {
					records = append(records, BojanicRecord{Descriptor: "d", Scene: scene, Repetition: r, Row: int32(row), AP: ap, Distance: math.NaN()})
				}
			}
			must.Do(t, b.Add(scene, nil, records))
			sums, numbers = append(sums, sum), append(numbers, float64(i+1))
		}
		must.Do(t, b.Add("v_z", nil, nil))
		metrics, _, err := b.Result(t.Context(), 2)
		resamples := stats.NewBootstrap(stats.FixedSeed, 7)
		want := resamples.Ratio(sums, numbers)
		if repetitions > 1 {
			want, _ = resamples.Statistic(t.Context(), 1, func(times []uint8) float64 {
				sum, n := 0.0, 0.0
				for i, k := range times {
					sum, n = sum+float64(k)*sums[i], n+float64(k)*numbers[i]
				}
				return sum / n
			})
			if spread, there := valueOf(metrics, "all bojanic_retrieval_map_std"); !there || spread != 0 {
				t.Errorf("a spread of %v (%v), want 0", spread, there)
			}
		}
		i := slices.IndexFunc(metrics, func(m scope.Metric) bool { return m.Scope == "all" && m.Name == "bojanic_retrieval_map" })
		if err != nil || i < 0 || !near(metrics[i].Low, want.Low) || !near(metrics[i].High, want.High) || metrics[i].N != 28*repetitions {
			t.Errorf("%d repetitions: %+v, %v, want an interval of %+v", repetitions, metrics, err, want)
		}
	}
}

// The authors' code takes at most 100 images of other scenes.
func TestNegativesComeFromAHundredScenes(t *testing.T) {
	scene := randomScenes(3, 1, 6)[0]
	var pools []Pool
	for i := range 103 {
		pools = append(pools, Pool{fmt.Sprint("i_", i), scene.Images[1].Rows})
	}
	records, err := Bojanic{N: 1, Repetitions: 1, Seed: 1}.Record(t.Context(), "d", scene, 0, pools)
	n := 0
	for _, r := range records {
		if r.K == kOther {
			n++
		}
	}
	if err != nil || n != 100 {
		t.Errorf("negatives from %d scenes, %v, want 100", n, err)
	}
}
