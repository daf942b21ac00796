package pairing

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"descbench/eval/random"
	"descbench/eval/ranking"
	"descbench/eval/record"
	"descbench/keypoints"
	"descbench/pipeline/config"
)

// A crowded pair has queries and candidates of which several lie at one place,
// and few distinct descriptors.
func crowdedPair(rng *rand.Rand) (first, other view) {
	first, other = randomView(rng, 50, 200, 200), randomView(rng, 70, 200, 200)
	for i := range 40 {
		k := &other.set.Keypoints[i]
		k.X, k.Y = first.set.Keypoints[i/2].X, first.set.Keypoints[i/2].Y
		if i%4 == 1 {
			k.X += 0.005
		}
		if i%4 == 3 {
			k.X += 0.05 // another place
		}
	}
	for _, i := range []int{0, 4, 5} {
		other.rows.Mark(i)
	}
	return first, other
}

func mappingOf(h keypoints.Homography, first, other view) keypoints.Mapping {
	m, err := keypoints.Plane(h, [2]int{first.width, first.height}, [2]int{other.width, other.height})
	if err != nil {
		panic(err)
	}
	return m
}

// byDistance returns the distance from query i of every candidate, infinite
// where either is invalid.
func byDistance(first, other view, i int) []float64 {
	d := make([]float64, other.rows.Rows)
	for j := range d {
		if first.rows.IsInvalid(i) || other.rows.IsInvalid(j) {
			d[j] = math.Inf(1)
			continue
		}
		for e := range 4 {
			x := float64(first.rows.Uint8[4*i+e]) - float64(other.rows.Uint8[4*j+e])
			d[j] += x * x
		}
	}
	return d
}

// countAmong returns the rank counts of the answers' best among others, by
// going through all of them.
func countAmong(distances []float64, answers, others []int32) (less, equal int32) {
	best := math.Inf(1)
	for _, a := range answers {
		best = min(best, distances[a])
	}
	for _, j := range others {
		switch {
		case math.IsInf(best, 1) || distances[j] < best:
			less++
		case distances[j] == best:
			equal++
		}
	}
	return less, equal
}

func rowsBut(n int, but []int32) []int32 {
	var out []int32
	for j := range int32(n) {
		if !slices.Contains(but, j) {
			out = append(out, j)
		}
	}
	return out
}

func TestCandidatesAtTheTruthsPlaceAreOneAnswer(t *testing.T) {
	for seed := range uint64(20) {
		first, other := crowdedPair(rand.New(rand.NewPCG(seed, 1)))
		p := pairing{
			first: first, other: other, mapping: mappingOf(keypoints.Identity, first, other), scene: "v_a", k: 3,
			evaluation: config.Evaluation{Options: ranking.Options{Relevance: "position"}, FixedGallery: &config.FixedGallery{N: 30, Seed: 9}},
		}
		_, queries := evaluated(t, p)
		several := 0
		for i, q := range queries {
			if q.Truth < 0 {
				if q.Less != 0 || q.Equal != 0 || q.GalleryLess != -1 {
					t.Errorf("query %d has no truth, but ranks: %+v", i, q)
				}
				continue
			}
			var answers []int32
			at := other.set.Keypoints[q.Truth]
			for j, k := range other.set.Keypoints {
				if math.Hypot(float64(k.X)-float64(at.X), float64(k.Y)-float64(at.Y)) <= 0.01 {
					answers = append(answers, int32(j))
				}
			}
			if len(answers) > 1 {
				several++
			}
			distances, others := byDistance(first, other, i), rowsBut(other.rows.Rows, answers)
			less, equal := countAmong(distances, answers, others)
			if q.Less != less || q.Equal != equal {
				t.Errorf("seed %d, query %d: less %d, equal %d, want %d, %d (answers %v)", seed, i, q.Less, q.Equal, less, equal, answers)
			}
			var drawn []int32
			for _, place := range random.New(9, "fixed gallery", "v_a", 3, i).Sample(len(others), 29) {
				drawn = append(drawn, others[place])
			}
			less, equal = countAmong(distances, answers, drawn)
			if q.GalleryLess != less || q.GalleryEqual != equal {
				t.Errorf("seed %d, query %d: in its gallery less %d, equal %d, want %d, %d", seed, i, q.GalleryLess, q.GalleryEqual, less, equal)
			}
		}
		if several < 8 {
			t.Errorf("seed %d: only %d queries have several answers", seed, several)
		}
	}
}

func TestAGalleryTakesAllTheImageHasOrNone(t *testing.T) {
	first, other := crowdedPair(rand.New(rand.NewPCG(3, 1)))
	ranks := func(n int) []record.Query {
		p := pairing{
			first: first, other: other, mapping: mappingOf(keypoints.Identity, first, other), scene: "v_a", k: 2,
			evaluation: config.Evaluation{FixedGallery: &config.FixedGallery{N: n, Seed: 1}},
		}
		_, queries := evaluated(t, p)
		return queries
	}
	for i, q := range ranks(70) { // all candidates
		if q.Truth >= 0 && (q.GalleryLess != q.Less || q.GalleryEqual != q.Equal) {
			t.Errorf("query %d among all: %+v", i, q)
		}
	}
	for i, q := range ranks(71) {
		if q.GalleryLess != -1 || q.GalleryEqual != -1 {
			t.Errorf("query %d has a gallery of 71 out of 70: %+v", i, q)
		}
	}
}

func TestIdentityFollowsAKeypointThroughProjectionAndSelection(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	first := randomView(rng, 40, 200, 200)
	first.set = first.set.Numbered()
	h := keypoints.Homography{1.2, 0.1, -10, 0, 1.1, -5, 0, 0, 1}
	projected := first.set.Project(mappingOf(h, first, first), 200, 200, keypoints.Border{})
	// Then both are reduced, each in its own order.
	byX := func(s keypoints.Set) []int {
		rows := make([]int, 0, s.Len())
		for i := range s.Keypoints {
			if i%3 != 1 {
				rows = append(rows, i)
			}
		}
		slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(s.Keypoints[a].X, s.Keypoints[b].X) })
		return rows
	}
	other := randomView(rng, projected.Len(), 200, 200)
	other.set = projected
	pick := func(v view) view {
		rows := byX(v.set)
		return view{v.width, v.height, v.set.Select(rows), v.rows.Select(rows)}
	}
	a, b := pick(first), pick(other)
	p := pairing{first: a, other: b, mapping: mappingOf(h, a, b), scene: "v_a", k: 2, evaluation: config.Evaluation{Options: ranking.Options{Relevance: "identity"}}}
	found := 0
	for i, truth := range p.truths(p.mapping.Places(a.set.Keypoints)) {
		want := int32(slices.Index(b.set.Source, a.set.Source[i]))
		if truth.Row != want {
			t.Errorf("query %d: truth %d, want %d", i, truth.Row, want)
		}
		if want >= 0 {
			found++
			if !(truth.Error < 1e-4) {
				t.Errorf("query %d: its projection lies %v px from its projection", i, truth.Error)
			}
		}
	}
	if found == 0 || found == a.set.Len() {
		t.Errorf("%d of %d queries have their projection, want some", found, a.set.Len())
	}
}

// The records tell invalid ground truths without a mark of their own.
func TestRecordsTellWhichTruthsAreInvalid(t *testing.T) {
	for _, relevance := range []ranking.Relevance{ranking.NearestRelevant, ranking.PositionRelevant} {
		concerned := 0
		for seed := range uint64(20) {
			first, other := crowdedPair(rand.New(rand.NewPCG(seed, 2)))
			p := pairing{
				first: first, other: other, mapping: mappingOf(keypoints.Identity, first, other), scene: "v_a", k: 3,
				evaluation: config.Evaluation{Options: ranking.Options{Relevance: relevance}},
			}
			pair, queries := evaluated(t, p)
			want := 0
			for i, q := range queries {
				if q.Truth < 0 {
					continue
				}
				at, valid := other.set.Keypoints[q.Truth], other.rows.IsInvalid(int(q.Truth)) == false
				for j, k := range other.set.Keypoints {
					same := math.Hypot(float64(k.X)-float64(at.X), float64(k.Y)-float64(at.Y)) <= 0.01
					valid = valid || relevance == ranking.PositionRelevant && same && !other.rows.IsInvalid(j)
				}
				if valid && !first.rows.IsInvalid(i) {
					want++
				} else {
					concerned++
				}
			}
			pair.Descriptor = "d"
			for i := range queries {
				queries[i].Descriptor = "d"
			}
			records, err := record.NewRecords(pair, queries)
			if err != nil {
				t.Fatal(err)
			}
			a := ranking.NewAccumulator("d", ranking.Options{TolerancePx: 10, ExcludeInvalid: true, ExcludeInvalidTruths: true})
			if err := a.Add(records); err != nil {
				t.Fatal(err)
			}
			if got := a.Result().Scenes[0].Processed; got != want {
				t.Errorf("relevance %s, seed %d: %d queries are processed, want %d", relevance, seed, got, want)
			}
		}
		if concerned < 20 {
			t.Errorf("relevance %s: only %d queries are concerned, so this shows too little", relevance, concerned)
		}
	}
}
