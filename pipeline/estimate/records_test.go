package estimate_test

import (
	"math"
	"slices"
	"testing"

	"descbench/eval/matching"
	"descbench/eval/must"
	"descbench/eval/record"
	"descbench/keypoints"
	"descbench/pipeline/estimate"
)

// entered returns the corner errors of estimators, given mutual matches.
func entered(t *testing.T, pair record.Pair, truth keypoints.Homography, m estimate.Matches, estimators ...string) []float64 {
	t.Helper()
	pair.SetHomography(truth)
	var queries []record.Query
	for i, p := range m.Src {
		q := record.Query{X: p.X, Y: p.Y, Nearest: int32(i), NearestX: m.Dst[i].X, NearestY: m.Dst[i].Y, Second: -1, Mutual: true}
		if m.Distances != nil {
			q.NearestDistance = m.Distances[i]
		}
		queries = append(queries, q)
	}
	must.Do(t, estimate.Enter(&pair, queries, matching.Mutual, estimators, matching.Draws{Homographies: 1}, false, nil))
	px := make([]float64, len(estimators))
	for _, c := range matching.EstimateErrors(&pair) {
		px[slices.Index(estimators, c.Estimator)] = c.Px
	}
	return px
}

// The matches zoom an image of 201×101 px to twice its size, the truth does not: the
// corners are 0, 200, 100 and √(200² + 100²) px off, the outer ones 201 and 101. The short
// side of image K is twice 480 px.
func TestErrorsAndThresholdsAreInTheirUnits(t *testing.T) {
	pair := record.Pair{Width1: 201, Height1: 101, WidthK: 960, HeightK: 1440}
	src, dst := mapped(keypoints.Homography{2, 0, 0, 0, 2, 0, 0, 0, 1}, 40, func(i int) (x, y float32) { return float32(i * 67 % 200), float32(i * 31 % 100) })
	inner, outer := (300+math.Hypot(200, 100))/4, (302+math.Hypot(201, 101))/4
	got := entered(t, pair, keypoints.Identity, estimate.Matches{Src: src, Dst: dst}, "dlt", "dlt_wh", "dlt_e480", "dlt_wh_e480", "ransac_e480")
	for i, want := range []float64{inner, outer, inner / 2, outer / 2, inner / 2} {
		if math.Abs(got[i]-want) > 1e-6 {
			t.Errorf("corner error %d is %v, want %v", i, got[i], want)
		}
	}
	src, dst = matches(truths["tilt"], 200, 0.3, 1.5, 8)
	got = entered(t, pair, truths["tilt"], estimate.Matches{Src: src, Dst: dst}, "ransac_1px480", "ransac_2px", "ransac_1px", "ransac_0.5px", "ransac_1.95px")
	for i, px := range got[2:] {
		if got[0] != got[1] || px == got[0] {
			t.Errorf("1 px of 480 is 2 px here: corner errors %v, %d", got, i)
		}
	}
}

// The corner errors are NumPy's, as in TestLinearEstimatesAreThoseOfNumPy.
func TestImportedMatchesWeighAsMuchAsTheirScores(t *testing.T) {
	m, truth := drawn(7, 14, 12)
	for i := range m.Src {
		m.Distances = append(m.Distances, float64(i)/20)
	}
	const equal = 1210.9563655685422
	for name, c := range map[string]struct {
		imported string
		last     float64 // distance of the last match
		want     float64
	}{
		"imported":                 {"l.npz", 13. / 20, 642.8076635359322},
		"without weight":           {"l.npz", 1, 69.84689448716375},
		"imported, without scores": {"l.npz", math.NaN(), equal},
		"nearest neighbours":       {"", 13. / 20, equal},
	} {
		m.Distances[13] = c.last
		pair := record.Pair{Imported: c.imported, Width1: 1000, Height1: 1000, WidthK: 1000, HeightK: 1000}
		if got := entered(t, pair, truth, m, "dlt_scored")[0]; math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%s: corner error %v, want %v", name, got, c.want)
		}
	}
}

// The shared region ends at the centre of the last pixel, (100, 50), but selected keypoints
// are all in their own.
func TestSelectedKeypointsAreInTheSharedRegion(t *testing.T) {
	var queries []record.Query
	for i, p := range [][2]float32{{50, 25}, {100, 50}, {100.5, 10}, {10, 50.5}} {
		queries = append(queries, record.Query{X: p[0], Y: p[1], NearestX: p[0], NearestY: p[1], Nearest: int32(i), Second: -1, Mutual: true})
	}
	for selected, want := range map[bool]int32{false: 2, true: 4} {
		pair := record.Pair{Width1: 101, Height1: 51, WidthK: 101, HeightK: 51}
		pair.SetHomography(keypoints.Identity)
		if err := estimate.Enter(&pair, queries, matching.Mutual, nil, matching.Draws{}, selected, nil); err != nil || pair.CorrectSharedK != want {
			t.Errorf("selected %v: %d correct matches, %v, want %d", selected, pair.CorrectSharedK, err, want)
		}
	}
}

func TestWhatIsEnteredIsForAMatcherAndEstimators(t *testing.T) {
	pair := record.Pair{Width1: 1, Height1: 1, WidthK: 1, HeightK: 1}
	pair.SetHomography(keypoints.Identity)
	must.Do(t, estimate.Enter(&pair, nil, matching.Mutual, []string{"dlt", "ransac", "magsac_3x"}, matching.Draws{Homographies: 2}, false, nil))
	all := []string{"magsac_3x", "ransac", "dlt"}
	for _, c := range []struct {
		matcher    matching.Matcher
		estimators []string
		draws      int
		want       bool
	}{
		{matching.Mutual, all, 2, true}, {matching.Mutual, all, 1, false}, {matching.Mutual, all, 6, false},
		{matching.Mutual, []string{"dlt", "magsac", "magsac_3x"}, 2, false}, {matching.Mutual, all[:2], 2, false},
		{matching.Matcher{Ratio: 0.8}, all, 2, false},
	} {
		if got := estimate.Entered(&pair, c.matcher, c.estimators, matching.Draws{Homographies: c.draws}); got != c.want {
			t.Errorf("%v, %q, %d draws: %v, want %v", c.matcher, c.estimators, c.draws, got, c.want)
		}
	}
}

// The order depends on the scene, the pair and the estimate, not on the descriptor or the order of
// the records, on which a single draw depends.
func TestDrawsAndRepetitionsEstimateFromShuffledMatches(t *testing.T) {
	src, dst := matches(truths["tilt"], 60, 0.5, 1.5, 8)
	var queries []record.Query
	for i, p := range src {
		queries = append(queries, record.Query{X: p.X, Y: p.Y, Nearest: int32(i), NearestX: dst[i].X, NearestY: dst[i].Y, Second: -1, Mutual: true})
	}
	queries[7].X, queries[7].Y = queries[3].X, queries[3].Y // of equal positions the other decides
	backwards := slices.Clone(queries)
	slices.Reverse(backwards)
	of := func(scene string, k int32, descriptor string, queries []record.Query, draws int) []matching.EstimateError {
		pair := record.Pair{Descriptor: descriptor, Scene: scene, K: k, Width1: 640, Height1: 480, WidthK: 640, HeightK: 480}
		pair.SetHomography(truths["tilt"])
		names := []string{"usac_default_4x", "ransac", "dlt"}
		if err := estimate.Enter(&pair, queries, matching.Mutual, names, matching.Draws{Homographies: draws}, false, nil); err != nil || !estimate.Entered(&pair, matching.Mutual, names, matching.Draws{Homographies: draws}) {
			t.Fatalf("%s: %v", pair.CornerErrors, err)
		}
		return matching.EstimateErrors(&pair)[1:] // without dlt
	}
	for draws := 1; draws < 4; draws++ {
		first := of("v_a", 2, "sift", queries, draws)
		if different := slices.Compact(slices.Sorted(func(yield func(float64) bool) {
			for _, e := range first {
				yield(e.Px)
			}
		})); len(first) != 5*draws || len(different) < 3 {
			t.Errorf("corner errors %v, want %d, several of which differ", first, 5*draws)
		}
		if again := of("v_a", 2, "orb", queries, draws); !slices.Equal(again, first) {
			t.Errorf("again %v, want %v", again, first)
		}
		if other := of("v_a", 2, "sift", backwards, draws); slices.Equal(other, first) != (draws > 1) || !slices.Equal(other[draws:], first[draws:]) {
			t.Errorf("%d draws from other records: %v, want %v", draws, other, first)
		}
		if slices.Equal(of("v_b", 2, "sift", queries, draws), first) || slices.Equal(of("v_a", 3, "sift", queries, draws), first) {
			t.Error("other pairs have the same order")
		}
	}
}

func TestAPairNeedsAHomography(t *testing.T) {
	for _, h := range []keypoints.Homography{{}, {8: 1}} {
		pair := record.Pair{Scene: "v_a", K: 3, Width1: 1, Height1: 1, WidthK: 1, HeightK: 1}
		pair.SetHomography(h)
		must.Fail(t, estimate.Enter(&pair, nil, matching.Mutual, nil, matching.Draws{}, false, nil), "v_a/1_3: the record has neither a homography nor cameras")
	}
}
