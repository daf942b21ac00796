package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"descbench/eval/must"
)

type settings struct {
	Seed uint64 `json:"seed"`
	Way  string `json:"way,omitempty"`
}

// fill is a command with two parts, a file and a folder, that stops before part number stop.
func fill(t *testing.T, dir string, s settings, overwrite bool, stop int) error {
	t.Helper()
	o := Output{Dir: dir, Record: "settings.json", Settings: s, Parts: []string{"a.txt", "b"}, Overwrite: overwrite}
	if err := o.Begin(); err != nil {
		return err
	}
	for i, part := range o.Parts[:stop] {
		if o.Has(part) {
			continue
		}
		write := func(to string) error { return WriteBytes(to, []byte(s.Way)) }
		if i == 0 {
			must.Do(t, write(filepath.Join(dir, part)))
		} else {
			must.Do(t, o.Make(part, func(folder string) error { return write(filepath.Join(folder, "file")) }))
		}
	}
	return nil
}

// content returns the names of the files of a folder, and what they contain.
func content(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	must.Do(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all.WriteString(strings.TrimPrefix(path, dir) + ": " + string(text) + "\n")
		return err
	}))
	return all.String()
}

func TestAnOutputIsFilledPartByPartWithOneSetup(t *testing.T) {
	whole := t.TempDir()
	must.Do(t, fill(t, whole, settings{1, "x"}, false, 2))
	want := content(t, whole)
	for stop := range 3 {
		dir := t.TempDir()
		must.Do(t, fill(t, dir, settings{1, "x"}, false, stop))
		must.Do(t, fill(t, dir, settings{1, "x"}, false, 2))
		if got := content(t, dir); got != want {
			t.Errorf("stopped at part %d:\n%s\nwant\n%s", stop, got, want)
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, "note"), []byte("mine"), 0o666))
		err := fill(t, dir, settings{1<<60 + 1, "y"}, false, 2)
		refused := ": the folder was made with other settings; use --overwrite to replace it, or choose another folder; changed: seed: 1 -> 1152921504606846977, way: x -> y"
		if !errors.As(err, new(*Fault)) || !strings.HasSuffix(err.Error(), refused) {
			t.Errorf("got %v, want %s", err, refused)
		}
		must.Do(t, fill(t, dir, settings{1 << 60, "y"}, true, stop))
		if err := fill(t, dir, settings{1<<60 + 1, "y"}, false, 0); (err == nil) != (stop == 0) {
			t.Errorf("with %d parts of other settings: %v", stop, err)
		}
		must.Do(t, fill(t, dir, settings{1, "x"}, true, 2))
		must.Do(t, os.Remove(filepath.Join(dir, "note"))) // the user's
		if got := content(t, dir); got != want {
			t.Errorf("replaced:\n%s\nwant\n%s", got, want)
		}
	}
}

func TestPartsOfUnknownOriginAreRefused(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, fill(t, dir, settings{}, false, 2))
	for _, record := range []string{"", "{}", `{"settings": {"seed": 0}, "parts": ["../victim"]}`} {
		must.Do(t, os.WriteFile(filepath.Join(dir, "settings.json"), []byte(record), 0o666))
		for _, overwrite := range []bool{false, true} {
			err := fill(t, dir, settings{}, overwrite, 2)
			if want := "a.txt: exists, but settings.json does not say how it was made; remove it, or choose another folder"; err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
		}
	}
}

func TestAFolderAppearsWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	left := filepath.Join(dir, ".x.tmp-0badcafe.1.2-X") // by a process of another machine
	must.Do(t, os.Mkdir(left, 0o777))
	must.Do(t, os.Chtimes(left, time.Unix(0, 0), time.Unix(0, 0)))
	write := func(text string, err error) func(string) error {
		return func(temporary string) error {
			if _, err := os.Stat(filepath.Join(path, "a")); err == nil {
				t.Error("it is there before it is complete")
			}
			return errors.Join(WriteBytes(filepath.Join(temporary, "a/b"), []byte(text)), err)
		}
	}
	if err := Root(dir).CreateFolder(path, write("1", os.ErrInvalid)); !errors.Is(err, os.ErrInvalid) || names(t, dir) != nil {
		t.Errorf("got %v, left %q", err, names(t, dir))
	}
	must.Do(t, os.Mkdir(path, 0o777))
	must.Do(t, Root(dir).CreateFolder(path, write("1", nil)))
	if err := Root(dir).CreateFolder(path, func(string) error { return nil }); !errors.Is(err, os.ErrExist) {
		t.Errorf("got %v, want that it exists", err)
	}
	if got := content(t, dir); got != "/x/a/b: 1\n" {
		t.Errorf("left %q", got)
	}
	must.Do(t, Root(dir).RemoveFolder(path))
	must.Do(t, Root(dir).RemoveFolder(path))
	if names(t, dir) != nil {
		t.Errorf("left %q", names(t, dir))
	}
}
