package features

import (
	"fmt"
	"testing"
	"time"

	"descbench/eval/must"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
)

// A program that changes after a while is found in the middle of a run, at a cost of a call in 32.
func TestSomeResultsOfAProgramAreComputedAgainAndTheFirstAtTheEnd(t *testing.T) {
	const results = 3200
	for steadyFor, wantMarked := range map[int]bool{results / 4: true, 2 * results: false} {
		s := &Stage{programs: newPrograms(nil, func() plan.Environment { return plan.Environment{} }), Folder: plan.Folder(t.TempDir())}
		s.programs.ctx = t.Context()
		calls, freed, again := 0, 0, 0
		differs := func(was, is int) string { return map[bool]string{true: "differs"}[was != is] }
		for i := range results {
			r := Repetition[int]{Command: &config.Command{Key: "p", Instances: 1}, settings: "s", of: fmt.Sprint(i), Differs: differs, free: func() { freed++ }}
			r.Compute = func() (int, time.Duration, error) {
				calls++
				again++
				return i + max(0, calls-steadyFor), 0, nil
			}
			now := i + max(0, calls-steadyFor)
			calls++
			must.Do(t, r.probe(s, now))
		}
		if marked := s.unsteady("p"); marked != wantMarked {
			t.Errorf("steady for %d calls: marked %v, want %v", steadyFor, marked, wantMarked)
		}
		if !wantMarked && (again < results/64 || again > results/16) {
			t.Errorf("%d of %d results computed again, want about one in 32", again, results)
		}
		before := again
		s.checkLast()
		s.checkLast() // does nothing
		if last := again - before; freed != 1 || last != map[bool]int{true: 0, false: 1}[wantMarked] {
			t.Errorf("%d calls at the end, %d times freed", last, freed)
		}
	}
}
