package y2017

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"descbench/eval/must"
	"descbench/eval/patches"
	"descbench/eval/patches/internal/pairwise"
	"descbench/eval/scope"
)

// The pairs of the sequences drawn, as often as they were drawn, are ranked anew.
func TestResampledVerificationIsThatOfTheRepeatedPairs(t *testing.T) {
	in := randomInput(t, "bits") // fewer distances than bins
	opt := Options{Split: in.Split.Name, Protocol: Grouped, Distance: patches.L2, Tasks: []Task{Verification}}
	e := &evaluation{in: in, opt: opt, set: in.Set, measure: pairwise.Measure(opt.Distance), parts: newParts(in.Sequences), result: &Result{}}
	must.Do(t, e.verify(t.Context()))
	n := newNaive(in, Grouped, patches.L2)
	for _, times := range [][]uint8{slices.Repeat([]uint8{1}, len(in.Sequences)), append([]uint8{2, 0}, slices.Repeat([]uint8{1}, len(in.Sequences)-2)...)} {
		want := 0.0
		for _, noise := range Noises() {
			for _, negatives := range [][]Pair{in.Inter, in.Intra} {
				positives, others := Grouped.imbalanced(len(in.Positive), len(negatives))
				var distances []float64
				var relevant []bool
				add := func(pairs []Pair, positive bool) {
					for i, d := range n.pairDistances(noise, pairs) {
						for range times[pairs[i].A.Sequence] {
							distances, relevant = append(distances, d), append(relevant, positive)
						}
					}
				}
				add(in.Positive[:positives], true)
				add(negatives[:others], false)
				p := 0.0
				for _, r := range relevant {
					if r {
						p++
					}
				}
				want += groupedAP(distances, relevant, p) / 6
			}
		}
		if got := e.resampledVerification(times); math.Abs(got-want) > 1e-9 {
			t.Errorf("times %v: %v, want %v", times, got, want)
		}
	}
}

// Distances to NaN are infinite: nothing is retrieved, whatever sequences are drawn.
func TestVerificationOfNaNHasAnIntervalOfZero(t *testing.T) {
	h := newHistogram(2, []float64{math.Inf(1)})
	for i := range 2 {
		h.positives[i], h.negatives[i] = h.count([]float64{math.Inf(1)}), h.count([]float64{math.Inf(1), math.Inf(1)})
	}
	if got := h.averagePrecision([]uint8{0, 2}); got != 0 {
		t.Errorf("got %v, want 0", got)
	}
}

func TestMeansHaveIntervalsFromFiveSequencesOn(t *testing.T) {
	of := func(aps ...float64) []scope.Metric {
		in := &Input{Sequences: make([]Sequence, len(aps))}
		for i := range aps {
			in.Sequences[i].Name = fmt.Sprint("i_", i)
		}
		e := &evaluation{in: in, parts: newParts(in.Sequences), opt: Options{Workers: 1}}
		for _, p := range e.parts {
			v := .5
			if p.sequence >= 0 {
				v = aps[p.sequence]
			}
			p.items[Matching] = 15
			p.addMeans(Matching, "map", [3]float64{v, v, v}, 15)
		}
		must.Do(t, e.addIntervals(t.Context()))
		return e.parts[0].metrics[Matching].Metrics
	}
	if got := of(.5, .5, .5, .5)[3]; !math.IsNaN(got.Low) || got.Value != .5 {
		t.Errorf("four sequences: %v, want no interval", got)
	}
	if got := of(.5, .5, .5, .5, .5)[3]; math.Abs(got.Low-.5) > 1e-12 || math.Abs(got.High-.5) > 1e-12 {
		t.Errorf("five equal sequences: %v, want [.5, .5]", got)
	}
	all := of(0, 0, .5, 1, 1)
	if got := all[3]; !(got.Low < .2 && got.High > .8 && got.Low >= 0 && got.High <= 1) {
		t.Errorf("five different sequences: %v, want a wide interval", got)
	} else if easy := all[0]; easy.Name != "patch_matching_map_e" || easy.Low != got.Low || easy.High != got.High {
		t.Errorf("got %v, want the interval of %v for the same values at the easy level", easy, got)
	}
}
