package fold

import (
	"testing"

	"descbench/internal/must"
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
		return &Run{Outcome: &Outcome{Folder: dir, Config: &config.Config{}, Summary: &store.Summary{}}, Systems: []*System{{Descriptor: "net"}}}
	}
	first := run(&plan.Environment{OpenCV: "4.6.0", SURF: "own", Dispatch: "avx2", CPU: "a"})
	for _, c := range []struct {
		run  *Run
		want string // "" for no warning
	}{
		{run(&plan.Environment{OpenCV: "4.6.0", SURF: "own", Dispatch: "avx2", CPU: "b", Importer: 3}), ""},
		{run(&plan.Environment{OpenCV: "4.10.0", SURF: "own", Dispatch: "fma3"}),
			"computed in another environment than " + first.Folder + " (OpenCV: 4.6.0 -> 4.10.0, OpenCV's CPU dispatch level: avx2 -> fma3); extract both in the same to compare descriptors alone"},
		{run(nil), ""}, // re-evaluated metrics
	} {
		all := Runs{Runs: []*Run{first, c.run}}
		if err := all.warnOfEnvironments(); err != nil || len(first.Summary.Warnings) != 0 {
			t.Fatalf("%v, %v: the first run differs from itself", first.Summary.Warnings, err)
		}
		text := ""
		for _, w := range c.run.Summary.Warnings {
			text += w.Text
		}
		if text != c.want {
			t.Errorf("warning %q, want %q", text, c.want)
		}
	}
}
