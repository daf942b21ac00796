package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"descbench/eval/must"
)

// names returns the names in dir.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
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
	must.Do(t, err)
}

func wantText(t *testing.T, path, want string) {
	t.Helper()
	got := must.Get(os.ReadFile(path))(t)
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
	must.Do(t, err)
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

func TestFoldersThatAreNotThereAreMade(t *testing.T) {
	must.Fail(t, MakeFolder("/proc/none/below"), "create folder /proc/none/below: no such file or directory")
	path := filepath.Join(t.TempDir(), "units", "sift_8k", "v_dogman.npz")
	writeText(t, path, "content")
	wantText(t, path, "content")
}

func TestAFileThatCannotTakeItsNameLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(dir, "folder"), 0o777))
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

func TestFilesAreForOthersAsTheUmaskAllows(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o002))
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if f, err := os.Create(plain); err != nil {
		t.Fatal(err)
	} else if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	written := filepath.Join(dir, "written")
	writeText(t, written, "")
	want := must.Get(os.Stat(plain))(t)
	for _, path := range []string{written, shared(t, sampleRun())} {
		got := must.Get(os.Stat(path))(t)
		if got.Mode() != want.Mode() {
			t.Errorf("%s: got mode %v, want %v", path, got.Mode(), want.Mode())
		}
	}
}

// A recordedFile notes what happens to a file.
type recordedFile struct {
	pendingFile
	calls *[]string
}

func (f recordedFile) Write(b []byte) (int, error) {
	*f.calls = append(*f.calls, "write "+string(b))
	return f.pendingFile.Write(b)
}

func (f recordedFile) Sync() error {
	*f.calls = append(*f.calls, "sync")
	return f.pendingFile.Sync()
}

func (f recordedFile) Close() error {
	*f.calls = append(*f.calls, "close")
	return f.pendingFile.Close()
}

// After a power failure, a file has its final name only if its content is on disk: rename(2)
// promises nothing without fsync(2) of the file before and of the folder after it.
func TestAFileIsOnDiskBeforeItHasItsName(t *testing.T) {
	dir := t.TempDir()
	p, err := Root(dir).Create(filepath.Join(dir, "units", "x"))
	must.Do(t, err)
	var calls []string
	p.file = recordedFile{p.file, &calls}
	p.buf.Reset(p.file)
	p.syncFolder = func(root *os.Root, dir string) error {
		calls = append(calls, "sync folder "+dir)
		return syncFolder(root, dir)
	}
	fmt.Fprint(p, "content")
	p.rename = func(root *os.Root, from, to string) error {
		calls = append(calls, "rename to "+to)
		return root.Rename(from, to)
	}
	err = p.Commit(nil)
	want := []string{"write content", "sync", "close", "rename to units/x", "sync folder units"}
	if err != nil || !slices.Equal(calls, want) {
		t.Errorf("got %q, %v, want %q", calls, err, want)
	}
}

func TestTemporaryFilesOfTheDeadAreRemoved(t *testing.T) {
	dir := t.TempDir()
	sub := filepath.Join(dir, "units", "a")
	must.Do(t, os.MkdirAll(sub, 0o777))
	ended := exec.Command("true")
	must.Do(t, ended.Run())
	living := temporaryName("living.npz")
	mine := fmt.Sprintf(".%d.%s-", os.Getpid(), startOf(os.Getpid()))
	if !strings.Contains(living, mine) {
		t.Fatalf("%s does not name this process, %s", living, mine)
	}
	day := 24 * time.Hour
	for name, age := range map[string]time.Duration{
		living: 48 * time.Hour,
		strings.Replace(temporaryName("dead.npz"), mine, fmt.Sprintf(".%d.%s-", ended.Process.Pid, startOf(os.Getpid())), 1): 0,
		strings.Replace(temporaryName("reused.npz"), mine, fmt.Sprintf(".%d.1-", os.Getpid()), 1):                            0, // the id is ours by now
		".old.npz.tmp-0badcafe.1.2-OTHERHOST":   day + time.Minute,
		".young.npz.tmp-0badcafe.1.2-OTHERHOST": day - time.Minute,
		"v_dogman.npz":                          48 * time.Hour,
		".hidden":                               48 * time.Hour,
	} {
		path, then := filepath.Join(sub, name), time.Now().Add(-age)
		must.Do(t, os.WriteFile(path, nil, 0o666))
		must.Do(t, os.Chtimes(path, then, then))
	}
	// A file that the user named clears its own folder, and only that.
	if err := WriteBytes(filepath.Join(dir, "figure.svg"), nil); err != nil || len(names(t, sub)) != 7 {
		t.Errorf("%v, left are %q", err, names(t, sub))
	}
	again := filepath.Join(dir, "exported")
	if err := os.CopyFS(again, os.DirFS(sub)); err != nil { // without the ages
		t.Fatal(err)
	}
	if err := WriteBytes(filepath.Join(again, "v_dogman.npz"), nil); err != nil || len(names(t, again)) != 5 {
		t.Errorf("%v, left are %q, want all but those of dead.npz and reused.npz", err, names(t, again))
	}
	must.Do(t, os.RemoveAll(again))
	must.Do(t, RemoveTemporary(dir))
	if got, want := strings.Join(names(t, sub), " "), ".hidden "+living+" .young.npz.tmp-0badcafe.1.2-OTHERHOST v_dogman.npz"; got != want {
		t.Errorf("left are %s, want %s", got, want)
	}
	must.Do(t, RemoveTemporary(filepath.Join(dir, "absent")))
}

// A root may be a link itself: the user named it.
func TestNothingIsWrittenOrRemovedOutsideOfARoot(t *testing.T) {
	outside, dir := t.TempDir(), filepath.Join(t.TempDir(), "run")
	victim := filepath.Join(outside, "victim.html")
	writeText(t, victim, "theirs")
	must.Do(t, os.Mkdir(dir, 0o777))
	relative := must.Get(filepath.Rel(dir, outside))(t)
	for link, to := range map[string]string{"absolute": outside, "relative": relative, "nowhere": filepath.Join(outside, "nowhere"), "file.html": victim} {
		must.Do(t, os.Symlink(to, filepath.Join(dir, link)))
	}
	root := Root(dir)
	for _, name := range []string{"../victim.html", "../../victim.html", "a/../../victim.html", "absolute/victim.html", "relative/victim.html", "absolute/new/x.html", "nowhere/x.html"} {
		path := dir + "/" + name // not joined, which would resolve ..
		for what, do := range map[string]func() error{
			"write":  func() error { return root.WriteBytes(path, []byte("ours")) },
			"create": func() error { return root.CreateFile(path, []byte("ours")) },
			"remove": func() error { return root.RemoveFolder(path) },
			"claim": func() error {
				release, _, err := root.Claim(path, time.Hour)
				release()
				return err
			},
		} {
			if err := do(); err == nil && !(what == "remove" && strings.HasPrefix(name, "nowhere/")) {
				t.Errorf("%s %s: no error", what, name)
			}
		}
	}
	must.FailAbout(t, root.WriteBytes(filepath.Join(dir, "absolute", "x.html"), nil), filepath.Join(dir, "absolute")+": is a link that leaves the folder")
	if err := root.WriteBytes(filepath.Join(dir, "file.html"), []byte("ours")); err != nil { // the link is replaced
		t.Error(err)
	}
	if err := root.RemoveFolder(filepath.Join(dir, "absolute")); err != nil { // and so is this one removed
		t.Error(err)
	}
	if got, err := os.ReadFile(victim); err != nil || string(got) != "theirs" || len(names(t, outside)) != 1 {
		t.Errorf("outside is %v with %q, %v", names(t, outside), got, err)
	}
	other := filepath.Join(t.TempDir(), "link")
	must.Do(t, os.Symlink(dir, other))
	if err := Root(other).WriteBytes(filepath.Join(other, "units", "x"), []byte("ours")); err != nil {
		t.Error(err)
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
			err := Root(filepath.Dir(path)).CreateFile(path, []byte(text))
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
