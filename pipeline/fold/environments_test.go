package fold

import (
	"slices"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

func TestRunsOfOtherSoftwareAreToldApart(t *testing.T) {
	run := func(e *plan.Environment) *Run {
		dir := t.TempDir()
		if e != nil {
			must.Do(t, plan.Folder(dir).WriteJSON(plan.Folder(dir).Environment(), e))
		}
		return &Run{Folder: dir, Config: &config.Config{}, Summary: &store.Summary{}, Systems: []*System{{Descriptor: "net"}}}
	}
	first := run(&plan.Environment{OpenCV: "4.6.0", SURF: "own", Dispatch: "avx2", CPU: "a"})
	for _, c := range []struct {
		run  *Run
		want []string // what differs
	}{
		{run(&plan.Environment{OpenCV: "4.6.0", SURF: "own", Dispatch: "avx2", CPU: "b", Importer: 3}), nil},
		{run(&plan.Environment{OpenCV: "4.10.0", SURF: "own", Dispatch: "fma3"}),
			[]string{"OpenCV: 4.6.0 -> 4.10.0", "OpenCV's CPU dispatch level: avx2 -> fma3"}},
		{run(nil), nil}, // re-evaluated metrics
	} {
		all := Runs{Runs: []*Run{first, c.run}}
		if err := all.warnOfEnvironments(); err != nil || len(first.Summary.Warnings) != 0 {
			t.Fatalf("%v, %v: the first run differs from itself", first.Summary.Warnings, err)
		}
		var got []string
		for _, f := range c.run.Summary.Warnings {
			got = append(got, f.Names["differs"]...)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
