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
)

func TestEveryAlteredByteOfAJSONFileIsNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "failed.json")
	must.Do(t, WriteJSON(path, failure{Reason: "größer <than> 1"}))
	read := func() error {
		err := ReadJSON(path, new(failure))
		if err != nil && !strings.Contains(err.Error(), path) {
			t.Errorf("got error %v, want one about %s", err, path)
		}
		return err
	}
	must.NoticeEveryByte(t, path, store.ErrDamaged, read)
	must.Do(t, os.Truncate(path, 20))
	if err := read(); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("cut short: got error %v, want ErrDamaged", err)
	}
	if err := ReadJSON(path+"x", new(failure)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got error %v, want fs.ErrNotExist", err)
	}
	if err := WriteJSON(path, []int{1}); err == nil {
		t.Error("a list was written, which has no place for the checksum")
	}
}
