package compare

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"descbench/eval/fact"
	"descbench/eval/must"
	"descbench/pipeline/report"
)

// matrix is a run of three types without and with root in six scenes, and one that has no root.
func matrix() madeRun {
	r := madeRun{name: "run", values: map[string]map[string]float64{"z": {"v_1": .5}}, variants: map[string]string{"z": "type: z"}}
	for name, values := range map[string][]float64{
		"a/none": {.50, .40, .62, .30, .71, .55}, "a/l1": {.53, .46, .61, .37, .73, .60},
		"b/none": {.44, .35, .58, .28, .66, .52}, "b/l1": {.49, .36, .63, .31, .67, .50},
		"c/none": {.60, .52, .70, .41, .80, .63}, "c/l1": {.58, .57, .72, .45, .84, .69},
	} {
		r.values[name] = map[string]float64{}
		for i, scene := range []string{"v_1", "v_2", "v_3", "v_4", "i_5", "i_6"} {
			r.values[name][scene] = values[i]
		}
		r.variants[name] = fmt.Sprintf("type: %s, root: %s", name[:1], name[2:])
	}
	return r
}

func ofRoot(t *testing.T, r madeRun, only ...string) *report.Comparison {
	t.Helper()
	return must.Get(Runs(context.Background(), []string{r.write(t)}, Options{Factor: "root", Baseline: "none", Only: only}))(t)
}

// By hand, the mean differences of the six scenes are 2, 4, 2, 14/3, 7/3 and 3 points: 3 on
// average, all positive, so that 2 of the 64 sign patterns are as extreme. d_z is computed by Python's statistics.
func TestTheEffectOfAFactorIsAveragedOverTheOthers(t *testing.T) {
	c := ofRoot(t, matrix())
	r := c.Row("root=l1", "all")
	if math.Abs(r.Difference-.03) > 1e-12 || math.Abs(r.BaselineMean-3.19/6) > 1e-12 || r.P != 2./64 || math.Abs(r.EffectSize-2.689264371) > 1e-9 || r.Wins != 6 || r.Verdict != "better" {
		t.Errorf("got %+v", *r)
	}
	if !strings.Contains(c.Averaged, "3 combinations of the other factors (type)") || !slices.Equal(c.Facts[0].Names["out"], []string{"z"}) {
		t.Errorf("averaged: %q, left out: %v", c.Averaged, c.Facts[0])
	}
	means := map[string]map[string]float64{"none": {}, "l1": {}} // of which a comparison has the same interval
	for name, values := range matrix().values {
		for scene, v := range values {
			if name != "z" {
				means[name[2:]][scene] += v / 3
			}
		}
	}
	direct := must.Get(Runs(context.Background(), []string{madeRun{name: "direct", values: means}.write(t)}, Options{Baseline: "none"}))(t).Row("l1", "all")
	if math.Abs(r.Interval.Low-direct.Interval.Low) > 1e-12 || math.Abs(r.Interval.High-direct.Interval.High) > 1e-12 {
		t.Errorf("interval %v, want %v", r.Interval, direct.Interval)
	}
	if one := ofRoot(t, matrix(), "a*"); one.Averaged != "" || math.Abs(one.Row("root=l1", "all").Difference-.22/6) > 1e-12 {
		t.Errorf("of type a: %q, %v; want nothing, %v", one.Averaged, one.Row("root=l1", "all").Difference, .22/6)
	}
}

func TestAnAverageHasTheMeansOfWhatStandsBesideItsValues(t *testing.T) {
	d := Descriptor{averaged: []*Descriptor{{Coverage: .2, Gallery: 100, Matches: 10, Known: .5}, {Coverage: .6, Gallery: 300, Matches: 20, Known: .9}}}
	d.average()
	for what, v := range map[string][2]float64{"coverage": {d.Coverage, .4}, "gallery": {d.Gallery, 200}, "matches": {d.Matches, 15}, "known": {d.Known, .7}} {
		if math.Abs(v[0]-v[1]) > 1e-12 {
			t.Errorf("%s: %v, want %v", what, v[0], v[1])
		}
	}
}

// Without type c, whose l1 failed, the differences are 4, 3.5, 2, 5, 1.5 and 1.5 points; v_3 is
// undefined in one descriptor, and 15.5/5 remain.
func TestCombinationsAndScenesThatAreIncompleteAreLeftOutForAllValues(t *testing.T) {
	r := matrix()
	for scene := range r.values["c/l1"] {
		r.values["c/l1"][scene] = math.NaN()
	}
	r.values["b/l1"]["v_3"] = math.NaN()
	c := ofRoot(t, r)
	if row := c.Row("root=l1", "all"); math.Abs(row.Difference-.031) > 1e-12 || row.Scenes != 5 {
		t.Errorf("difference %v over %d scenes, want 0.031 over 5", row.Difference, row.Scenes)
	}
	if f := fact.Only(c.Facts, fact.Unpaired)[0]; !slices.Equal(f.Names["out"], []string{"c/l1", "c/none"}) || !slices.Equal(f.Names["missing"], []string{"root=l1"}) {
		t.Errorf("left out: %v", f)
	}
}

func TestFactorsThatCannotBeComparedAreRefused(t *testing.T) {
	plain, twice := matrix(), matrix()
	plain.variants = nil
	twice.variants["b/l1"] = twice.variants["a/l1"]
	for _, c := range []struct {
		of   madeRun
		opt  Options
		want string
	}{
		{plain, Options{Factor: "root"}, "--factor root: no descriptor is from a matrix, want"},
		{matrix(), Options{Factor: "rot"}, "--factor rot: no such factor (did you mean root?), want one of root, type"},
		{matrix(), Options{Factor: "root", Only: []string{"*none"}}, "--factor root: found only root=none, want at least two values"},
		{matrix(), Options{Factor: "type"}, "--factor type: no combination of the other factors has results with each of type=a, type=b, type=c, type=z"},
		{twice, Options{Factor: "root"}, "--factor root: found the same combination in a/l1 and b/l1, want one of them: --only"},
		{matrix(), Options{Factor: "root", Baseline: "l2"}, "--baseline l2: no such value, want one of root=l1, root=none"},
	} {
		if _, err := Runs(context.Background(), []string{c.of.write(t)}, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}
