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
		for _, image := range patches.Images(Noises()...) {
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
		return Patch{Index: int32(rng.IntN(in.Sequences[s].Patches)), Sequence: uint16(s)}
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

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.IsNaN(got) && math.IsNaN(want) {
		return // of nothing
	}
	if !(math.Abs(got-want) <= 1e-12) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func TestEveryProtocolAndDistanceFollowsItsDefinition(t *testing.T) {
	for _, kind := range []string{"bits", "uint8", "float32", "not finite"} {
		in := randomInput(t, kind)
		for _, distance := range Distances() {
			for _, protocol := range Protocols() {
				t.Run(fmt.Sprintf("%s/%s/%s", kind, distance, protocol), func(t *testing.T) {
					r := must.Get(in.Evaluate(context.Background(), Options{Protocol: protocol, Distance: distance}))(t)
					n := newNaive(in, protocol, distance)
					follows(t, n, r, scope.All)
					if distance == patches.L2 {
						for _, n.category = range []string{scope.Illumination, scope.Viewpoint} {
							follows(t, n, r, n.category)
						}
						for i, sequence := range r.Sequences {
							n.category = in.Split.Test[i]
							if sequence.Name != n.category {
								t.Fatalf("sequence %d is %s, want %s", i, sequence.Name, n.category)
							}
							follows(t, n, r, "scene:"+n.category)
						}
					}
					near(t, "balanced", of(r, scope.All, "matching_map_balanced_h"), (of(r, scope.Illumination, "matching_map_h")+of(r, scope.Viewpoint, "matching_map_h"))/2)
				})
			}
		}
	}
}

// of returns a metric of a scope, NaN if it is undefined.
func of(r *Result, scoped, name string) float64 {
	for _, m := range r.Metrics {
		if m.Scope == scoped && m.Name == "patch_"+name {
			return m.Value
		}
	}
	return math.NaN()
}

func follows(t *testing.T, n naive, r *Result, scoped string) {
	t.Helper()
	for _, noise := range Noises() {
		for kind, pairs := range map[string][]Pair{"inter": n.in.Inter, "intra": n.in.Intra} {
			auc, ap := n.verification(noise, pairs)
			near(t, n.category+" "+noise+" "+kind+" AUC", of(r, scoped, "verification_"+noise+"_"+kind+"_balanced_auc"), auc)
			near(t, n.category+" "+noise+" "+kind+" AP", of(r, scoped, "verification_"+noise+"_"+kind+"_imbalanced_ap"), ap)
		}
		near(t, n.category+" "+noise+" matching", of(r, scoped, "matching_map_"+noise), n.matching(noise))
		for _, size := range []int{100, 500} {
			near(t, fmt.Sprint(n.category, " ", noise, " retrieval ", size), of(r, scoped, fmt.Sprintf("retrieval_map_%d_%s", size, noise)), n.retrieval(noise, size))
		}
	}
}

func TestTheNumberOfWorkersDoesNotAlterTheResult(t *testing.T) {
	in := randomInput(t, "float32")
	first := ""
	for workers := 1; workers <= 4; workers++ {
		r := must.Get(in.Evaluate(context.Background(), Options{Protocol: P17, Distance: patches.L2, Workers: workers}))(t)
		got := fmt.Sprintf("%+v", []any{r.Metrics, r.Pairs, r.Queries, r.Facts})
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("%d workers: got %s, want %s", workers, got, first)
		}
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
	near(t, "first 2000", of(r, scope.All, "retrieval_map_first_2000_t"), n.retrieval("t", math.MaxInt))
	if r, err = in.Evaluate(context.Background(), Options{Protocol: P17, Distance: patches.L2, Tasks: []Task{Retrieval}}); err != nil || !math.IsNaN(of(r, scope.All, "retrieval_map_first_2000_t")) {
		t.Errorf("P17 has no such pool: %v, %v", r.Metrics, err)
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

func TestRowsInAnotherOrderAreAtChance(t *testing.T) {
	for _, task := range []Task{Matching, Verification} {
		in := randomInput(t, "float32")
		for _, want := range []bool{false, true} {
			r := must.Get(in.Evaluate(context.Background(), Options{Protocol: P17, Distance: patches.L2, Tasks: []Task{task}}))(t)
			if got := slices.ContainsFunc(r.Facts, func(f fact.Fact) bool { return f.Kind == fact.PatchesAtChance }); got != want {
				t.Errorf("%s is at chance: %v, want %v", task, got, want)
			}
			for _, sequence := range in.Split.Test { // each row is that of the next patch
				values := in.Set.Image(sequence, patches.Reference).Float32
				copy(values, slices.Concat(values[in.Set.Dim:], values[:in.Set.Dim]))
			}
		}
	}
}

func TestUndefinedFiguresAreNoMetrics(t *testing.T) {
	in := randomInput(t, "uint8")
	in.Positive = in.Positive[:3] // a fifth of them is none
	r, err := in.Evaluate(context.Background(), Options{Protocol: P17, Distance: patches.L2, Tasks: []Task{Verification}})
	must.Do(t, err)
	for _, m := range r.Metrics {
		if strings.Contains(m.Name, "imbalanced") {
			t.Errorf("an undefined figure is a metric: %v", m)
		}
	}
}

func TestMetricsHoldEveryFigureWithWhatItIsAMeanOver(t *testing.T) {
	in := randomInput(t, "uint8")
	r := must.Get(in.Evaluate(context.Background(), Options{Protocol: P17, Distance: patches.L2}))(t)
	got := map[string]scope.Metric{}
	for _, m := range r.Metrics {
		if _, twice := got[m.Scope+" "+m.Name]; twice {
			t.Errorf("%s %s twice", m.Scope, m.Name)
		}
		got[m.Scope+" "+m.Name] = m
	}
	for name, n := range map[string]int{
		"all patch_matching_map_h":                    30,
		"viewpoint patch_matching_map_mean":           30,
		"all patch_retrieval_map_100_e":               15,
		"all patch_retrieval_map_100_mean":            45,
		"all patch_verification_t_inter_balanced_auc": 510,
		"all patch_verification_t_balanced_auc":       510 + 520,
		"all patch_verification_mean_imbalanced_ap":   3*(52+250) + 3*(52+260),
	} {
		if m, ok := got[name]; !ok || m.N != n {
			t.Errorf("%s: got %+v, want one over %d", name, m, n)
		}
	}
	near(t, "mean over negatives", of(r, scope.All, "verification_t_balanced_auc"), (of(r, scope.All, "verification_t_inter_balanced_auc")+of(r, scope.All, "verification_t_intra_balanced_auc"))/2)
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
