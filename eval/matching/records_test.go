package matching

import (
	"fmt"
	"math"
	"slices"

	"pgregory.net/rapid"

	"descbench/eval/record"
	"descbench/eval/scope"
)

// none stands for the error of a truth or nearest neighbour that is not there.
var none = math.Inf(1)

// A row is what matters of a query's record.
type row struct {
	nearest float64 // px; none
	mutual  bool
	truth   float64 // px; none
	d1, d2  float64 // distances; d2 < 0: there is no second
	shared  bool
	invalid bool
}

// A pairRecord is a pair with its queries.
type pairRecord struct {
	pair    record.Pair
	queries []record.Query
}

// pairOf returns the record of a pair of the descriptor "d" that has candidates
// in image k, all valid, with counts that agree. Row i has nearest neighbour i.
func pairOf(scene string, k int32, candidates int32, rows ...row) pairRecord {
	r := pairRecord{pair: record.Pair{
		Descriptor: "d", Scene: scene, K: k, SceneDigest: scene, SetDigest: "set",
		Keypoints1: int32(len(rows)), KeypointsK: candidates,
	}}
	r.pair.Spread1, r.pair.SpreadK = 0.5, 0.25
	if len(rows) == 0 {
		r.pair.Spread1 = math.NaN()
	}
	if candidates == 0 {
		r.pair.SpreadK = math.NaN()
	}
	for i, w := range rows {
		q := record.Query{
			Descriptor: "d", Scene: scene, K: k, Row: int32(i),
			Truth: -1, TruthError: w.truth,
			Nearest: -1, NearestError: w.nearest, NearestDistance: math.NaN(), Second: -1, SecondDistance: math.NaN(),
			Mutual: w.mutual, Shared: w.shared, Invalid: w.invalid, Candidates: candidates,
		}
		if w.truth < none {
			q.Truth = 0
		}
		if w.nearest < none {
			q.Nearest, q.NearestDistance = int32(i), w.d1
			if w.d2 >= 0 {
				q.Second, q.SecondDistance = (q.Nearest+1)%candidates, w.d2
			}
		}
		if w.invalid {
			r.pair.Invalid1++
		}
		if w.shared {
			r.pair.Shared1++
		}
		r.queries = append(r.queries, q)
	}
	return r
}

// newAccumulator returns an accumulator of the descriptor "d".
func newAccumulator(tolerancePx float64) *Accumulator {
	return NewAccumulator("d", Mutual, tolerancePx)
}

// addTo adds the record.
func (r pairRecord) addTo(a *Accumulator) error {
	records, err := record.NewRecords(r.pair, r.queries)
	if err != nil {
		return err
	}
	return a.Add(records)
}

// add adds the records and fails the test if one is refused.
func add(t interface{ Fatal(...any) }, a *Accumulator, records ...pairRecord) {
	for _, r := range records {
		if err := r.addTo(a); err != nil {
			t.Fatal(err)
		}
	}
}

// text writes a result down so that two texts are equal if and only if the
// results are, bit by bit; unlike values, texts with NaN can be equal.
func text(r Result) string { return fmt.Sprintf("%+v", r) }

// find returns the metric of that scope and name.
func find(r Result, within, name string) (m scope.Metric, ok bool) {
	i := slices.IndexFunc(r.Metrics, func(m scope.Metric) bool { return m.Scope == within && m.Name == name })
	if i < 0 {
		return scope.Metric{}, false
	}
	return r.Metrics[i], true
}

// drawRecords draws the records of a run: some scenes, some pairs of each.
func drawRecords(t *rapid.T) []pairRecord {
	var out []pairRecord
	for _, scene := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"i_a", "i_b", "other", "v_a", "v_b"}), 0, 5, rapid.ID).Draw(t, "scenes") {
		queries := rapid.IntRange(0, 6).Draw(t, "queries of "+scene)
		invalid := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 5), func(v int) bool { return v == 0 }), queries, queries).Draw(t, "invalid queries of "+scene)
		for _, k := range rapid.SliceOfNDistinct(rapid.Int32Range(2, 6), 1, 4, rapid.ID).Draw(t, "pairs of "+scene) {
			candidates := rapid.SampledFrom([]int32{0, 6, 9}).Draw(t, "candidates")
			rows := make([]row, queries)
			for i := range rows {
				rows[i] = drawRow(t, candidates, invalid[i])
			}
			r := pairOf(scene, k, candidates, rows...)
			drawCounts(t, &r)
			out = append(out, r)
		}
	}
	return out
}

func drawRow(t *rapid.T, candidates int32, invalid bool) row {
	w := row{truth: none, nearest: none, invalid: invalid, shared: rapid.Bool().Draw(t, "shared")}
	if candidates == 0 {
		return w
	}
	px := rapid.OneOf(rapid.Float64Range(0, 10), rapid.SampledFrom([]float64{0, 1, 3, math.Nextafter(3, 4), 10}))
	if rapid.Bool().Draw(t, "has truth") {
		w.truth = px.Draw(t, "truth")
	}
	if !w.invalid {
		w.nearest = 2 * px.Draw(t, "nearest")
		w.mutual = rapid.Bool().Draw(t, "mutual")
		w.d1 = rapid.SampledFrom([]float64{0, 0.3, 0.5, 0.79, 0.8, 1}).Draw(t, "d1")
		w.d2 = w.d1 + rapid.SampledFrom([]float64{0, 0.01, 0.2, 1}).Draw(t, "d2 - d1")
	}
	return w
}

func drawCounts(t *rapid.T, r *pairRecord) {
	matches := int32(0)
	for _, q := range r.queries {
		if q.Mutual && q.NearestError <= TolerancePx {
			matches++
		}
	}
	c := &r.pair
	c.SharedK = rapid.Int32Range(0, c.KeypointsK).Draw(t, "shared in k")
	c.CorrectSharedK = rapid.Int32Range(0, min(matches, c.SharedK)).Draw(t, "correct in k")
	c.Repeated1 = rapid.Int32Range(0, c.Shared1).Draw(t, "repeated 1")
	c.RepeatedK = rapid.Int32Range(0, c.SharedK).Draw(t, "repeated k")
	c.RepeatedOnce = rapid.Int32Range(0, min(c.Repeated1, c.RepeatedK)).Draw(t, "one to one")
	share := rapid.Float64Range(0, TolerancePx)
	c.RepeatErrorSum1 = float64(c.Repeated1) * share.Draw(t, "error 1")
	c.RepeatErrorSumK = float64(c.RepeatedK) * share.Draw(t, "error k")
	px := rapid.OneOf(rapid.Float64Range(0, 10), rapid.Just(none))
	EnterEstimateErrors(&r.pair, []EstimateError{{Estimator: "magsac", Px: px.Draw(t, "magsac")}, {Estimator: "ransac", Px: px.Draw(t, "ransac")}})
}
