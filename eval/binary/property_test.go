package binary

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

type labelled struct {
	distance float64
	positive bool
}

// drawSamples draws samples with many ties, of both classes if asked for.
func drawSamples(t *rapid.T, both bool) []labelled {
	distance := rapid.OneOf(
		rapid.Map(rapid.IntRange(-3, 6), func(i int) float64 { return float64(i) / 2 }),
		rapid.Float64Range(-4, 4),
	)
	var out []labelled
	if both {
		out = append(out, labelled{distance.Draw(t, "positive"), true}, labelled{distance.Draw(t, "negative"), false})
	}
	n := rapid.IntRange(0, 30).Draw(t, "n")
	for range n {
		out = append(out, labelled{distance.Draw(t, "distance"), rapid.Bool().Draw(t, "label")})
	}
	return out
}

func curveOfSamples(t rapid.TB, samples []labelled) *Curve {
	var s Samples
	for _, l := range samples {
		s.Add(l.positive, l.distance)
	}
	return s.Curve()
}

// classify counts by looking at every sample.
func classify(samples []labelled, threshold float64) Confusion {
	c := Confusion{Threshold: threshold}
	for _, l := range samples {
		switch yes := l.distance <= threshold; {
		case yes && l.positive:
			c.TP++
		case yes:
			c.FP++
		case l.positive:
			c.FN++
		default:
			c.TN++
		}
	}
	return c
}

// thresholds returns -Inf and the distances that occur.
func thresholds(samples []labelled) []float64 {
	out := []float64{math.Inf(-1)}
	for _, l := range samples {
		out = append(out, l.distance)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestPointsAreTheMatricesOfAllThresholds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := drawSamples(t, false)
		c := curveOfSamples(t, samples)
		var want []Confusion
		for _, d := range thresholds(samples) {
			want = append(want, classify(samples, d))
		}
		if got := slices.Collect(c.Points()); !slices.Equal(got, want) {
			t.Fatalf("got %+v, want %+v", got, want)
		}
		for _, d := range []float64{rapid.Float64().Draw(t, "threshold"), math.Inf(1), -0.25} {
			if got, want := c.At(d), classify(samples, d); got != want {
				t.Fatalf("got %+v, want %+v", got, want)
			}
		}
	})
}

// mannWhitney compares every positive with every negative.
func mannWhitney(samples []labelled) float64 {
	sum, pairs := 0.0, 0.0
	for _, p := range samples {
		for _, n := range samples {
			if !p.positive || n.positive {
				continue
			}
			pairs++
			switch {
			case p.distance < n.distance:
				sum++
			case p.distance == n.distance:
				sum += 0.5
			}
		}
	}
	return sum / pairs
}

// integral returns the area under precision over recall, by Simpson's rule, if
// true and false positives rise evenly between two points.
func integral(from, to Confusion) float64 {
	const steps = 2000
	precision := func(i int) float64 {
		f := float64(i) / steps
		tp := float64(from.TP) + f*float64(to.TP-from.TP)
		fp := float64(from.FP) + f*float64(to.FP-from.FP)
		if tp+fp == 0 { // its limit
			return to.Precision()
		}
		return tp / (tp + fp)
	}
	sum := precision(0) + precision(steps)
	for i := 1; i < steps; i++ {
		sum += precision(i) * float64(2+i%2*2)
	}
	return sum / (3 * steps) * float64(to.TP-from.TP) / float64(to.Positives())
}

func TestFiguresAreThoseOfTheirDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		samples := drawSamples(t, true)
		s := curveOfSamples(t, samples).Summary()
		check := func(what string, got, want, tolerance float64) {
			if !(math.Abs(got-want) <= tolerance) {
				t.Fatalf("%s: got %v, want %v", what, got, want)
			}
		}
		check("AUC", s.ROCAUC, mannWhitney(samples), 1e-13)

		var steps, trapezoids, integrals, bestAccuracy float64
		bestJ := new(big.Rat)
		at, thresholdAccuracy := math.Inf(-1), math.Inf(-1)
		fpr95 := math.NaN()
		var before Confusion
		for i, d := range thresholds(samples) {
			p := classify(samples, d)
			j := new(big.Rat).Sub(big.NewRat(p.TP, p.Positives()), big.NewRat(p.FP, p.Negatives()))
			if j.Cmp(bestJ) > 0 {
				bestJ, at = j, d
			}
			if i == 0 || p.Accuracy() > bestAccuracy {
				bestAccuracy, thresholdAccuracy = p.Accuracy(), d
			}
			if math.IsNaN(fpr95) && p.TruePositiveRate() >= 0.95 {
				fpr95 = p.FalsePositiveRate()
			}
			if i > 0 {
				rise := p.TruePositiveRate() - before.TruePositiveRate()
				precision := before.Precision()
				if i == 1 {
					precision = 1
				}
				if rise > 0 {
					steps += rise * p.Precision()
					trapezoids += rise * (p.Precision() + precision) / 2
					integrals += integral(before, p)
				}
			}
			before = p
		}
		check("AP", s.AveragePrecision, steps, 1e-12)
		check("trapezoid", s.PRAUCTrapezoid, trapezoids, 1e-12)
		check("interpolated", s.PRAUCInterpolated, integrals, 1e-8)
		check("FPR95", s.FPR95, fpr95, 0)
		check("accuracy", s.BestAccuracy.Accuracy(), bestAccuracy, 0)
		j, _ := bestJ.Float64()
		check("J", s.Youden.YoudenJ(), j, 1e-12)
		if s.Youden.Threshold != at || s.BestAccuracy.Threshold != thresholdAccuracy {
			t.Fatalf("thresholds %v of J and %v of accuracy, want %v, %v", s.Youden.Threshold, s.BestAccuracy.Threshold, at, thresholdAccuracy)
		}
	})
}

// The equal error rate is where FPR + TPR = 1, which each line of the ROC curve
// crosses at most once.
func TestTheEqualErrorRateLiesOnTheROCCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := curveOfSamples(t, drawSamples(t, true))
		eer := c.Summary().EER
		least := math.Inf(1)
		var before Confusion
		for p := range c.Points() {
			x0, y0, x1, y1 := before.FalsePositiveRate(), before.TruePositiveRate(), p.FalsePositiveRate(), p.TruePositiveRate()
			if x0 <= eer && eer <= x1 && y0 <= 1-eer+1e-12 && 1-eer <= y1+1e-12 {
				// The point (eer, 1-eer) is on the line if the triangle with its ends is flat.
				least = min(least, math.Abs((x1-x0)*(1-eer-y0)-(eer-x0)*(y1-y0)))
			}
			before = p
		}
		if !(least <= 1e-12) {
			t.Fatalf("EER %v is off the curve by %v", eer, least)
		}
	})
}
