package tasks

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"descbench/eval/binary"
)

// A BojanicAccumulator sums up the records of one descriptor, scene by scene.
// It keeps 8 bytes of each distance. What it yields depends on the set of
// scenes alone, bit by bit: neither on their order, nor on that of a scene's
// records, nor on how scenes were split and merged. It may be used by one
// goroutine at a time.
type BojanicAccumulator struct {
	protocol Bojanic
	ledger   ledger[[]bojanicTally] // by repetition
}

// A bojanicTally is one scene in one repetition.
type bojanicTally struct {
	matching  part          // APs of pairs that have a correct match
	retrieval part          // APs of queries
	labelled  *binary.Curve // matches and nearest neighbours elsewhere
	queries   int
	invalid   int  // of them
	elsewhere bool // there are nearest neighbours elsewhere
}

// NewBojanicAccumulator returns an accumulator without scenes.
func NewBojanicAccumulator(descriptor string, protocol Bojanic) *BojanicAccumulator {
	return &BojanicAccumulator{protocol, newLedger[[]bojanicTally]("bojanic_2019", descriptor)}
}

// Add adds all records of one scene, in any order, which it does not keep. A
// scene of which no keypoint stays inside every target has none. It fails, and
// adds nothing, if a record is of another scene or descriptor or makes no
// sense, or if the scene was added before.
func (a *BojanicAccumulator) Add(scene string, records []BojanicRecord) error {
	if err := a.ledger.admit(a.ledger.descriptor, scene); err != nil {
		return err
	}
	records = slices.SortedFunc(slices.Values(records), BojanicRecord.compare)
	for i := range records {
		if err := a.check(scene, &records[i]); err != nil {
			return err
		}
		if i > 0 && records[i].compare(records[i-1]) == 0 {
			return a.ledger.errorf(scene, "repetition %d, row %d, k %d %s: two records", records[i].Repetition, records[i].Row, records[i].K, records[i].Other)
		}
	}
	tallies := make([]bojanicTally, a.protocol.Rounds())
	for i := range tallies {
		end := 0
		for end < len(records) && int(records[end].Repetition) == i {
			end++
		}
		var err error
		if tallies[i], err = tallied(records[:end]); err != nil {
			return a.ledger.errorf(scene, "repetition %d: %w", i, err)
		}
		records = records[end:]
	}
	a.ledger.scenes[scene] = tallies
	return nil
}

// compare orders the records of a scene.
func (r BojanicRecord) compare(s BojanicRecord) int {
	return cmp.Or(cmp.Compare(r.Repetition, s.Repetition), cmp.Compare(r.Row, s.Row), cmp.Compare(r.K, s.K), cmp.Compare(r.Other, s.Other))
}

func (a *BojanicAccumulator) check(scene string, r *BojanicRecord) error {
	fault := func(format string, args ...any) error {
		return a.ledger.errorf(scene, "repetition %d, row %d, k %d: %w", r.Repetition, r.Row, r.K, fmt.Errorf(format, args...))
	}
	switch finite := !math.IsNaN(r.Distance) && !math.IsInf(r.Distance, 0); {
	case r.Descriptor != a.ledger.descriptor || r.Scene != scene:
		return fault("record of descriptor %q, scene %q", r.Descriptor, r.Scene)
	case r.Repetition < 0 || int(r.Repetition) >= a.protocol.Rounds():
		return fault("want %d repetitions", a.protocol.Rounds())
	case r.Row < 0 || r.K < kRetrieval || (r.K == kOther) != (r.Other != ""):
		return fault("of scene %q, want a row, and another scene for k %d alone", r.Other, kOther)
	case r.K == kRetrieval && !(r.AP >= 0 && r.AP <= 1 || math.IsNaN(r.AP)):
		return fault("AP %v, want 0 to 1, or NaN", r.AP)
	case r.K != kRetrieval && (!finite || r.Distance < 0):
		return fault("distance %v, want a finite one", r.Distance)
	}
	return nil
}

// tallied sums up the records of one repetition.
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
				t.retrieval.sum += r.AP
				t.retrieval.n++
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
			t.matching.sum += averagePrecision(right[k], wrong[k])
			t.matching.n++
		}
	}
	var err error
	t.labelled, err = labelled.Curve()
	return t, err
}

// Fail records that a scene could not be evaluated: its records, added before or
// later, then count nowhere, and the task is incomplete.
func (a *BojanicAccumulator) Fail(scene string) { a.ledger.failed[scene] = true }

// Merge adds the scenes and failures of b, which must be of the same descriptor
// and protocol and have no scene in common with a. It fails, and adds nothing,
// if they are not. b is not modified.
func (a *BojanicAccumulator) Merge(b *BojanicAccumulator) error {
	if a.protocol != b.protocol {
		return fmt.Errorf("bojanic_2019: merge of figures of %+v and %+v", a.protocol, b.protocol)
	}
	return a.ledger.merge(&b.ledger)
}
