package y2017

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/fact"
	"descbench/eval/must"
	"descbench/eval/patches"
	"descbench/eval/scope"
)

// randomInput has six sequences of a few patches with random descriptors of a
// type, which are alike within a place, and random lists.
func randomInput(t *testing.T, kind string) *Input {
	t.Helper()
	rng := rand.New(rand.NewPCG(11, 12))
	const dim = 6
	all := map[string]map[string]*descriptors.Matrix{}
	names := []string{"i_a", "i_b", "i_c", "v_d", "v_e", "other"}
	for _, name := range names {
		n := 20 + rng.IntN(5)
		base := make([]float64, n*dim)
		for i := range base {
			base[i] = rng.Float64()
		}
		all[name] = map[string]*descriptors.Matrix{}
		for _, image := range Images() {
			m := &descriptors.Matrix{Rows: n, Dim: dim, Type: descriptors.Uint8}
			for _, v := range base {
				v += 0.7 * (rng.Float64() - 0.5)
				switch kind {
				case "bits":
					m.Uint8 = append(m.Uint8, uint8(max(0, min(1, math.Round(v)))))
				case "uint8":
					m.Uint8 = append(m.Uint8, uint8(max(0, 3*v)))
				default:
					m.Float32 = append(m.Float32, float32(v))
				}
			}
			if kind != "bits" && kind != "uint8" {
				m.Type = descriptors.Float32
			}
			if kind == "not finite" && rng.IntN(2) == 0 {
				i := rng.IntN(n)
				m.Float32[i*dim] = float32(math.NaN())
				m.Mark(i)
			}
			all[name][image] = m
		}
	}
	set, err := patches.NewSet("random", all)
	must.Do(t, err)
	in := &Input{Set: set, Split: Split{Name: "r", Test: names}}
	if in.Sequences, err = newSequences(set, names); err != nil {
		t.Fatal(err)
	}
	patch := func() Patch {
		s := rng.IntN(len(names))
		return Patch{Index: int32(rng.IntN(in.Sequences.Patches[s])), Sequence: uint16(s)}
	}
	for i := range 260 {
		p := Pair{A: patch()}
		p.B = p.A
		p.A.Image, p.B.Image = 0, uint8(1+rng.IntN(5))
		in.Positive = append(in.Positive, p)
		p.B.Index = int32(rng.IntN(20))
		in.Intra = append(in.Intra, p)
		if i < 250 { // fewer of one kind
			image := p.B.Image
			p.B = patch()
			p.B.Image = image
			in.Inter = append(in.Inter, p)
		}
	}
	for range 15 {
		in.Queries = append(in.Queries, patch())
	}
	for range 160 {
		in.Distractors = append(in.Distractors, patch())
	}
	return in
}

func near(t *testing.T, what string, got Share, want float64) {
	t.Helper()
	if math.IsNaN(float64(got)) && math.IsNaN(want) {
		return // of nothing
	}
	if !(math.Abs(float64(got)-want) <= 1e-12) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestEveryProtocolAndDistanceFollowsItsDefinition(t *testing.T) {
	for _, kind := range []string{"bits", "uint8", "float32", "not finite"} {
		distances := []patches.Distance{patches.L2, patches.L1, patches.MaskedL1}
		if kind == "bits" {
			distances = append(distances, patches.Hamming)
		}
		in := randomInput(t, kind)
		for _, distance := range distances {
			for _, protocol := range Protocols() {
				t.Run(fmt.Sprintf("%s/%s/%s", kind, distance, protocol), func(t *testing.T) {
					r := must.Get(in.Evaluate(context.Background(), Options{Protocol: protocol, Distance: distance}))(t)
					n := newNaive(in, protocol, distance)
					follows(t, n, &r.Figures)
					if distance == patches.L2 {
						n.category = scope.Illumination
						follows(t, n, r.Illumination)
						n.category = scope.Viewpoint
						follows(t, n, r.Viewpoint)
						for i, sequence := range r.Sequences {
							n.category = in.Split.Test[i]
							if sequence.Name != n.category {
								t.Fatalf("sequence %d is %s, want %s", i, sequence.Name, n.category)
							}
							follows(t, n, &sequence.Figures)
						}
					}
					near(t, "balanced", r.Matching.Balanced.Hard, float64(r.Illumination.Matching.MAP.Hard+r.Viewpoint.Matching.MAP.Hard)/2)
				})
			}
		}
	}
}

func follows(t *testing.T, n naive, f *Figures) {
	t.Helper()
	for k, noise := range Noises() {
		for kind, pairs := range map[string][]Pair{"inter": n.in.Inter, "intra": n.in.Intra} {
			auc, ap := n.verification(noise, pairs)
			cell := f.Verification.noise(k).Inter
			if kind == "intra" {
				cell = f.Verification.noise(k).Intra
			}
			near(t, n.category+" "+noise+" "+kind+" AUC", cell.BalancedAUC, auc)
			near(t, n.category+" "+noise+" "+kind+" AP", cell.ImbalancedAP, ap)
		}
		m, r := f.Matching.MAP, f.Retrieval.MAP
		near(t, n.category+" "+noise+" matching", []Share{m.Easy, m.Hard, m.Tough}[k], n.matching(noise))
		for _, size := range []int{100, 500} {
			near(t, fmt.Sprint(n.category, " ", noise, " retrieval ", size), []map[int]Share{r.Easy, r.Hard, r.Tough}[k][size], n.retrieval(noise, size))
		}
	}
}

func TestTheNumberOfWorkersDoesNotAlterTheResult(t *testing.T) {
	in := randomInput(t, "float32")
	first := ""
	for workers := 1; workers <= 4; workers++ {
		r := must.Get(in.Evaluate(context.Background(), Options{Protocol: P17, Distance: patches.L2, Workers: workers}))(t)
		got := fmt.Sprintf("%+v", []any{r.Metrics(), r.Matching.Pairs, r.Retrieval.Queries, r.Facts})
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("%d workers: got %s, want %s", workers, got, first)
		}
	}
}

func TestGroupedFiguresDoNotDependOnTheOrderOfPairsAndDistractors(t *testing.T) {
	in := randomInput(t, "bits")
	opt := Options{Protocol: Grouped, Distance: patches.Hamming, Tasks: []Task{Verification, Retrieval}}
	before := must.Get(in.Evaluate(context.Background(), opt))(t)
	slices.Reverse(in.Inter)
	slices.Reverse(in.Intra)
	slices.Reverse(in.Queries)
	slices.Reverse(in.Distractors)
	after := must.Get(in.Evaluate(context.Background(), opt))(t)
	near(t, "AUC", after.Verification.Hard.Inter.BalancedAUC, float64(before.Verification.Hard.Inter.BalancedAUC))
	near(t, "AP", after.Verification.Hard.Intra.ImbalancedAP, float64(before.Verification.Hard.Intra.ImbalancedAP))
	near(t, "retrieval", after.Retrieval.MAP.Mean[20000], float64(before.Retrieval.MAP.Mean[20000]))
	if after.Matching != nil {
		t.Error("matching was not asked for")
	}
}

func TestADescriptorThatSeesNoDifferenceScoresHalfUnderGroupedAlone(t *testing.T) {
	in := randomInput(t, "uint8")
	constant, err := in.Set.Map(2, func(_, _ string, m *descriptors.Matrix) []float32 { return make([]float32, 2*m.Rows) })
	must.Do(t, err)
	in.Set = constant
	for protocol, want := range map[Protocol]float64{P17: 0, M17: 1, HB2016: 1, Grouped: 0.5} {
		r := must.Get(in.Evaluate(context.Background(), Options{Protocol: protocol, Distance: patches.L2}))(t)
		near(t, string(protocol), r.Verification.Easy.Intra.BalancedAUC, want)
	}
}

func TestM17AlsoTakesTheFirst2000LinesOfTheDistractors(t *testing.T) {
	in := randomInput(t, "uint8")
	for len(in.Distractors) < 2500 {
		in.Distractors = append(in.Distractors, in.Distractors...)
	}
	r, err := in.Evaluate(context.Background(), Options{Protocol: M17, Distance: patches.L2, Tasks: []Task{Retrieval}})
	must.Do(t, err)
	in.Distractors = in.Distractors[:2000]
	n := newNaive(in, M17, patches.L2)
	near(t, "first 2000", r.Retrieval.FirstDistractors.Tough, n.retrieval("t", math.MaxInt))
	if r, err = in.Evaluate(context.Background(), Options{Protocol: P17, Distance: patches.L2, Tasks: []Task{Retrieval}}); err != nil || r.Retrieval.FirstDistractors != nil {
		t.Errorf("P17 has no such pool: %v, %v", r.Retrieval.FirstDistractors, err)
	}
}

func TestOddListsAreWarnedAbout(t *testing.T) {
	in := randomInput(t, "not finite")
	r, err := in.Evaluate(context.Background(), Options{Protocol: P17, Distance: patches.L2})
	must.Do(t, err)
	var kinds []fact.Kind
	for _, f := range r.Facts {
		kinds = append(kinds, f.Kind)
	}
	if want := []fact.Kind{fact.NotFinite, fact.ShortPool, fact.UnequalPairs, fact.InterSameSequence}; !slices.Equal(kinds, want) {
		t.Fatalf("got %v, want %v", kinds, want)
	}
	want := []fact.Fact{
		fact.New(fact.ShortPool).Of("retrieval").With("first", 500).With("last", 20000).With("least", 133).With("most", 145),
		fact.New(fact.UnequalPairs).Of("verification").With("positives", 260).With("negatives", 250).Naming("list", "inter"),
	}
	if got := r.Facts[1:3]; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestUndefinedFiguresAreNoMetrics(t *testing.T) {
	in := randomInput(t, "uint8")
	in.Positive = in.Positive[:3] // a fifth of them is none
	r, err := in.Evaluate(context.Background(), Options{Protocol: P17, Distance: patches.L2, Tasks: []Task{Verification}})
	must.Do(t, err)
	if v := float64(r.Verification.Easy.Inter.ImbalancedAP); !math.IsNaN(v) {
		t.Errorf("got %v, want an undefined figure", v)
	}
	for _, m := range r.Metrics() {
		if strings.Contains(m.Name, "imbalanced") {
			t.Errorf("an undefined figure is a metric: %v", m)
		}
	}
}

func TestMetricsHoldEveryFigureWithWhatItIsAMeanOver(t *testing.T) {
	in := randomInput(t, "uint8")
	r := must.Get(in.Evaluate(context.Background(), Options{Protocol: P17, Distance: patches.L2}))(t)
	got := map[string]scope.Metric{}
	for _, m := range r.Metrics() {
		if _, twice := got[m.Scope+" "+m.Name]; twice {
			t.Errorf("%s %s twice", m.Scope, m.Name)
		}
		got[m.Scope+" "+m.Name] = m
	}
	for name, want := range map[string]struct {
		value Share
		n     int
	}{
		"all patch_matching_map_h":                             {r.Matching.MAP.Hard, 30},
		"viewpoint patch_matching_map_mean":                    {r.Viewpoint.Matching.MAP.Mean, 30},
		"all patch_retrieval_map_100_e":                        {r.Retrieval.MAP.Easy[100], 15},
		"all patch_verification_t_inter_balanced_auc":          {r.Verification.Tough.Inter.BalancedAUC, 510},
		"all patch_verification_t_balanced_auc":                {(r.Verification.Tough.Inter.BalancedAUC + r.Verification.Tough.Intra.BalancedAUC) / 2, 510 + 520},
		"all patch_verification_mean_imbalanced_ap":            {r.VerificationMean.ImbalancedAP, 3*(52+250) + 3*(52+260)},
		"illumination patch_verification_e_intra_balanced_auc": {r.Illumination.Verification.Easy.Intra.BalancedAUC, r.Illumination.Verification.Easy.Intra.BalancedPairs},
	} {
		if m, ok := got[name]; !ok || m.Value != float64(want.value) || m.N != want.n {
			t.Errorf("%s: got %+v, want %v over %d", name, m, want.value, want.n)
		}
	}
}

func TestACancelledEvaluationFails(t *testing.T) {
	in := randomInput(t, "uint8")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, task := range Tasks() {
		if _, err := in.Evaluate(ctx, Options{Protocol: P17, Distance: patches.L2, Tasks: []Task{task}}); err == nil {
			t.Errorf("%s succeeded", task)
		}
	}
}

func TestHammingOfOtherThanBitsIsRefused(t *testing.T) {
	_, err := randomInput(t, "uint8").Evaluate(context.Background(), Options{Protocol: P17, Distance: patches.Hamming})
	want := "random: distance hamming needs descriptors of 0 and 1; found other values (of packed bytes, write numpy.unpackbits(rows, axis=1)); L2 also ranks bits by their Hamming distance"
	must.Fail(t, err, want)
}
