package binary

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"descbench/eval/must"
	"descbench/eval/stats"
)

// scenes draws samples of several scenes.
func drawScenes(t *rapid.T) [][]labelled {
	scenes := make([][]labelled, rapid.IntRange(1, 5).Draw(t, "scenes"))
	for i := range scenes {
		scenes[i] = drawSamples(t, false)
	}
	return scenes
}

// More resamples than Areas takes in one pass.
func TestAResamplerScoresLikeTheSamplesOfItsScenesRepeated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scenes := drawScenes(t)
		var curves []*Curve
		for _, s := range scenes {
			curves = append(curves, curveOfSamples(t, s))
		}
		all, merged := Merge(curves)
		if want := curveOfSamples(t, slices.Concat(scenes...)); !slices.Equal(slices.Collect(all.Points()), slices.Collect(want.Points())) {
			t.Fatal("the points of the merged curve are not those of all samples")
		}
		resamples := rapid.SliceOfN(rapid.SliceOfN(rapid.Uint8Range(0, 3), len(scenes), len(scenes)), 0, lanes+2).Draw(t, "resamples")
		auc, ap := make([]float64, len(resamples)), make([]float64, len(resamples))
		merged.Areas(resamples, auc, ap)
		for i, times := range resamples {
			var repeated []labelled
			for scene, n := range times {
				repeated = append(repeated, slices.Repeat(scenes[scene], int(n))...)
			}
			checkAreas(t, auc[i], ap[i], curveOfSamples(t, repeated).Summary())
		}
	})
}

func checkAreas(t *rapid.T, auc, ap float64, want Summary) {
	for what, v := range map[string][2]float64{"AUC": {auc, want.ROCAUC}, "AP": {ap, want.AveragePrecision}} {
		if math.IsNaN(v[0]) != math.IsNaN(v[1]) || math.Abs(v[0]-v[1]) > 1e-13 {
			t.Fatalf("%s: got %v, want %v", what, v[0], v[1])
		}
	}
}

// areasOf returns both areas of one resample.
func areasOf(p AreaResampler, times []uint8) (areas [2]float64) {
	p.Areas([][]uint8{times}, areas[:1], areas[1:])
	return areas
}

// With an edge at every distance, bins are the samples.
func TestBinsOfScenesScoreLikeTheirSamplesRepeated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scenes := drawScenes(t)
		var at []float64
		for _, s := range scenes {
			for _, l := range s {
				at = append(at, l.distance)
			}
		}
		edges := NewEdges(at)
		var bins []*Bins
		var times []uint8
		var repeated []labelled
		for _, s := range scenes {
			of := NewBins(edges)
			for _, l := range s {
				var positives []int32
				if l.positive {
					positives = []int32{0}
				}
				of.Add([]float64{l.distance}, positives)
			}
			n := rapid.Uint8Range(0, 3).Draw(t, "times")
			bins, times, repeated = append(bins, of), append(times, n), append(repeated, slices.Repeat(s, int(n))...)
		}
		resampler := NewBinResampler(bins, max(2, edges.Len()))
		areas := areasOf(resampler, times)
		checkAreas(t, areas[0], areas[1], curveOfSamples(t, repeated).Summary())
	})
}

// Each of the two intervals is that of its area. Scenes of a group are drawn as one scene with the
// samples of all.
func TestIntervalsAreThoseOfTheAreas(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var curves, groups []*Curve
	var names []string
	for i := range 7 {
		var group Samples
		for range 2 {
			distances, positives := drawn(r, 60)
			group.Merge(samplesOf(distances, positives))
			curves, names = append(curves, samplesOf(distances, positives).Curve()), append(names, fmt.Sprint(i))
		}
		groups = append(groups, group.Curve())
	}
	_, p := Merge(groups)
	auc, ap, err := Intervals(t.Context(), 2, p, stats.Cluster([]string{"a", "b", "c", "d", "e", "f", "g"}))
	must.Do(t, err)
	for i, got := range []stats.Interval{auc, ap} {
		want, err := stats.NewBootstrap(1, 7).Statistic(t.Context(), 1, func(times []uint8) float64 { return areasOf(p, times)[i] })
		if got != want || err != nil {
			t.Errorf("area %d: got %v, want %v, %v", i, got, want, err)
		}
	}
	_, ofScenes := Merge(curves)
	byGroup, apByGroup, err := Intervals(t.Context(), 2, ofScenes, stats.Cluster(names))
	if near := func(a, b stats.Interval) bool { return math.Abs(a.Low-b.Low)+math.Abs(a.High-b.High) < 1e-12 }; err != nil || !near(byGroup, auc) || !near(apByGroup, ap) {
		t.Errorf("of groups: got %v and %v, want %v and %v; %v", byGroup, apByGroup, auc, ap, err)
	}
}
