package binary

import (
	"math"
	"math/rand/v2"
	"testing"

	"descbench/eval/must"
)

// drawn returns distances of which many coincide, and which are positives.
func drawn(r *rand.Rand, n int) (distances []float64, positives []int32) {
	for i := range n {
		positive := r.IntN(20) == 0
		d := math.Round(1000*math.Sqrt(r.Float64())) / 7
		if positive {
			d /= 2
			positives = append(positives, int32(i))
		}
		distances = append(distances, d)
	}
	return distances, positives
}

func samplesOf(distances []float64, positives []int32) *Samples {
	var s Samples
	next := 0
	for i, d := range distances {
		positive := next < len(positives) && positives[next] == int32(i)
		if positive {
			next++
		}
		s.Add(positive, d)
	}
	return &s
}

func edgesOf(distances []float64, positives []int32) *Edges {
	var at []float64
	for _, i := range positives {
		at = append(at, distances[i])
	}
	return NewEdges(at)
}

func TestBinsAtThePositivesGiveTheFiguresOfAllSamples(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{40, 300, 20_000} {
		distances, positives := drawn(r, n)
		curve := samplesOf(distances, positives).Curve()
		want := curve.Summary()
		bins := NewBins(edgesOf(distances, positives))
		bins.Add(distances, positives)
		got := bins.Curve().Summary()
		for _, x := range []struct {
			name      string
			got, want float64
		}{
			{"ROC AUC", got.ROCAUC, want.ROCAUC},
			{"average precision", got.AveragePrecision, want.AveragePrecision},
			{"trapezoid", got.PRAUCTrapezoid, want.PRAUCTrapezoid},
			{"interpolated", got.PRAUCInterpolated, want.PRAUCInterpolated},
			{"FPR95", got.FPR95, want.FPR95},
			{"EER", got.EER, want.EER},
		} {
			if math.Abs(x.got-x.want) > 1e-13 {
				t.Errorf("n = %d: %s: got %v, want %v", n, x.name, x.got, x.want)
			}
		}
		if got.Youden != want.Youden || got.BestAccuracy != want.BestAccuracy {
			t.Errorf("n = %d: got %v, %v, want %v, %v", n, got.Youden, got.BestAccuracy, want.Youden, want.BestAccuracy)
		}
		for p := range bins.Curve().Points() {
			if whole := curve.At(p.Threshold); whole != p {
				t.Fatalf("n = %d: got %v, want %v", n, p, whole)
			}
		}
		if auc, ap := bins.Errors(); auc != 0 || ap != 0 {
			t.Errorf("n = %d: got errors of %v, %v, want none", n, auc, ap)
		}
	}
}

func TestFewerEdgesBoundTheFigures(t *testing.T) {
	distances, positives := drawn(rand.New(rand.NewPCG(3, 4)), 30_000)
	curve := samplesOf(distances, positives).Curve()
	want := curve.Summary()
	all := edgesOf(distances, positives)
	width := 1.0
	for _, n := range []int{2, 3, 10, 100, 1000} {
		bins := NewBins(all.Thin(n))
		bins.Add(distances, positives)
		auc, ap := bins.Errors()
		got := bins.Curve().Summary()
		if !(math.Abs(got.ROCAUC-want.ROCAUC) <= auc && math.Abs(got.AveragePrecision-want.AveragePrecision) <= ap) {
			t.Errorf("%d edges: %v and %v, off by more than %v and %v of %v and %v", n, got.ROCAUC, got.AveragePrecision, auc, ap, want.ROCAUC, want.AveragePrecision)
		}
		if auc > width {
			t.Errorf("%d edges: the error %v is larger than with fewer, %v", n, auc, width)
		}
		width = auc
		for p := range bins.Curve().Points() {
			if whole := curve.At(p.Threshold); whole != p {
				t.Fatalf("%d edges: got %v, want %v", n, p, whole)
			}
		}
	}
}

func TestMergingFinerBinsIsCountingInCoarserOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	distances, positives := drawn(r, 5000)
	others, otherPositives := drawn(r, 3000)
	coarse := edgesOf(distances, positives).Thin(40)
	want, got := NewBins(coarse), NewBins(coarse)
	want.Add(distances, positives)
	want.Add(others, otherPositives)
	fine := NewBins(coarse.With(others))
	fine.Add(distances, positives)
	for _, b := range []*Bins{fine, NewBins(coarse)} {
		got.Merge(b)
	}
	same := NewBins(coarse)
	same.Add(others, otherPositives)
	got.Merge(same)
	for i := range want.positives {
		if want.positives[i] != got.positives[i] || want.negatives[i] != got.negatives[i] {
			t.Fatalf("bin %d: got %d and %d, want %d and %d", i, got.positives[i], got.negatives[i], want.positives[i], want.negatives[i])
		}
	}
	must.Panic(t, "bins that are not finer", func() { NewBins(coarse).Merge(NewBins(NewEdges([]float64{1, 2}))) })
}

func TestUndefinedDistancesAreCountedApart(t *testing.T) {
	bins := NewBins(NewEdges([]float64{1, 3}))
	bins.Add([]float64{math.NaN(), 1, 0.5, 2, 7, math.NaN()}, []int32{0, 1})
	want := []Confusion{
		{math.Inf(-1), 0, 0, 1, 3}, {math.Nextafter(1, 0), 0, 1, 1, 2}, {1, 1, 1, 0, 2}, {math.Nextafter(3, 0), 1, 2, 0, 1}, {7, 1, 3, 0, 0},
	}
	i := 0
	for p := range bins.Curve().Points() {
		if i >= len(want) || p != want[i] {
			t.Errorf("point %d: got %v", i, p)
		}
		i++
	}
	if i != len(want) || bins.Undefined() != 2 {
		t.Errorf("got %d points and %d undefined distances, want %d and 2", i, bins.Undefined(), len(want))
	}
}
