package y2017

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"testing"

	"descbench/eval/must"
	"descbench/eval/patches"
	"descbench/eval/patches/goldentest"
	"descbench/eval/scope"
)

func goldenOptions(dir string, p Protocol) Options {
	return Options{
		TasksDir: filepath.Join(dir, "small", "tasks"),
		Split:    "a", Protocol: p, Distance: patches.L2,
	}
}

// readGolden reads what figures are expected of.
func readGolden(t *testing.T, dir string, opt Options) *Input {
	t.Helper()
	return must.Get(Read(context.Background(), goldentest.Open, filepath.Join(dir, "small", "descriptors", "sift"), opt))(t)
}

// expected holds what the public Python evaluation printed, and what
// independent formulas give, for the descriptors sift on split a.
type expected struct {
	Python struct {
		Matching map[string]float64 `json:"matching_map"`
		Pairs    map[string]map[string]struct {
			AP float64 `json:"ap"`
			SR float64 `json:"sr"`
		} `json:"matching_pairs"`
		Retrieval    map[string]map[string]float64            `json:"retrieval_map"`
		Queries      map[string]map[string]map[string]float64 `json:"retrieval_queries"`
		Verification map[string]map[string]map[string]float64 `json:"verification"`
	} `json:"python_2017 sift/L2/a"`
	Independent struct {
		Trap        map[string]float64                                  `json:"matching_map"`
		Trec        map[string]float64                                  `json:"matching_map_trec"`
		OverCorrect map[string]float64                                  `json:"matching_map_trec_over_correct"`
		Pairs       map[string]map[string]map[string]float64            `json:"matching_pairs"`
		Retrieval   map[string]map[string]float64                       `json:"retrieval_map"`
		RetrTrec    map[string]map[string]float64                       `json:"retrieval_map_trec"`
		Verif       map[string]map[string]map[string]map[string]float64 `json:"verification"`
	} `json:"independent sift/L2/a"`
}

func wantClose(t *testing.T, got, want float64, what string, args ...any) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9) {
		t.Errorf(what+": got %v, want %v", append(args, got, want)...)
	}
}

func compareMatching(t *testing.T, group string, got *Result, want map[string]float64) {
	for _, noise := range append(Noises(), "mean") {
		if w, ok := want[noise]; ok || noise != "mean" {
			wantClose(t, of(got, scope.All, "matching_map_"+noise), w, "%s %s", group, noise)
		}
	}
}

func compareRetrieval(t *testing.T, group string, got *Result, want map[string]map[string]float64) {
	for noise, w := range want {
		for _, size := range PoolSizes() {
			if w, ok := w[strconv.Itoa(size)]; ok {
				wantClose(t, of(got, scope.All, fmt.Sprintf("retrieval_map_%d_%s", size, noise)), w, "%s %s %d", group, noise, size)
			}
		}
	}
}

// compareVerification names the figures that the protocol's cells should equal.
func compareVerification(t *testing.T, group string, got *Result, want map[string]map[string]map[string]map[string]float64, auc, ap string) {
	for _, noise := range Noises() {
		for _, kind := range []string{"inter", "intra"} {
			wantClose(t, of(got, scope.All, "verification_"+noise+"_"+kind+"_balanced_auc"), want[noise][kind]["balanced"][auc], "%s %s %s", noise, kind, auc)
			wantClose(t, of(got, scope.All, "verification_"+noise+"_"+kind+"_imbalanced_ap"), want[noise][kind]["imbalanced"][ap], "%s %s %s", noise, kind, ap)
		}
	}
}

func TestP17PrintsWhatThePublicPythonEvaluationPrints(t *testing.T) {
	dir := goldentest.Folder(t, "../../../..")
	want := goldentest.Expected[expected](t, dir).Python
	opt := goldenOptions(dir, P17)
	r := must.Get(readGolden(t, dir, opt).Evaluate(context.Background(), opt))(t)
	for _, noise := range Noises() {
		for _, kind := range []string{"inter", "intra"} {
			for _, name := range []string{"balanced_auc", "imbalanced_ap"} {
				wantClose(t, of(r, scope.All, "verification_"+noise+"_"+kind+"_"+name), want.Verification[noise][kind][name], "%s %s %s", noise, kind, name)
			}
		}
	}

	compareMatching(t, "p17 matching", r, want.Matching)
	if len(r.Pairs) == 0 {
		t.Error("no pairs")
	}
	for _, p := range r.Pairs {
		w, ok := want.Pairs[p.Sequence][fmt.Sprint(p.Noise, p.K)]
		if !ok {
			t.Errorf("no expected figures of %s %s%d", p.Sequence, p.Noise, p.K)
		}
		wantClose(t, p.AP, w.AP, "%s %s%d AP", p.Sequence, p.Noise, p.K)
		wantClose(t, float64(p.Correct)/float64(p.Patches), w.SR, "%s %s%d success rate", p.Sequence, p.Noise, p.K)
	}

	compareRetrieval(t, "p17 retrieval", r, want.Retrieval)
	if len(r.Queries) != len(want.Queries) {
		t.Errorf("%d queries, want %d", len(r.Queries), len(want.Queries))
	}
	for q, byNoise := range r.Queries {
		for n, noise := range Noises() {
			for s, size := range PoolSizes() {
				wantClose(t, byNoise[n][s], want.Queries[strconv.Itoa(q)][noise][strconv.Itoa(size)], "query %d %s %d", q, noise, size)
			}
		}
	}
}

func TestTheOtherProtocolsMeetIndependentFormulas(t *testing.T) {
	dir := goldentest.Folder(t, "../../../..")
	want := goldentest.Expected[expected](t, dir).Independent
	in := readGolden(t, dir, goldenOptions(dir, P17))
	for _, c := range []struct {
		protocol  Protocol
		auc, ap   string
		matching  map[string]float64
		retrieval map[string]map[string]float64
	}{
		{P17, "auc_pess", "ap_trap_negfirst", want.Trap, want.Retrieval},
		{M17, "auc_opt", "ap_trec_posfirst", want.Trec, want.RetrTrec},
		{HB2016, "auc_opt", "ap_trec_posfirst", want.OverCorrect, want.RetrTrec},
		{Grouped, "auc_mid", "ap_sklearn", nil, nil},
	} {
		r := must.Get(in.Evaluate(context.Background(), goldenOptions(dir, c.protocol)))(t)
		compareVerification(t, string(c.protocol)+" verification", r, want.Verif, c.auc, c.ap)
		if c.matching != nil {
			compareMatching(t, string(c.protocol)+" matching", r, c.matching)
			compareRetrieval(t, string(c.protocol)+" retrieval", r, c.retrieval)
		}
	}
}

// The figures of matching with ties at once are known per image pair, divided
// by the right matches.
func TestGroupedMatchingMeetsIndependentFormulas(t *testing.T) {
	dir := goldentest.Folder(t, "../../../..")
	opt := goldenOptions(dir, Grouped)
	opt.Split, opt.Tasks = "full", []Task{Matching}
	r := must.Get(readGolden(t, dir, opt).Evaluate(context.Background(), opt))(t)
	formats := goldentest.Expected[struct {
		Files map[string]json.RawMessage `json:"original_formats"`
	}](t, dir).Files
	want := map[string]float64{}
	for _, name := range []string{"easy_illum", "easy_viewpoint", "hard_illum", "hard_viewpoint"} {
		var file struct {
			Pairs []struct {
				Pair    string
				SR      float64
				Grouped float64 `json:"ap_sklearn_grouped_over_correct"`
			}
		}
		must.Do(t, json.Unmarshal(formats["matching/sift/test_"+name], &file))
		for _, p := range file.Pairs {
			want[p.Pair] = p.Grouped * p.SR
		}
	}
	compared := 0
	for _, p := range r.Pairs {
		if v, ok := want[fmt.Sprintf("%s.ref,%s.%s%d", p.Sequence, p.Sequence, p.Noise, p.K)]; ok {
			wantClose(t, p.AP, v, "%s %s%d", p.Sequence, p.Noise, p.K)
			compared++
		}
	}
	if compared != 60 {
		t.Errorf("%d pairs, want 60", compared)
	}
}
