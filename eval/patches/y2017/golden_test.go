package y2017

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"descbench/eval/patches"
	"descbench/eval/patches/goldentest"
	"descbench/internal/must"
)

func goldenOptions(dir string, p Protocol) Options {
	return Options{
		TasksDir: filepath.Join(dir, "small", "tasks"),
		Split:    "a", Protocol: p, Distance: patches.L2,
	}
}

// goldenDescriptors is the folder of those that figures are expected of.
func goldenDescriptors(dir string) string {
	return filepath.Join(dir, "small", "descriptors", "sift")
}

// evaluateGolden reads and evaluates them.
func evaluateGolden(t *testing.T, dir string, opt Options) *Result {
	t.Helper()
	in := must.Get(Read(context.Background(), goldentest.Open, goldenDescriptors(dir), opt))(t)
	return must.Get(in.Evaluate(context.Background(), opt))(t)
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

// A comparison collects the largest deviation of a group of figures.
type comparison struct {
	t       *testing.T
	largest float64
	count   int
}

func (c *comparison) near(got, want float64, what string, args ...any) {
	c.t.Helper()
	c.count++
	d := math.Abs(got - want)
	c.largest = max(c.largest, d)
	if !(d <= 1e-9) {
		c.t.Errorf(what+": got %v, want %v", append(args, got, want)...)
	}
}

func (c *comparison) report(group string) {
	c.t.Helper()
	if c.count == 0 {
		c.t.Errorf("%s: nothing was compared", group)
	}
	c.t.Logf("%s: %d figures, largest deviation %.1e", group, c.count, c.largest)
}

func compareMatching(t *testing.T, group string, got *MatchingFigures, want map[string]float64) {
	c := &comparison{t: t}
	for noise, v := range map[string]Share{"e": got.MAP.Easy, "h": got.MAP.Hard, "t": got.MAP.Tough} {
		c.near(float64(v), want[noise], "%s %s", group, noise)
	}
	if mean, ok := want["mean"]; ok {
		c.near(float64(got.MAP.Mean), mean, "%s mean", group)
	}
	c.report(group)
}

func compareRetrieval(t *testing.T, group string, got RetrievalMAP, want map[string]map[string]float64) {
	c := &comparison{t: t}
	for noise, sizes := range map[string]map[int]Share{"e": got.Easy, "h": got.Hard, "t": got.Tough, "mean": got.Mean} {
		for size, v := range sizes {
			if w, ok := want[noise]; ok {
				c.near(float64(v), w[strconv.Itoa(size)], "%s %s %d", group, noise, size)
			}
		}
	}
	c.report(group)
}

// compareVerification names the figures that the protocol's cells should equal.
func compareVerification(t *testing.T, group string, got *VerificationFigures, want map[string]map[string]map[string]map[string]float64, auc, ap string) {
	c := &comparison{t: t}
	for n, noise := range Noises() {
		cells := got.noise(n)
		for kind, cell := range map[string]VerificationCell{"inter": cells.Inter, "intra": cells.Intra} {
			c.near(float64(cell.BalancedAUC), want[noise][kind]["balanced"][auc], "%s %s %s", noise, kind, auc)
			c.near(float64(cell.ImbalancedAP), want[noise][kind]["imbalanced"][ap], "%s %s %s", noise, kind, ap)
		}
	}
	c.report(group)
}

func TestP17PrintsWhatThePublicPythonEvaluationPrints(t *testing.T) {
	dir := goldentest.Folder(t, "../../../..")
	want := goldentest.Expected[expected](t, dir).Python
	r := evaluateGolden(t, dir, goldenOptions(dir, P17))
	c := &comparison{t: t}
	for n, noise := range Noises() {
		cells := r.Verification.noise(n)
		for kind, cell := range map[string]VerificationCell{"inter": cells.Inter, "intra": cells.Intra} {
			c.near(float64(cell.BalancedAUC), want.Verification[noise][kind]["balanced_auc"], "%s %s AUC", noise, kind)
			c.near(float64(cell.ImbalancedAP), want.Verification[noise][kind]["imbalanced_ap"], "%s %s AP", noise, kind)
		}
	}
	c.report("p17 verification")

	compareMatching(t, "p17 matching", r.Matching, want.Matching)
	c = &comparison{t: t}
	for _, p := range r.Matching.Pairs {
		w, ok := want.Pairs[p.Sequence][fmt.Sprint(p.Noise, p.K)]
		if !ok {
			t.Errorf("no expected figures of %s %s%d", p.Sequence, p.Noise, p.K)
		}
		c.near(p.AP, w.AP, "%s %s%d AP", p.Sequence, p.Noise, p.K)
		c.near(float64(p.Correct)/float64(p.Patches), w.SR, "%s %s%d success rate", p.Sequence, p.Noise, p.K)
	}
	c.report("p17 matching, by pair")

	compareRetrieval(t, "p17 retrieval", r.Retrieval.MAP, want.Retrieval)
	c = &comparison{t: t}
	if len(r.Retrieval.Queries) != len(want.Queries) {
		t.Errorf("%d queries, want %d", len(r.Retrieval.Queries), len(want.Queries))
	}
	for q, byNoise := range r.Retrieval.Queries {
		for n, noise := range Noises() {
			for s, size := range PoolSizes() {
				c.near(byNoise[n][s], want.Queries[strconv.Itoa(q)][noise][strconv.Itoa(size)], "query %d %s %d", q, noise, size)
			}
		}
	}
	c.report("p17 retrieval, by query")
}

func TestTheOtherProtocolsMeetIndependentFormulas(t *testing.T) {
	dir := goldentest.Folder(t, "../../../..")
	want := goldentest.Expected[expected](t, dir).Independent
	in := must.Get(Read(context.Background(), goldentest.Open, goldenDescriptors(dir), goldenOptions(dir, P17)))(t)
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
		compareVerification(t, string(c.protocol)+" verification", r.Verification, want.Verif, c.auc, c.ap)
		if c.matching != nil {
			compareMatching(t, string(c.protocol)+" matching", r.Matching, c.matching)
			compareRetrieval(t, string(c.protocol)+" retrieval", r.Retrieval.MAP, c.retrieval)
		}
	}
}

// The figures of matching with ties at once are known per image pair, divided
// by the right matches.
func TestGroupedMatchingMeetsIndependentFormulas(t *testing.T) {
	dir := goldentest.Folder(t, "../../../..")
	opt := goldenOptions(dir, Grouped)
	opt.Split, opt.Tasks = "full", []Task{Matching}
	r := evaluateGolden(t, dir, opt)
	data := must.Get(os.ReadFile(filepath.Join(dir, "expected.json")))(t)
	var e struct {
		Formats map[string]json.RawMessage `json:"original_formats"`
	}
	must.Do(t, json.Unmarshal(data, &e))
	want := map[string]float64{}
	for _, name := range []string{"easy_illum", "easy_viewpoint", "hard_illum", "hard_viewpoint"} {
		var file struct {
			Pairs []struct {
				Pair    string
				SR      float64
				Grouped float64 `json:"ap_sklearn_grouped_over_correct"`
			}
		}
		must.Do(t, json.Unmarshal(e.Formats["matching/sift/test_"+name], &file))
		for _, p := range file.Pairs {
			want[p.Pair] = p.Grouped * p.SR
		}
	}
	c := &comparison{t: t}
	for _, p := range r.Matching.Pairs {
		if v, ok := want[fmt.Sprintf("%s.ref,%s.%s%d", p.Sequence, p.Sequence, p.Noise, p.K)]; ok {
			c.near(p.AP, v, "%s %s%d", p.Sequence, p.Noise, p.K)
		}
	}
	if c.count != 60 {
		t.Errorf("%d pairs, want 60", c.count)
	}
	c.report("grouped matching, by pair")
}
