package y2017

import (
	"context"
	"math"
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
