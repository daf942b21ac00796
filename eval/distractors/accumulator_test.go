package distractors

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"descbench/eval/fact"
	"descbench/eval/must"
	"descbench/eval/scope"
)

func kindsOf(facts []fact.Fact) (kinds []fact.Kind) {
	for _, f := range facts {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

// valueOf returns the metric "scope name".
func valueOf(metrics []scope.Metric, name string) (float64, bool) {
	for _, m := range metrics {
		if m.Scope+" "+m.Name == name {
			return m.Value, true
		}
	}
	return 0, false
}

// bits makes NaN comparable.
func bits(metrics []scope.Metric) []any {
	var out []any
	for _, m := range metrics {
		out = append(out, m.Scope, m.Name, math.Float64bits(m.Value), math.Float64bits(m.Low), math.Float64bits(m.High), m.N)
	}
	return out
}

type recorded struct {
	scene     string
	workbench WorkbenchRecord
	bojanic   []BojanicRecord
}

var (
	someWorkbench = Workbench{TolerancePx: 3, DistractorScenes: 3, DistractorsPerScene: 4, Seed: 9, HardNegatives: CountHardNegatives}
	someBojanic   = Bojanic{N: 5, Repetitions: 3, Seed: 9}
)

// record computes all records of scenes.
func record(t *testing.T, scenes []*Scene, pools []Pool) []recorded {
	t.Helper()
	var out []recorded
	for _, s := range scenes {
		w := must.Get(someWorkbench.Record(t.Context(), "d", s, pools))(t)
		out = append(out, recorded{s.Name, w, bojanicRecords(t, someBojanic, s, scenes)})
	}
	return out
}

type accumulator struct{ *Accumulator }

func newAccumulator() accumulator {
	return accumulator{NewAccumulator("d", Protocols{&someWorkbench, &someBojanic})}
}

func (a accumulator) add(t *testing.T, records ...recorded) accumulator {
	t.Helper()
	for _, r := range records {
		must.Do(t, a.Add(r.scene, []WorkbenchRecord{r.workbench}, r.bojanic))
	}
	return a
}

// results returns all figures of both protocols, and the kinds of facts.
func (a accumulator) results(t *testing.T, jobs int) (figures []any, kinds []fact.Kind) {
	t.Helper()
	metrics, facts, err := a.Result(t.Context(), jobs)
	must.Do(t, err)
	return bits(metrics), kindsOf(facts)
}

func TestRecordsDoNotDependOnTheOrderOfPools(t *testing.T) {
	scenes := randomScenes(9, 6, 90) // more queries than a block has
	pools := poolsOf(scenes, 9)
	want := record(t, scenes, pools)
	for seed := range uint64(3) {
		pools = slices.Clone(pools)
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(pools), func(i, j int) { pools[i], pools[j] = pools[j], pools[i] })
		for i, got := range record(t, scenes, pools) {
			if got.workbench != want[i].workbench {
				t.Errorf("%+v, want %+v", got.workbench, want[i].workbench)
			}
			same := func(a, b BojanicRecord) bool {
				x, y := math.Float64bits(a.AP) == math.Float64bits(b.AP), math.Float64bits(a.Distance) == math.Float64bits(b.Distance)
				a.AP, a.Distance, b.AP, b.Distance = 0, 0, 0, 0
				return x && y && a == b
			}
			if !slices.EqualFunc(got.bojanic, want[i].bojanic, same) {
				t.Errorf("other records of %s", got.scene)
			}
		}
	}
}

func TestFiguresDoNotDependOnOrder(t *testing.T) {
	scenes := randomScenes(9, 6, 20)
	records := record(t, scenes, poolsOf(scenes, 9))
	want, kinds := newAccumulator().add(t, records...).results(t, 1)
	if len(want) == 0 || slices.Contains(kinds, fact.TaskIncomplete) {
		t.Fatalf("%d figures, kinds %q", len(want), kinds)
	}
	for seed := range uint64(5) {
		rng := rand.New(rand.NewPCG(seed, 2))
		rng.Shuffle(len(records), func(i, j int) { records[i], records[j] = records[j], records[i] })
		for _, r := range records {
			rng.Shuffle(len(r.bojanic), func(i, j int) { r.bojanic[i], r.bojanic[j] = r.bojanic[j], r.bojanic[i] })
		}
		if got, _ := newAccumulator().add(t, records...).results(t, 3); !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: other figures", seed)
		}
	}
}

func TestAFailedSceneIsNamed(t *testing.T) {
	scenes := randomScenes(4, 5, 20)
	records := record(t, scenes, poolsOf(scenes, 4))
	want, _ := newAccumulator().add(t, records[1:]...).results(t, 1)
	before, after := newAccumulator(), newAccumulator().add(t, records[1:]...)
	for _, a := range []accumulator{before, after} {
		a.Fail("v_0")
	}
	for _, a := range []accumulator{before.add(t, records[1:]...), after} {
		if got, _ := a.results(t, 1); !reflect.DeepEqual(got, want) {
			t.Errorf("a failed scene changes figures")
		}
		_, facts, err := a.Result(t.Context(), 1)
		incomplete := []fact.Fact{fact.New(fact.TaskIncomplete, "v_0").Of("workbench_tasks"), fact.New(fact.TaskIncomplete, "v_0").Of("bojanic_2019")}
		if err != nil || !reflect.DeepEqual(fact.Only(facts, fact.TaskIncomplete), incomplete) {
			t.Errorf("facts %v, %v", facts, err)
		}
	}
	alone := newAccumulator()
	alone.Fail("v_0")
	if got, kinds := alone.results(t, 1); len(got) > 0 || len(kinds) != 2 {
		t.Errorf("nothing but a failure gives %v, %q", got, kinds)
	}
}

func TestContradictoryRecordsAreRefused(t *testing.T) {
	good := WorkbenchRecord{Descriptor: "d", Scene: "v_a", VerificationAP: 0.5, TruePositives: 2, Queries: 2, RetrievalQueries: 1, RetrievalAPSum: 0.5, RetrievalAPSumIgnoring: 1}
	a := NewAccumulator("d", Protocols{Workbench: &someWorkbench})
	for name, spoil := range map[string]func(*WorkbenchRecord){
		"other descriptor": func(r *WorkbenchRecord) { r.Descriptor = "e" },
		"no scene":         func(r *WorkbenchRecord) { r.Scene = "" },
	} {
		r := good
		spoil(&r)
		if err := a.Add("v_a", []WorkbenchRecord{r}, nil); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	if err := a.Add("v_a", []WorkbenchRecord{good}, nil); err != nil {
		t.Error(err)
	}
	must.Fail(t, a.Add("v_a", []WorkbenchRecord{good}, nil), "workbench_tasks: d: v_a: added twice")

	b := NewAccumulator("d", Protocols{Bojanic: &someBojanic})
	match := BojanicRecord{Descriptor: "d", Scene: "v_a", K: 2, Distance: 1, AP: math.NaN()}
	for name, spoil := range map[string]func(*BojanicRecord){
		`record of descriptor "e", scene "v_a"`:              func(r *BojanicRecord) { r.Descriptor = "e" },
		`record of descriptor "d", scene "v_b"`:              func(r *BojanicRecord) { r.Scene = "v_b" },
		"record of repetition 3, want one of 3 repetitions":  func(r *BojanicRecord) { r.Repetition = 3 },
		"record of repetition -1, want one of 3 repetitions": func(r *BojanicRecord) { r.Repetition = -1 },
	} {
		r := match
		spoil(&r)
		must.Fail(t, b.Add("v_a", nil, []BojanicRecord{r}), "bojanic_2019: d: v_a: "+name)
	}
	if err := b.Add("v_a", nil, []BojanicRecord{match}); err != nil {
		t.Error(err)
	}
	must.Fail(t, b.Add("v_a", nil, nil), "bojanic_2019: d: v_a: added twice")
}
