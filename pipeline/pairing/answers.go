package pairing

import (
	"slices"

	"descbench/eval/nearest"
	"descbench/eval/ranking"
	"descbench/eval/truth"
	"descbench/keypoints"
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
	if p.evaluation.Relevance != ranking.PositionRelevant {
		return a, nil
	}
	var err error
	if a.measure, err = nearest.NewMeasure(p.first.rows, p.other.rows); err != nil {
		return a, err
	}
	places := keypoints.IndexOf(p.other.set.Keypoints, samePlacePx)
	for i, row := range a.ranked {
		if row < 0 {
			continue
		}
		x, y := p.other.position(row)
		if group := places.Within(float64(x), float64(y)); len(group) > 1 {
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
