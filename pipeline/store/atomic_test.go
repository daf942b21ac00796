package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// names returns the names in dir.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	err := WriteFile(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func wantText(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s: got %q, want %q", path, got, want)
	}
}

func TestAFileReplacesTheFormerOneWhenItIsComplete(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "metrics.csv")
	writeText(t, path, "first")
	err := WriteFile(path, func(w io.Writer) error {
		// More than any buffer, so that part of it is on the disk by now.
		if _, err := io.WriteString(w, strings.Repeat("second", 1<<16)); err != nil {
			return err
		}
		wantText(t, path, "first")
		if got := names(t, dir); len(got) != 2 || !IsTemporary(got[0]) || IsTemporary(got[1]) {
			t.Errorf("while writing the folder has %q, want a temporary file and the former one", got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wantText(t, path, strings.Repeat("second", 1<<16))
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("the folder has %q, want the file alone", got)
	}
}

func TestAFailedWriteLeavesTheFormerFileAndNothingElse(t *testing.T) {
	full := errors.New("the writer fails")
	for _, c := range []struct {
		name  string
		write func(io.Writer) error
		want  error
	}{
		{"at once", func(io.Writer) error { return full }, full},
		{"after some output", func(w io.Writer) error {
			_, err := io.WriteString(w, strings.Repeat("x", 1<<20))
			return errors.Join(err, full)
		}, full},
		{"because the disk is full", func(io.Writer) error { return syscall.ENOSPC }, syscall.ENOSPC},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "summary.json")
			writeText(t, path, "former")
			err := WriteFile(path, c.write)
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("got error %v, want %v about %s", err, c.want, path)
			}
			wantText(t, path, "former")
			if got := names(t, dir); len(got) != 1 {
				t.Errorf("the folder has %q, want the former file alone", got)
			}
		})
	}
}

func TestAPanicOfTheWriterLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	func() {
		defer func() { _ = recover() }()
		_ = WriteFile(filepath.Join(dir, "a"), func(io.Writer) error { panic("fault") })
	}()
	if got := names(t, dir); len(got) != 0 {
		t.Errorf("the folder has %q, want nothing", got)
	}
}

func TestFoldersThatAreNotThereAreMade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "units", "sift_8k", "v_dogman.npz")
	writeText(t, path, "content")
	wantText(t, path, "content")
}

func TestAFileThatCannotTakeItsNameLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	writeText(t, filepath.Join(dir, "file"), "")
	for _, path := range []string{filepath.Join(dir, "folder"), filepath.Join(dir, "file", "below"), dir + "/"} {
		if err := WriteFile(path, func(io.Writer) error { return nil }); err == nil {
			t.Errorf("WriteFile(%q) succeeded", path)
		}
	}
	if got := names(t, dir); len(got) != 2 {
		t.Errorf("the folder has %q, want what it had", got)
	}
}

func TestFilesAreReadableByOthersAsTheUmaskAllows(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if f, err := os.Create(plain); err != nil {
		t.Fatal(err)
	} else if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "written")
	writeText(t, path, "")
	want, err := os.Stat(plain)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got.Mode() != want.Mode() {
		t.Errorf("got mode %v, want %v", got.Mode(), want.Mode())
	}
}

func TestOnlyOldTemporaryFilesAreRemoved(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "units", "a")
	if err := os.MkdirAll(sub, 0o777); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * time.Hour)
	for name, time := range map[string]time.Time{
		".v_dogman.npz.tmp-OLD":   old,
		".v_dogman.npz.tmp-YOUNG": time.Now(),
		"v_dogman.npz":            old,
		".hidden":                 old,
	} {
		path := filepath.Join(sub, name)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time, time); err != nil {
			t.Fatal(err)
		}
	}
	n, err := RemoveTemporary(dir, time.Hour)
	if err != nil || n != 1 {
		t.Fatalf("removed %d, %v; want 1", n, err)
	}
	if got := strings.Join(names(t, sub), " "); got != ".hidden .v_dogman.npz.tmp-YOUNG v_dogman.npz" {
		t.Errorf("left are %s", got)
	}
	if n, err := RemoveTemporary(filepath.Join(dir, "absent"), 0); n != 0 || err != nil {
		t.Errorf("in an absent folder: removed %d, %v", n, err)
	}
}

func TestOfManyWhoCreateAFileOneDoesAndNothingIsReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "config.yaml")
	var won atomic.Int32
	var winner atomic.Value
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			text := strings.Repeat(fmt.Sprintf("%02d ", i), 1000)
			err := CreateFile(path, []byte(text))
			switch {
			case err == nil:
				won.Add(1)
				winner.Store(text)
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 {
		t.Fatalf("%d created the file, want 1", won.Load())
	}
	wantText(t, path, winner.Load().(string))
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("found %q, want the file only", got)
	}
}
