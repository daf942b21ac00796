package dataset

import (
	"bytes"
	"compress/zlib"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/pipeline/store"
)

// pixels decodes and returns the bytes, blue, green, red, row by row.
func pixels(t *testing.T, data []byte, width, height int) []byte {
	t.Helper()
	bgr, err := decode(data, maxPixels)
	if err != nil {
		t.Fatal(err)
	}
	defer bgr.Close()
	if bgr.Cols() != width || bgr.Rows() != height {
		t.Fatalf("%dx%d px, want %dx%d", bgr.Cols(), bgr.Rows(), width, height)
	}
	return bytes.Clone(bgr.ToBytes())
}

func TestCompleteFilesThatDoNotDecodeAreErrors(t *testing.T) {
	root := t.TempDir()
	putScene(t, root, "v_x")
	for name, data := range map[string]string{
		"no zlib stream":  formats[0].magic + chunk("IHDR", size(31, 20)) + chunk("IDAT", "garbage") + chunk("IEND", ""),
		"too few pixels":  formats[0].magic + chunk("IHDR", size(31, 20)) + chunk("IDAT", deflated(make([]byte, 200))) + chunk("IEND", ""),
		"unknown filters": formats[0].magic + chunk("IHDR", size(31, 20)) + chunk("IDAT", deflated(bytes.Repeat([]byte{9}, 31*3*20+20))) + chunk("IEND", ""),
	} {
		put(t, filepath.Join(root, "v_x", "1.png"), []byte(data))
		_, _, err := verified(t, root)
		var fault *store.Fault
		if !errors.As(err, &fault) || fault.Where != "v_x/1.png" || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error is %v, want one line that names v_x/1.png", name, err)
		}
	}
}

func deflated(data []byte) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write(data) // into memory, which cannot fail
	z.Close()
	return b.String()
}

func TestAFileThatChangesAfterOpenIsNoticed(t *testing.T) {
	root := t.TempDir()
	putScene(t, root, "v_x")
	s := mustOpen(t, root, "v_x")
	bgr, err := s.Decode(2)
	if err != nil {
		t.Fatal(err)
	}
	bgr.Close()
	put(t, filepath.Join(root, "v_x", "3.png"), pngOf(picture(33, 21)))
	if _, err := s.Decode(2); err == nil || err.Error() != "v_x/3.png: changed while in use" {
		t.Errorf("error is %v", err)
	}
	if err := os.Remove(filepath.Join(root, "v_x", "3.png")); err != nil {
		t.Fatal(err)
	}
	var fault *store.Fault
	if _, err := s.Decode(2); !errors.As(err, &fault) || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error is %v, want a *store.Fault of a missing file", err)
	}
}
