package resumable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"descbench/eval/must"
	"descbench/pipeline/store"
)

type settings struct {
	Seed int `json:"seed"`
}

// fill is a command with three parts: two files and a folder. It stops before part
// number stop, and returns how many parts were there already.
func fill(t *testing.T, spec Spec, stop int) (reused int, err error) {
	t.Helper()
	spec.Record, spec.Paths = "settings.json", []string{"a.txt", "b.txt", "c"}
	f, err := Open(spec)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	content := fmt.Sprint(spec.Settings)
	for i, name := range []string{"a", "b", "c"} {
		if i == stop {
			return reused, nil
		}
		var result string
		if must.Get(f.Done(name, "input", &result))(t) {
			if result != name+content {
				t.Errorf("part %s has the result %q", name, result)
			}
			reused++
			continue
		}
		if name != "c" {
			must.Do(t, os.WriteFile(filepath.Join(spec.Dir, name+".txt"), []byte(content), 0o666))
			must.Do(t, f.Finish(name, "input", name+content, name+".txt"))
			continue
		}
		dir := must.Get(f.Temporary())(t)
		must.Do(t, os.WriteFile(filepath.Join(dir, "file"), []byte(content), 0o666))
		must.Do(t, f.FinishFolder(name, "input", name+content, dir))
	}
	return reused, f.End()
}

func mustFill(t *testing.T, spec Spec, stop, reused int) {
	t.Helper()
	if got, err := fill(t, spec, stop); err != nil || got != reused {
		t.Errorf("%d parts were there, %v; want %d", got, err, reused)
	}
}

// tree returns the files in dir and their contents.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&all, "%s: %s\n", strings.TrimPrefix(path, dir), text)
		return err
	})
	must.Do(t, err)
	return all.String()
}

func change(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
}

func TestAnInterruptedCommandResumesToTheSameBytes(t *testing.T) {
	whole := Spec{Dir: filepath.Join(t.TempDir(), "whole"), Settings: settings{1}}
	mustFill(t, whole, 3, 0)
	want := tree(t, whole.Dir)
	if !strings.Contains(want, "/settings.parts.json: ") || strings.Contains(want, ".unfinished") {
		t.Errorf("a complete folder holds\n%s", want)
	}
	for stop := range 4 {
		spec := Spec{Dir: filepath.Join(t.TempDir(), "out"), Settings: settings{1}}
		mustFill(t, spec, stop, 0)
		mustFill(t, spec, 3, stop)
		mustFill(t, spec, 3, 3)
		if got := tree(t, spec.Dir); got != want {
			t.Errorf("stopped at part %d:\n%swant\n%s", stop, got, want)
		}
	}
}

func TestACommandThatFinishedNothingLeavesNothing(t *testing.T) {
	spec := Spec{Dir: filepath.Join(t.TempDir(), "out"), Settings: settings{1}}
	mustFill(t, spec, 0, 0)
	if _, err := os.Stat(spec.Dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("left: %s", tree(t, spec.Dir))
	}
}

// A full disk may come after the first files of a part.
func TestFilesOfAnUnfinishedPartKeepTheRecordOfTheirSettings(t *testing.T) {
	spec := Spec{Dir: filepath.Join(t.TempDir(), "out"), Record: "settings.json", Settings: settings{1}, Paths: []string{"a.txt", "b.txt", "c"}}
	f := must.Get(Open(spec))(t)
	change(t, filepath.Join(spec.Dir, "a.txt"), "a")
	f.Close()
	mustFill(t, spec, 3, 0)
}

func TestChangedPartsAreMadeAgain(t *testing.T) {
	spec := Spec{Dir: t.TempDir(), Settings: settings{1}}
	mustFill(t, spec, 3, 0)
	want := tree(t, spec.Dir)
	at := func(name string) string { return filepath.Join(spec.Dir, name) }
	ending := must.Get(os.ReadFile(at("settings.parts.json")))(t)
	for name, damage := range map[string]func(){
		"a file":           func() { change(t, at("b.txt"), "other") },
		"a file in folder": func() { change(t, at("c/file"), "other") },
		"a missing folder": func() { os.RemoveAll(at("c")) },
		"a record":         func() { change(t, at("settings.parts.json"), strings.Replace(string(ending), "c{1}", "c{2}", 1)) },
	} {
		damage()
		if reused, err := fill(t, spec, 3); err != nil || reused != 2 {
			t.Errorf("%s: %d parts were kept, %v; want 2", name, reused, err)
		}
		if got := tree(t, spec.Dir); got != want {
			t.Errorf("%s:\n%swant\n%s", name, got, want)
		}
	}
}

func TestOtherSettingsAreRefusedUnlessTheyReplace(t *testing.T) {
	spec := Spec{Dir: t.TempDir(), Settings: settings{1}}
	mustFill(t, spec, 2, 0)
	before := tree(t, spec.Dir)
	refused := func(want string) {
		t.Helper()
		var fault *store.Fault
		if _, err := fill(t, spec, 3); !errors.As(err, &fault) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	spec.Settings = settings{2}
	refused(filepath.Join(spec.Dir, "settings.json") + ": the folder was made with other settings; use --overwrite to replace it, or choose another folder; changed: seed: 1 -> 2")
	if got := tree(t, spec.Dir); got != before {
		t.Errorf("refused, but changed:\n%swas\n%s", got, before)
	}
	list := differences([]byte(`{"rows": "run 1 ab12 cd34; CPU"}`), []byte(`{"rows": "run 1 ab12 ef56; CPU"}`), map[string]string{"ab12": "net.pth", "ef56": "mine.py"})
	if len(list) != 1 || list[0] != "mine.py" {
		t.Errorf("got %v, want mine.py, whose digest differs", list)
	}
	list = differences([]byte(`{"files": ["a.py"], "rows": "run 1 ab12; CPU"}`), []byte(`{"files": ["a.py", "b.py"], "rows": "run 1 ab12 cd34; CPU"}`), map[string]string{"ab12": "a.py", "cd34": "b.py"})
	if len(list) != 1 || list[0] != "files: [a.py] -> [a.py b.py]" {
		t.Errorf("got %v, want the longer list", list)
	}
	change(t, filepath.Join(spec.Dir, "note"), "the user's")
	spec.Overwrite = true
	mustFill(t, spec, 3, 0)
	other := Spec{Dir: t.TempDir(), Settings: settings{2}}
	mustFill(t, other, 3, 0)
	change(t, filepath.Join(other.Dir, "note"), "the user's")
	if got, want := tree(t, spec.Dir), tree(t, other.Dir); got != want {
		t.Errorf("replaced:\n%swant\n%s", got, want)
	}

	// Without the record, nobody knows how the parts were made.
	must.Do(t, os.Remove(filepath.Join(spec.Dir, "settings.json")))
	for _, spec.Overwrite = range []bool{false, true} {
		refused(filepath.Join(spec.Dir, "a.txt") + ": exists, but settings.json, which says how it was made, does not; remove it, or choose another folder")
	}
	for _, name := range []string{"a.txt", "b.txt", "c"} {
		must.Do(t, os.RemoveAll(filepath.Join(spec.Dir, name)))
	}
	spec.Foreign = []string{"note"}
	refused(filepath.Join(spec.Dir, "note") + ": was not written by this command, so its settings are unknown; remove it, or choose another folder")
}

func TestWhatAKilledCommandLeavesIsRemoved(t *testing.T) {
	spec := Spec{Dir: t.TempDir(), Record: "settings.json", Settings: settings{1}}
	killed := must.Get(Open(spec))(t)
	left := must.Get(killed.Temporary())(t)
	for _, spec.Overwrite = range []bool{false, true} {
		var fault *store.Fault
		if _, err := Open(spec); !errors.As(err, &fault) || !strings.Contains(err.Error(), spec.Dir+": process ") || !strings.HasSuffix(err.Error(), " is writing to this folder; wait for it, or choose another folder") {
			t.Errorf("got %v", err)
		}
	}
	if _, err := os.Stat(left); err != nil {
		t.Errorf("removed while it is in use: %v", err)
	}
	killed.release() // as if the process were gone
	spec.Overwrite = false
	mustFill(t, spec, 3, 0)
	if got := tree(t, spec.Dir); strings.Contains(got, ".unfinished") {
		t.Errorf("left:\n%s", got)
	}
}

// Half a line is what a kill or a full disk leaves.
func TestOnlyWholeRecordsOfTheJournalCount(t *testing.T) {
	spec := Spec{Dir: t.TempDir(), Settings: settings{1}}
	mustFill(t, spec, 2, 0)
	journal := filepath.Join(spec.Dir, ".unfinished", "settings", "parts.jsonl")
	text := must.Get(os.ReadFile(journal))(t)
	change(t, journal, string(text[:len(text)-5]))
	mustFill(t, spec, 2, 1)
	mustFill(t, spec, 3, 2)
}

func TestUnfinishedFilesOfTheDeadAreRemoved(t *testing.T) {
	dir := t.TempDir()
	old, young := filepath.Join(dir, "v_a", ".e2.npz.tmp-0badcafe.1.2-X"), filepath.Join(dir, "v_a", ".e3.csv.tmp-0badcafe.1.2-X")
	for path, age := range map[string]time.Duration{old: 25 * time.Hour, young: 23 * time.Hour} { // of another machine
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Do(t, os.WriteFile(path, nil, 0o666))
		must.Do(t, os.Chtimes(path, time.Now().Add(-age), time.Now().Add(-age)))
	}
	f, err := Open(Spec{Dir: dir, Record: "settings.json", Settings: "s", Paths: []string{filepath.Join("v_a", "e2.csv")}})
	must.Do(t, err)
	defer f.Close()
	if _, err := os.Stat(old); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v, want it removed", old, err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Errorf("the file of another command: %v", err)
	}
}
