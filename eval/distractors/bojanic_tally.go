package distractors

import (
	"cmp"
	"math"
	"slices"

	"descbench/eval/binary"
	"descbench/eval/scope"
)

const bojanicTask = "bojanic_2019"

// A bojanicTally summarises one scene in one repetition.
type bojanicTally struct {
	matching  scope.Fraction // APs of pairs with a correct match
	retrieval scope.Fraction // APs of queries
	labelled  *binary.Curve  // matches, and nearest neighbours in other scenes
	queries   int
	invalid   int  // invalid queries
	elsewhere bool // whether there are nearest neighbours in other scenes
}

// tallies summarises the records of one scene by repetition.
func (b Bojanic) tallies(descriptor, scene string, records []BojanicRecord) ([]bojanicTally, error) {
	records = slices.SortedFunc(slices.Values(records), BojanicRecord.compare)
	for _, r := range records {
		if r.Descriptor != descriptor || r.Scene != scene {
			return nil, scope.Errorf(descriptor, scene, 0, "record of descriptor %q, scene %q", r.Descriptor, r.Scene)
		}
	}
	tallies := make([]bojanicTally, b.Repetitions)
	for i := range tallies {
		end := 0
		for end < len(records) && int(records[end].Repetition) == i {
			end++
		}
		tallies[i], records = tallied(records[:end]), records[end:]
	}
	if len(records) > 0 {
		return nil, scope.Errorf(descriptor, scene, 0, "record of repetition %d, want one of %d repetitions", records[0].Repetition, b.Repetitions)
	}
	return tallies, nil
}

// compare orders the records of a scene.
func (r BojanicRecord) compare(s BojanicRecord) int {
	return cmp.Or(cmp.Compare(r.Repetition, s.Repetition), cmp.Compare(r.Row, s.Row), cmp.Compare(r.K, s.K), cmp.Compare(r.Other, s.Other))
}

// tallied summarises the records of one repetition.
func tallied(records []BojanicRecord) (t bojanicTally) {
	var labelled binary.Samples
	var right, wrong [][]float64 // by image number
	for _, r := range records {
		switch {
		case r.K == kRetrieval:
			t.queries++
			if r.Invalid {
				t.invalid++
			}
			if !math.IsNaN(r.AP) {
				t.retrieval = t.retrieval.Plus(scope.Fraction{Sum: r.AP, N: 1})
			}
			continue
		case r.K == kOther:
			t.elsewhere = true
		default:
			for len(right) <= int(r.K) {
				right, wrong = append(right, nil), append(wrong, nil)
			}
			if r.Correct {
				right[r.K] = append(right[r.K], r.Distance)
			} else {
				wrong[r.K] = append(wrong[r.K], r.Distance)
			}
		}
		labelled.Add(r.K > kOther && r.Correct, r.Distance)
	}
	for k := range right {
		if len(right[k]) > 0 {
			t.matching = t.matching.Plus(scope.Fraction{Sum: averagePrecision(right[k], wrong[k]), N: 1})
		}
	}
	t.labelled = labelled.Curve()
	return t
}
