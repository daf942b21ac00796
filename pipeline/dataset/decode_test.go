package dataset

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"descbench/internal/must"
	"descbench/pipeline/store"
)

// pixels decodes and returns the bytes, blue, green, red, row by row.
func pixels(t *testing.T, data []byte, width, height int) []byte {
	t.Helper()
	bgr := must.Get(decode(data, maxPixels))(t)
	defer bgr.Close()
	if bgr.Cols() != width || bgr.Rows() != height {
		t.Fatalf("%dx%d px, want %dx%d", bgr.Cols(), bgr.Rows(), width, height)
	}
	return bytes.Clone(bgr.ToBytes())
}

func TestAFileThatChangesAfterOpenIsNoticed(t *testing.T) {
	root := t.TempDir()
	putScene(t, root, "v_x")
	s := mustOpen(t, root, "v_x")
	bgr := must.Get(s.Decode(2))(t)
	bgr.Close()
	put(t, filepath.Join(root, "v_x", "3.png"), pngOf(picture(33, 21)))
	if _, err := s.Decode(2); err == nil || err.Error() != "v_x/3.png: changed while in use" {
		t.Errorf("error is %v", err)
	}
	must.Do(t, os.Remove(filepath.Join(root, "v_x", "3.png")))
	var fault *store.Fault
	if _, err := s.Decode(2); !errors.As(err, &fault) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error is %v, want a *store.Fault of a missing file", err)
	}
}
