package plan

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/pipeline/config/configtest"
	"descbench/pipeline/store"
	"descbench/pipeline/store/records/recordtest"
)

// everyByteAltered alters each byte of a file in turn, cuts the file in half, and wants
// ErrDamaged about the file.
func everyByteAltered(t *testing.T, path string, read func() error) {
	t.Helper()
	about := func() error {
		err := read()
		if err != nil && !strings.Contains(err.Error(), path) {
			t.Errorf("got error %v, want one about %s", err, path)
		}
		return err
	}
	recordtest.AlterEveryByte(t, path, store.ErrDamaged, about)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, info.Size()/2); err != nil {
		t.Fatal(err)
	}
	if err := about(); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("cut in half: got error %v, want ErrDamaged", err)
	}
}

func TestEveryAlteredByteOfAJSONFileIsNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "failed.json")
	if err := WriteJSON(path, failure{Reason: "größer <than> 1"}); err != nil {
		t.Fatal(err)
	}
	everyByteAltered(t, path, func() error {
		var f failure
		return ReadJSON(path, &f)
	})
	if err := ReadJSON(path+"x", new(failure)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got error %v, want fs.ErrNotExist", err)
	}
	if err := WriteJSON(path, []int{1}); err == nil {
		t.Error("a list was written, which has no place for the checksum")
	}
}

func TestEveryAlteredByteOfARunsOwnConfigIsNoticed(t *testing.T) {
	dir := t.TempDir()
	cfg := configtest.Load(t, dir, "experiment: {name: x}\ndataset: {root: /nowhere}\nkeypoint_sets: [{name: s, detect: {type: sift}, border: 0}]\ndescriptors: [{name: sift, type: sift, keypoints: s}]\noutput: {root: runs}\n")
	p, err := New(cfg, []string{"v_a"})
	if err != nil {
		t.Fatal(err)
	}
	f, err := Prepare(p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{f.Config(), f.Scenes()} {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		everyByteAltered(t, path, func() error {
			_, err := f.Plan()
			return err
		})
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
