package ranking

import (
	"fmt"
	"math"
	"slices"

	"descbench/eval/record"
	"descbench/eval/scope"

	"pgregory.net/rapid"
)

// none stands for the error of a truth or nearest neighbour that is not there.
var none = math.Inf(1)

// A row is what matters of a query's record.
type row struct {
	truth       float64 // px; none
	less, equal int32
	nearest     float64 // px; none
	invalid     bool
}

// A pairRecord is a pair with its queries.
type pairRecord struct {
	pair    record.Pair
	queries []record.Query
}

// pairOf returns the record of a pair of the descriptor "d" that has candidates
// in image k, of which some are invalid.
func pairOf(scene string, k int32, candidates, invalid int32, rows ...row) pairRecord {
	r := pairRecord{pair: record.Pair{
		Descriptor: "d", Scene: scene, K: k, SceneDigest: scene, SetDigest: "set",
		Width1: 640, Height1: 480, WidthK: 640, HeightK: 480,
		Keypoints1: int32(len(rows)), KeypointsK: candidates, InvalidK: invalid,
	}}
	for i, w := range rows {
		q := record.Query{
			Descriptor: "d", Scene: scene, K: k, Row: int32(i), X: float32(3 * i % 640), Y: float32(7 * i % 480),
			Truth: -1, TruthX: float32(w.truth), TruthError: w.truth, Less: w.less, Equal: w.equal,
			Nearest: -1, NearestX: float32(w.nearest), NearestError: w.nearest, Second: -1,
			NearestDistance: math.NaN(), SecondDistance: math.NaN(),
			Invalid: w.invalid, Candidates: candidates,
		}
		if w.truth < none {
			q.Truth = 0
		}
		if w.nearest < none {
			q.Nearest, q.NearestDistance = 0, 1
		}
		if w.invalid {
			r.pair.Invalid1++
		}
		r.queries = append(r.queries, q)
	}
	return r
}

// newAccumulator returns an accumulator of the descriptor "d".
func newAccumulator(opt Options) *Accumulator {
	return NewAccumulator("d", opt)
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

// drawRecords draws the records of a run: some scenes, some pairs of each.
func drawRecords(t *rapid.T) []pairRecord {
	var out []pairRecord
	for _, scene := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"i_a", "i_b", "other", "v_a", "v_b", "v_c"}), 0, 5, rapid.ID).Draw(t, "scenes") {
		queries := rapid.IntRange(0, 6).Draw(t, "queries of "+scene)
		invalid := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 5), func(v int) bool { return v == 0 }), queries, queries).Draw(t, "invalid queries of "+scene)
		for _, k := range rapid.SliceOfNDistinct(rapid.Int32Range(2, 6), 1, 4, rapid.ID).Draw(t, "pairs of "+scene) {
			candidates := rapid.Int32Range(0, 7).Draw(t, "candidates")
			rows := make([]row, queries)
			for i := range rows {
				rows[i] = drawRow(t, candidates, invalid[i])
			}
			out = append(out, pairOf(scene, k, candidates, rapid.Int32Range(0, candidates).Draw(t, "invalid"), rows...))
		}
	}
	return out
}

func drawRow(t *rapid.T, candidates int32, invalid bool) row {
	w := row{truth: none, nearest: none, invalid: invalid}
	px := rapid.SampledFrom([]float64{0, 0.5, 2.75, 3, math.Nextafter(3, 4), 8, 10})
	if candidates == 0 {
		return w
	}
	if !invalid {
		w.nearest = 10 * px.Draw(t, "nearest")
	}
	if rapid.Bool().Draw(t, "has truth") {
		w.truth = px.Draw(t, "truth")
		if w.less = candidates - 1; !invalid {
			w.less = rapid.Int32Range(0, candidates-1).Draw(t, "less")
			w.equal = rapid.Int32Range(0, candidates-1-w.less).Draw(t, "equal")
		}
	}
	return w
}

func drawOptions(t *rapid.T) Options {
	return Options{
		TolerancePx: rapid.SampledFrom([]float64{0, 2.5, 3, 10}).Draw(t, "tolerance"),
		Ties:        rapid.SampledFrom([]TieRule{Mean, Strict, Workbench}).Draw(t, "ties"),
		Cutoffs:     []int{1, 2, 5},
	}
}

// value returns the metric of that scope and name.
func value(r Result, within, name string) (v float64, ok bool) {
	i := slices.IndexFunc(r.Metrics, func(m scope.Metric) bool { return m.Scope == within && m.Name == name })
	if i < 0 {
		return math.NaN(), false
	}
	return r.Metrics[i].Value, true
}
