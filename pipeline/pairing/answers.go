package pairing

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"descbench/eval/nearest"
	"descbench/eval/truth"
	"descbench/keypoints"
	"descbench/pipeline/config"
)

// samePlacePx is the distance within which the rule `relevance: position` treats
// candidates as the same answer.
const samePlacePx = 0.01

// answers holds the candidates that are correct answers to each query of a pair.
type answers struct {
	// ranked is the row whose rank counts: the best answer, or -1 if there is none.
	ranked []int32
	// groups holds all answers to each query that has several, in ascending order.
	groups  map[int][]int32
	measure *nearest.Measure // nil unless relevance is by position
}

// answers returns the correct answers to each query: its truth or, under the
// rule `relevance: position`, all candidates at the position of the truth.
func (p *pairing) answers(truths []truth.Truth) (answers, error) {
	a := answers{ranked: make([]int32, len(truths)), groups: make(map[int][]int32)}
	for i, t := range truths {
		a.ranked[i] = t.Row
	}
	if p.evaluation.Relevance != config.PositionRelevant {
		return a, nil
	}
	var err error
	if a.measure, err = nearest.NewMeasure(p.first.rows, p.other.rows); err != nil {
		return a, err
	}
	places := newPlaces(p.other.set.Keypoints)
	for i, row := range a.ranked {
		if row < 0 {
			continue
		}
		if group := places.at(row); len(group) > 1 {
			a.groups[i] = group
			a.ranked[i] = nearest.Best(a.measure, i, group)
		}
	}
	return a, nil
}

// uncount removes a query's other answers from the rank counts of its best
// answer.
func (a answers) uncount(ranks *nearest.Result) {
	for i, group := range a.groups {
		others := int32(len(group) - 1)
		if best := a.ranked[i]; !a.measure.ValidQuery(i) || !a.measure.ValidCandidate(int(best)) {
			ranks.Less[i] -= others // all other candidates were counted as nearer
			continue
		}
		keys := make([]float64, len(group))
		a.measure.Order(i, group, keys)
		least := slices.Min(keys)
		for _, key := range keys {
			if key == least {
				ranks.Equal[i]--
			}
		}
		ranks.Equal[i]++ // the best answer itself was not counted
	}
}

// of returns the answers to a query that has a truth, in ascending order.
func (a answers) of(query int) []int32 {
	if group := a.groups[query]; group != nil {
		return group
	}
	return a.ranked[query : query+1]
}

// places finds keypoints at the same position as a given one.
type places struct {
	points []keypoints.Keypoint
	byX    []int32 // rows by x
}

func newPlaces(points []keypoints.Keypoint) places {
	p := places{points: points, byX: make([]int32, len(points))}
	for i := range p.byX {
		p.byX[i] = int32(i)
	}
	slices.SortStableFunc(p.byX, func(a, b int32) int { return cmp.Compare(points[a].X, points[b].X) })
	return p
}

// at returns the rows of all keypoints within samePlacePx of that of the given
// row, including the row itself, in ascending order.
func (p places) at(row int32) []int32 {
	x, y := float64(p.points[row].X), float64(p.points[row].Y)
	first := sort.Search(len(p.byX), func(i int) bool { return float64(p.points[p.byX[i]].X) >= x-samePlacePx })
	var rows []int32
	for _, r := range p.byX[first:] {
		k := p.points[r]
		if float64(k.X) > x+samePlacePx {
			break
		}
		if math.Hypot(float64(k.X)-x, float64(k.Y)-y) <= samePlacePx {
			rows = append(rows, r)
		}
	}
	slices.Sort(rows)
	return rows
}
