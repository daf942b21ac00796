package y2017

import (
	"context"
	"math"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/must"
	"descbench/eval/patches"
	"descbench/eval/patches/goldentest"
	"descbench/eval/scope"
)

// Training descriptors ±1, ±√2, ±3 around a point have the covariance
// diag(1, 2, 9). Of three eigenvalues those up to place ⌊0.6·3⌋ = 1 become 2:
// values are divided by √2, √2 and 3.
func TestWhiteningClipsSmallEigenvalues(t *testing.T) {
	train := &descriptors.Matrix{Rows: 8, Dim: 3, Type: descriptors.Float32}
	for i := range 8 {
		for k, a := range []float64{1, math.Sqrt2, 3} {
			train.Float32 = append(train.Float32, float32(10+a*float64(2*(i>>k&1)-1)))
		}
	}
	test := &descriptors.Matrix{Rows: 3, Dim: 3, Type: descriptors.Float32, Float32: []float32{1, 2, 3, 3, 2, -6, 2, 2, 0}}
	set, err := patches.NewSet("s", map[string]map[string]*descriptors.Matrix{"v_train": {"ref": train}, "i_test": {"ref": test}})
	must.Do(t, err)
	got := must.Get(whiten(set, Split{Name: "a", Test: []string{"i_test"}, Train: []string{"v_train"}}))(t)
	if got.Patches("v_train") != -1 {
		t.Error("the training sequences are still there")
	}
	// The rows' mean is (2, 2, −1); less it: (−1, 0, 4), (1, 0, −5), (0, 0, 1).
	for i, centred := range [][]float64{{-1, 0, 4}, {1, 0, -5}, {0, 0, 1}} {
		var want []float64
		norm := 0.0
		for k, scale := range []float64{math.Sqrt2, math.Sqrt2, 3} {
			v := math.Copysign(math.Sqrt(math.Abs(centred[k])/scale), centred[k])
			want = append(want, v)
			norm += v * v
		}
		for k, v := range patches.AppendRow(nil, got.Image("i_test", "ref"), i) {
			if math.Abs(float64(v)-want[k]/math.Sqrt(norm)) > 1e-6 {
				t.Errorf("row %d, value %d: got %v, want %v", i, k, v, want[k]/math.Sqrt(norm))
			}
		}
	}
}

func TestTrainingDescriptorsWithoutVariationAreRefused(t *testing.T) {
	same := &descriptors.Matrix{Rows: 4, Dim: 3, Type: descriptors.Uint8, Uint8: make([]uint8, 12)}
	for i := range same.Uint8 {
		same.Uint8[i] = 9
	}
	set, err := patches.NewSet("s", map[string]map[string]*descriptors.Matrix{"train": {"ref": same}, "test": {"ref": same}})
	must.Do(t, err)
	_, err = whiten(set, Split{Test: []string{"test"}, Train: []string{"train"}})
	must.Fail(t, err, "the training descriptors vary in too few directions for PCA")
}

// The benchmark's code keeps whitened descriptors in float64, this package in
// float32. On real descriptors that may swap neighbours, but must not show.
func TestWhitenedFiguresAreThoseOfFloat64(t *testing.T) {
	dir := goldentest.Folder(t, "../../../..")
	opt := goldenOptions(dir, P17)
	opt.PCAPowerLaw = true
	in := readGolden(t, dir, opt)
	r := must.Get(in.Evaluate(context.Background(), opt))(t)
	w := must.Get(whitening(in.Set, in.Split.Train))(t)
	rows := map[string][][]float64{}
	n := newNaive(in, P17, patches.L2)
	n.float64s = true
	n.rows = func(sequence, image string, i int) []float64 {
		key := sequence + "/" + image
		if rows[key] == nil {
			m := in.Set.Image(sequence, image)
			centred := centre[float32](values(m), m.Dim)
			for j := range m.Rows {
				row := make([]float64, m.Dim)
				norm := 0.0
				for k := range row {
					for l := range row {
						row[k] += centred.At(j, l) * w.At(l, k)
					}
					row[k] = math.Copysign(math.Sqrt(math.Abs(row[k])), row[k])
					norm += row[k] * row[k]
				}
				for k := range row {
					row[k] /= math.Sqrt(norm)
				}
				rows[key] = append(rows[key], row)
			}
		}
		return rows[key][i]
	}
	wantClose(t, of(r, scope.All, "matching_map_h"), n.matching("h"), "hard matching")
	auc, ap := n.verification("h", in.Intra)
	wantClose(t, of(r, scope.All, "verification_h_intra_balanced_auc"), auc, "hard AUC")
	wantClose(t, of(r, scope.All, "verification_h_intra_imbalanced_ap"), ap, "hard AP")
}

func values(m *descriptors.Matrix) []float32 {
	var all []float32
	for i := range m.Rows {
		all = patches.AppendRow(all, m, i)
	}
	return all
}

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
