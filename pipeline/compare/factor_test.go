package compare

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"descbench/eval/fact"
	"descbench/eval/must"
	"descbench/pipeline/report"
)

// matrix is a run of three types without and with root in six scenes, with values by hand.
func matrix() madeRun {
	r := madeRun{name: "run", values: map[string]map[string]float64{}, variants: map[string]string{}}
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
	r.values["z"], r.variants["z"] = map[string]float64{"v_1": .5}, "type: z" // without root
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
	if !strings.Contains(c.Averaged, "3 combinations of the other factors (type)") {
		t.Errorf("averaged: %q", c.Averaged)
	}
	if got, want := c.Facts[0].Names, map[string][]string{"out": {"z"}, "factor": {"root"}}; !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("left out: %v, want %v", got, want)
	}
	// The interval is that of two descriptors with the averaged values.
	means := map[string]map[string]float64{"none": {}, "l1": {}}
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
	// Exchanged, everything changes its sign.
	if back := must.Get(Runs(context.Background(), []string{matrix().write(t)}, Options{Factor: "root"}))(t).Row("root=none", "all"); math.Abs(back.Difference+.03) > 1e-12 {
		t.Errorf("against the first value: %v, want -0.03", back.Difference)
	}
	if one := ofRoot(t, matrix(), "a*"); one.Averaged != "" || math.Abs(one.Row("root=l1", "all").Difference-.22/6) > 1e-12 {
		t.Errorf("of type a: %q, %v; want nothing, %v", one.Averaged, one.Row("root=l1", "all").Difference, .22/6)
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
	if i := slices.IndexFunc(c.Facts, func(f fact.Fact) bool { return f.Kind == fact.Unpaired }); !slices.Equal(c.Facts[i].Names["out"], []string{"c/none"}) || !slices.Equal(c.Facts[i].Names["missing"], []string{"c/l1"}) {
		t.Errorf("left out: %v", c.Facts[i])
	}
}

func TestFactorsThatCannotBeComparedAreRefused(t *testing.T) {
	plain := matrix()
	plain.variants = nil
	twice := matrix()
	twice.variants["b/l1"] = twice.variants["a/l1"]
	for want, opt := range map[string]struct {
		of  madeRun
		opt Options
	}{
		"--factor root: no descriptor is from a matrix, want":                                                        {plain, Options{Factor: "root"}},
		"--factor rot: no such factor (did you mean root?), want one of root, type":                                  {matrix(), Options{Factor: "rot"}},
		"--factor root: found only root=none, want at least two values":                                              {matrix(), Options{Factor: "root", Only: []string{"*none"}}},
		"--factor type: no combination of the other factors has results with each of type=a, type=b, type=c, type=z": {matrix(), Options{Factor: "type"}},
		"--factor root: found the same combination in a/l1 and b/l1, want one of them: --only":                       {twice, Options{Factor: "root"}},
		"--baseline l2: no such value of the factor, want one of root=l1, root=none":                                 {matrix(), Options{Factor: "root", Baseline: "l2"}},
	} {
		if _, err := Runs(context.Background(), []string{opt.of.write(t)}, opt.opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}
