package distractors

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"descbench/eval/binary"
	"descbench/eval/scope"
)

const bojanicTask = "bojanic_2019"

// A BojanicAccumulator computes metrics from the records of one descriptor, added
// scene by scene. It keeps 8 bytes per distance. Its results are bit-identical for
// any order of the scenes and of the records of a scene. It is not safe for
// concurrent use.
type BojanicAccumulator struct {
	protocol Bojanic
	ledger   *scope.Ledger[[]bojanicTally] // by repetition
}

// A bojanicTally summarises one scene in one repetition.
type bojanicTally struct {
	matching  scope.Fraction // APs of pairs with a correct match
	retrieval scope.Fraction // APs of queries
	labelled  *binary.Curve  // matches, and nearest neighbours in other scenes
	queries   int
	invalid   int  // invalid queries
	elsewhere bool // whether there are nearest neighbours in other scenes
}

// NewBojanicAccumulator returns an accumulator without scenes.
func NewBojanicAccumulator(descriptor string, protocol Bojanic) *BojanicAccumulator {
	return &BojanicAccumulator{protocol, scope.NewLedger[[]bojanicTally](descriptor)}
}

// Add adds all records of one scene, which may be in any order. It does not keep
// them. A scene without a keypoint that stays inside every target has no records.
// Add fails, and adds nothing, if a record belongs to another scene, descriptor or
// protocol, or if the scene was added before.
func (a *BojanicAccumulator) Add(scene string, records []BojanicRecord) error {
	tallies, err := a.tallies(scene, records)
	if err != nil {
		err = scope.Errorf(a.ledger.Descriptor, scene, 0, "%w", err)
	} else {
		err = a.ledger.Enter(a.ledger.Descriptor, scene, 0, tallies)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", bojanicTask, err)
	}
	return nil
}

// tallies summarises the records of one scene by repetition.
func (a *BojanicAccumulator) tallies(scene string, records []BojanicRecord) ([]bojanicTally, error) {
	records = slices.SortedFunc(slices.Values(records), BojanicRecord.compare)
	for _, r := range records {
		if r.Descriptor != a.ledger.Descriptor || r.Scene != scene {
			return nil, fmt.Errorf("record of descriptor %q, scene %q", r.Descriptor, r.Scene)
		}
	}
	tallies := make([]bojanicTally, a.protocol.Repetitions)
	for i := range tallies {
		end := 0
		for end < len(records) && int(records[end].Repetition) == i {
			end++
		}
		var err error
		if tallies[i], err = tallied(records[:end]); err != nil {
			return nil, fmt.Errorf("repetition %d: %w", i, err)
		}
		records = records[end:]
	}
	if len(records) > 0 {
		return nil, fmt.Errorf("record of repetition %d, want one of %d repetitions", records[0].Repetition, a.protocol.Repetitions)
	}
	return tallies, nil
}

// compare orders the records of a scene.
func (r BojanicRecord) compare(s BojanicRecord) int {
	return cmp.Or(cmp.Compare(r.Repetition, s.Repetition), cmp.Compare(r.Row, s.Row), cmp.Compare(r.K, s.K), cmp.Compare(r.Other, s.Other))
}

// tallied summarises the records of one repetition.
func tallied(records []BojanicRecord) (bojanicTally, error) {
	var t bojanicTally
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
	var err error
	t.labelled, err = labelled.Curve()
	return t, err
}

// Fail records that a scene could not be evaluated. Its records, added before or
// later, are then ignored, and a warning reports the task as incomplete.
func (a *BojanicAccumulator) Fail(scene string) { a.ledger.Fail(scene, "") }
