package plan

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/must"
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
	info := must.Get(os.Stat(path))(t)
	must.Do(t, os.Truncate(path, info.Size()/2))
	if err := about(); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("cut in half: got error %v, want ErrDamaged", err)
	}
}

func TestEveryAlteredByteOfAJSONFileIsNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "failed.json")
	must.Do(t, WriteJSON(path, failure{Reason: "größer <than> 1"}))
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
