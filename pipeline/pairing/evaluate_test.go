package pairing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"descbench/descriptors"
	"descbench/eval/record"
	"descbench/eval/scope"
	"descbench/keypoints"
)

// evaluated returns the records of a pair.
func evaluated(t *testing.T, p pairing) (record.Pair, []record.Query) {
	t.Helper()
	g, err := p.geometry()
	if err != nil {
		t.Fatal(err)
	}
	pair, queries, err := p.evaluate(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return pair, queries
}

// TestRecordsAreWhatSortingAllDistancesGives compares the records of a random
// pair with distances computed one by one and sorted.
func TestRecordsAreWhatSortingAllDistancesGives(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	h := keypoints.Homography{0.9, 0.1, 5, -0.1, 1.1, -3, 1e-4, -2e-4, 1}
	first, other := randomView(rng, 60, 200, 150), randomView(rng, 80, 180, 160)
	// Half of the candidates are projections of queries, some a little off.
	for i := range 40 {
		q := first.set.Keypoints[i]
		x, y := h.Apply(float64(q.X), float64(q.Y))
		other.set.Keypoints[i].X = float32(x + float64(i%5))
		other.set.Keypoints[i].Y = float32(y)
	}
	p := pairing{first: first, other: other, mapping: mappingOf(h, first, other), scene: "v_a", k: 2}
	pair, queries := evaluated(t, p)
	if pair.Keypoints1 != 60 || pair.KeypointsK != 80 || pair.Invalid1 != 1 || pair.InvalidK != 1 || pair.Dimension != 4 {
		t.Errorf("pair is %+v", pair)
	}
	for i, q := range queries {
		want := bruteForce(first, other, h, i)
		if q.Truth != want.Truth || q.Less != want.Less || q.Equal != want.Equal || q.Nearest != want.Nearest || q.Shared != want.Shared || q.Invalid != want.Invalid {
			t.Errorf("query %d:\ngot  %+v\nwant %+v", i, q, want)
		}
		if math.Abs(q.TruthError-want.TruthError) > 1e-9 && !math.IsInf(want.TruthError, 1) {
			t.Errorf("query %d: truth error %v, want %v", i, q.TruthError, want.TruthError)
		}
		if q.Nearest >= 0 && math.Abs(q.NearestError-want.NearestError) > 1e-9 {
			t.Errorf("query %d: error of the nearest %v, want %v", i, q.NearestError, want.NearestError)
		}
	}
}

// randomView makes keypoints with few distinct 4-D descriptors, so that ties
// abound, and one invalid row.
func randomView(rng *rand.Rand, n, width, height int) view {
	v := view{width: width, height: height, rows: &descriptors.Matrix{Rows: n, Dim: 4, Type: descriptors.Uint8}}
	for range n {
		v.set.Keypoints = append(v.set.Keypoints, keypoints.Keypoint{
			X: rng.Float32() * float32(width), Y: rng.Float32() * float32(height), Size: 3,
		})
		for range 4 {
			v.rows.Uint8 = append(v.rows.Uint8, uint8(1+rng.IntN(3)))
		}
	}
	v.rows.Mark(n / 3)
	return v
}

func bruteForce(first, other view, h keypoints.Homography, i int) record.Query {
	q := record.Query{Truth: -1, TruthError: math.Inf(1), Nearest: -1, Invalid: first.rows.IsInvalid(i)}
	k := first.set.Keypoints[i]
	px, py := h.Apply(float64(k.X), float64(k.Y))
	q.Shared = px >= 0 && py >= 0 && px <= float64(other.width-1) && py <= float64(other.height-1)
	pixelError := func(j int) float64 {
		c := other.set.Keypoints[j]
		return math.Hypot(float64(c.X)-px, float64(c.Y)-py)
	}
	distance := func(j int) float64 { // infinite if either row is invalid
		if q.Invalid || other.rows.IsInvalid(j) {
			return math.Inf(1)
		}
		d := 0.0
		for e := range 4 {
			diff := float64(first.rows.Uint8[4*i+e]) - float64(other.rows.Uint8[4*j+e])
			d += diff * diff
		}
		return d
	}
	order := make([]int, other.rows.Rows)
	for j := range order {
		order[j] = j
		if e := pixelError(j); e <= scope.MaxTolerancePx && e < q.TruthError {
			q.Truth, q.TruthError = int32(j), e
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch da, db := distance(a), distance(b); {
		case da < db:
			return -1
		case da > db:
			return 1
		}
		return 0
	})
	if d := distance(order[0]); !math.IsInf(d, 1) {
		q.Nearest, q.NearestError = int32(order[0]), pixelError(order[0])
	}
	if q.Truth < 0 {
		return q
	}
	truth := distance(int(q.Truth))
	for _, j := range order {
		switch d := distance(j); {
		case j == int(q.Truth):
		case math.IsInf(truth, 1): // an invalid query or truth comes last
			q.Less++
		case d < truth:
			q.Less++
		case d == truth:
			q.Equal++
		}
	}
	return q
}

func TestDescriptorsOfAKeypointSetShareItsGeometry(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	w := &Scene{}
	pairings := func() []*pairing {
		first, other := randomView(rng, 30, 200, 150), randomView(rng, 30, 200, 150)
		return []*pairing{{first: first, other: first}, {first: first, other: other, mapping: mappingOf(keypoints.Identity, first, other), k: 2}}
	}
	of := pairings()
	mapping := func(i int) (keypoints.Mapping, error) { return of[i].mapping, nil }
	own, again, projected := w.shared("own", of, mapping), w.shared("own", pairings(), mapping), w.shared("projected", pairings(), mapping)
	g, err := own.pairs[1]()
	if err != nil {
		t.Fatal(err)
	}
	if want := of[1].truths(of[1].mapping.Places(of[1].first.set.Keypoints)); !slices.Equal(g.truths, want) {
		t.Errorf("truths are %v, want %v", g.truths, want)
	}
	if h, _ := again.pairs[1](); &h.truths[0] != &g.truths[0] || again.digest() != own.digest() {
		t.Error("the second descriptor of a set computes its geometry again")
	}
	if h, _ := projected.pairs[1](); slices.Equal(h.truths, g.truths) || projected.digest() == own.digest() {
		t.Error("two sets have the same geometry")
	}
}
