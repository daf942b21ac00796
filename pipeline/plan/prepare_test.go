package plan

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"descbench/eval/fact"
	"descbench/eval/must"
	"descbench/pipeline/config/configtest"
)

// planOf returns a plan whose run folder is out/x.
func planOf(t *testing.T, out, ties string, scenes ...string) *Plan {
	t.Helper()
	p, err := New(configtest.Load(t, t.TempDir(), fmt.Sprintf(`
experiment: {name: x}
dataset: {root: .}
keypoint_sets: [{name: all, detect: {type: sift}, border: 0}]
descriptors: [{name: sift, type: sift, keypoints: all}, {name: root, type: sift, root: l1, keypoints: all}]
evaluation: {ties: %s}
output: {root: %q}
`, ties, out)), scenes)
	must.Do(t, err)
	return p
}

func wantError(t *testing.T, err error, text string) {
	t.Helper()
	if !errors.As(err, new(*DataError)) || !strings.Contains(err.Error(), text) {
		t.Errorf("got %v, want an error of the place with %q", err, text)
	}
}

func prepare(t *testing.T, p *Plan, opt Options) Folder {
	t.Helper()
	return must.Get(Prepare(p, opt))(t)
}

// filesIn lists the files of a folder.
func filesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			name, _ := filepath.Rel(dir, path)
			names = append(names, name)
		}
		return err
	})
	must.Do(t, err)
	return names
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
}

var firstFiles = []string{"config.yaml", "environment.json", "units/scenes.json"}

func TestProcessesThatStartAtOnceShareTheFolderAndAnotherConfigIsRefused(t *testing.T) {
	for range 3 {
		out := t.TempDir()
		refused := make(map[string]int)
		var mu sync.Mutex
		var wg sync.WaitGroup
		for i := range 16 {
			ties := []string{"mean", "strict"}[i%2]
			p := planOf(t, out, ties, "v_a", "v_b")
			wg.Go(func() {
				if _, err := Prepare(p, Options{}); err != nil {
					wantError(t, err, "evaluation.ties: ")
					mu.Lock()
					refused[ties]++
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		if len(refused) != 1 || refused["mean"]+refused["strict"] != 8 {
			t.Fatalf("refused: %v, want all 8 of one config", refused)
		}
		if got := filesIn(t, filepath.Join(out, "x")); !slices.Equal(got, firstFiles) {
			t.Fatalf("found %q, want %q", got, firstFiles)
		}
	}
}

// What a killed process leaves is a temporary folder.
func TestAFolderWhoseCreationWasInterruptedIsCreated(t *testing.T) {
	out := t.TempDir()
	write(t, filepath.Join(out, ".x.tmp-0badcafe.1.2-X", "config.yaml"), "half")
	must.Do(t, os.Chtimes(filepath.Join(out, ".x.tmp-0badcafe.1.2-X"), time.Unix(0, 0), time.Unix(0, 0)))
	must.Do(t, os.Mkdir(filepath.Join(out, "x"), 0o777)) // by the user
	prepare(t, planOf(t, out, "mean", "v_a"), Options{})
	var want []string
	for _, name := range firstFiles {
		want = append(want, "x/"+name)
	}
	if got := filesIn(t, out); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestAFolderInUseIsNotReplaced(t *testing.T) {
	out := t.TempDir()
	p := planOf(t, out, "mean", "v_a")
	f := prepare(t, p, Options{})
	write(t, f.container(1, "v_a"), "a unit")
	release, _, err := f.Take("v_a")
	must.Do(t, err)
	_, err = Prepare(p, Options{Overwrite: true})
	wantError(t, err, " has been computing v_a since ")
	wantError(t, err, fmt.Sprintf("in use: process %d of ", os.Getpid()))
	release()
	if Missing(f.container(1, "v_a")) {
		t.Fatal("the unit is gone")
	}
	prepare(t, p, Options{Overwrite: true})
}

func TestNotesThatAreAddedInTheSameMomentAreAllKept(t *testing.T) {
	f := prepare(t, planOf(t, t.TempDir(), "mean", "v_a"), Options{})
	want := []string{"a", "b", "c", "d", "e", "f"}
	var adding sync.WaitGroup
	for _, note := range want {
		adding.Go(func() {
			if err := f.AddNotes(t.Context(), []fact.Fact{fact.New(fact.ProgramSays).Of(note)}); err != nil {
				t.Error(err)
			}
		})
	}
	adding.Wait()
	if e, err := f.ReadEnvironment(); !slices.EqualFunc(e.Notes, want, func(f fact.Fact, part string) bool { return f.Part == part }) || err != nil {
		t.Errorf("got %v, %v, want %q", e.Notes, err, want)
	}
	if files := filesIn(t, string(f)); !slices.Equal(files, firstFiles) {
		t.Errorf("left %q, want %q", files, firstFiles)
	}
}
