package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"descbench/eval/must"
)

func TestOnlyRegularFilesWithinTheLimitAreRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must.Do(t, os.WriteFile(at("five"), []byte("12345"), 0o666))
	if err := syscall.Mkfifo(at("pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	must.Do(t, os.Symlink("/dev/zero", at("zero")))
	for _, c := range []struct {
		name  string
		limit int64
		want  string // part of the error; empty: the file is read
	}{
		{"five", 5, ""},
		{"five", 4, "larger than 4 B"},
		{"pipe", 5, "is a named pipe, want a regular file"}, // would wait for a writer
		{"zero", 5, "is a device, want a regular file"},     // would never end
		{".", 5, "is a folder, want a regular file"},
		{"none", 5, at("none") + ": no such file"},
	} {
		content, err := Read(at(c.name), c.limit)
		if _, bad := Append(at(c.name)); c.limit == 5 && (bad == nil) != (c.want == "") {
			t.Errorf("%s: opened to append: %v", c.name, bad)
		}
		switch {
		case c.want == "" && (err != nil || string(content) != "12345"):
			t.Errorf("%s: found %q, %v", c.name, content, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: found error %v, want %q", c.name, err, c.want)
		}
		var pathError *fs.PathError
		if err != nil && !errors.As(err, &pathError) {
			t.Errorf("%s: %T is not a *fs.PathError", c.name, err)
		}
	}
}
