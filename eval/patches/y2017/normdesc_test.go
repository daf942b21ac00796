package y2017

import (
	"math"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/eval/patches"
)

func TestNormalisationsHaveTheNamesOfTheMATLABCode(t *testing.T) {
	for text, want := range map[string]string{
		"nsplit_c_wzca_ceig0.25_pl0.50_l2n":  "nsplit_c_wzca_ceig0.25_pl0.50_l2n",
		"_nsplit_c_wzca_ceig0.25_pl0.50_l2n": "nsplit_c_wzca_ceig0.25_pl0.50_l2n",
		"nsplit_c_wzca_ceig0.004_pl0.501":    "nsplit_c_wzca_ceig0.004_pl0.501", // no two under one name
		"nsplit_a_pl0.5_l2n":                 "nsplit_a_pl0.50_l2n",
		"nsplit_illum_l2n":                   "nsplit_illum_l2n",
	} {
		if n, err := ParseNormalisation(text); err != nil || n.String() != want {
			t.Errorf("%s: got %v, %v, want %s", text, n, err, want)
		}
	}
	for _, text := range []string{"", "zca", "wpca", "ceig1", "ceig-0.1", "pl0", "pl2", "plx", "nsplit", "l2n_"} {
		if n, err := ParseNormalisation(text); err == nil || !strings.Contains(err.Error(), "want parts of nsplit_") {
			t.Errorf("%q: got %v, %v", text, n, err)
		}
	}
	if n, err := ParseNormalisation("nsplit_c_ceig0.25_l2n"); err == nil || !strings.Contains(err.Error(), "add wzca") {
		t.Errorf("clipping without whitening: got %v, %v", n, err)
	}
}

// Training descriptors 10 ± 1, 10 ± √2, 10 ± 3 have the covariance diag(1, 2, 9),
// of which the least holds 1/12 of the energy and the least two 3/12: a share of
// 0.1 raises 1 to 2. Both halves stand in different images, which count alike.
func normalisationSet(t *testing.T, test []float32) *patches.Set {
	t.Helper()
	images := map[string]*descriptors.Matrix{}
	for _, image := range []string{"ref", "e1"} {
		m := &descriptors.Matrix{Rows: 4, Dim: 3, Type: descriptors.Float32}
		for i := range 4 {
			for k, a := range []float64{1, math.Sqrt2, 3} {
				bit := i >> k & 1
				if k == 2 && image == "e1" {
					bit = 1
				}
				m.Float32 = append(m.Float32, float32(10+a*float64(2*bit-1)))
			}
		}
		images[image] = m
	}
	set, err := patches.NewSet("s", map[string]map[string]*descriptors.Matrix{
		"v_train": images,
		"i_test":  {"ref": {Rows: len(test) / 3, Dim: 3, Type: descriptors.Float32, Float32: test}},
	})
	must.Do(t, err)
	return set
}

func TestNormalisationFollowsItsFormula(t *testing.T) {
	set := normalisationSet(t, []float32{11, 6, 28, 10, 10, 10})
	for text, want := range map[string][]float64{
		// Less the mean 10: (1, −4, 18) and 0.
		"nsplit_c":                  {1, -4, 18, 0, 0, 0},
		"nsplit_c_pl0.5":            {1, -2, math.Sqrt(18), 0, 0, 0},
		"nsplit_c_l2n":              {1 / math.Sqrt(341), -4 / math.Sqrt(341), 18 / math.Sqrt(341), 0, 0, 0},
		"nsplit_c_wzca":             {1, -4 / math.Sqrt2, 6, 0, 0, 0},
		"nsplit_c_wzca_ceig0.1":     {1 / math.Sqrt2, -4 / math.Sqrt2, 6, 0, 0, 0},
		"nsplit_c_wzca_ceig0.3_l2n": {1 / math.Sqrt(341), -4 / math.Sqrt(341), 18 / math.Sqrt(341), 0, 0, 0},
	} {
		n := must.Get(ParseNormalisation(text))(t)
		got := must.Get(n.apply(set, []string{"v_train"}, []string{"i_test"}))(t)
		if got.Patches("v_train") != -1 || got.Name != "s_"+n.String() {
			t.Errorf("%s: %s, and the training sequence has %d patches", text, got.Name, got.Patches("v_train"))
		}
		for i, v := range want {
			row := patches.AppendRow(nil, got.Image("i_test", "ref"), i/3)
			if !(math.Abs(float64(row[i%3])-v) <= 2e-5) { // ε and float32
				t.Errorf("%s: row %d, value %d: got %v, want %v", text, i/3, i%3, row[i%3], v)
			}
		}
	}
}
