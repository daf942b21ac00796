package compare

import (
	"testing"

	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

func TestRunsOfOtherSoftwareAreToldApart(t *testing.T) {
	runIn := func(dir string) *fold.Run { return &fold.Run{Outcome: &fold.Outcome{Folder: dir}} }
	folder := func(e plan.Environment) string {
		dir := t.TempDir()
		if err := plan.Folder(dir).WriteJSON(plan.Folder(dir).Environment(), e); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	first := folder(plan.Environment{OpenCV: "4.6.0", SURF: "own", Dispatch: "avx2", CPU: "a", Models: map[string]string{"net": "1"}})
	for _, c := range []struct {
		run  string
		want string // "" for no warning
	}{
		{folder(plan.Environment{OpenCV: "4.6.0", SURF: "own", Dispatch: "avx2", CPU: "b", Importer: 3}), ""},
		{folder(plan.Environment{OpenCV: "4.10.0", SURF: "own", Dispatch: "fma3"}),
			"computed in another environment than " + first + " (OpenCV: 4.6.0 -> 4.10.0, OpenCV's CPU dispatch level: avx2 -> fma3); extract both in the same to compare descriptors alone"},
		{t.TempDir(), ""}, // re-evaluated metrics
	} {
		list := []*runDescriptor{{cfg: &config.Config{}}}
		if err := warnOfSoftware(runIn(first), runIn(first), list); err != nil || len(list[0].Warnings) != 0 {
			t.Fatalf("%v, %v: the first run differs from itself", list[0].Warnings, err)
		}
		if err := warnOfSoftware(runIn(first), runIn(c.run), list); err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, w := range list[0].Warnings {
			text += w.Text
		}
		if text != c.want {
			t.Errorf("warning %q, want %q", text, c.want)
		}
	}
}
