package dataset

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/store"
)

func TestAFileThatChangesAfterOpenIsNoticed(t *testing.T) {
	root := t.TempDir()
	putScene(t, root, "v_x")
	s := mustOpen(t, root, "v_x")
	bgr := must.Get(s.Decode(2))(t)
	bgr.Close()
	put(t, filepath.Join(root, "v_x", "3.png"), pngOf(picture(33, 21)))
	_, err := s.Decode(2)
	must.Fail(t, err, "v_x/3.png: changed while in use")
	must.Do(t, os.Remove(filepath.Join(root, "v_x", "3.png")))
	var fault *store.Fault
	if _, err := s.Decode(2); !errors.As(err, &fault) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error is %v, want a *store.Fault of a missing file", err)
	}
}
