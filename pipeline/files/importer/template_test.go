package importer_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/pipeline/files/importer"
)

func TestNamesAreNotExpandedThemselves(t *testing.T) {
	root := t.TempDir()
	want := filepath.Join(root, "{image}-{scene}")
	if err := os.WriteFile(want, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := importer.Find("{root}/{scene}-{image}", root, "{image}", "{scene}"); err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

func TestFilesAreFoundWithAndWithoutTheImagesExtension(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "v_dogman"), 0o700); err != nil {
		t.Fatal(err)
	}
	touch := func(name string) {
		if err := os.WriteFile(filepath.Join(root, "v_dogman", name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	touch("1.ppm.d2-net")
	touch("2.d2-net")
	touch("3.ppm.d2-net")
	touch("3.d2-net")
	touch("5.d2-net")
	touch("0.ppm.d2-net")
	for image, want := range map[string]string{
		"1.ppm": "1.ppm.d2-net", "2.ppm": "2.d2-net", "5": "5.d2-net",
		"3.ppm": "!both ", "4.ppm": "!neither ", "6": "!6.d2-net: no such file or directory",
	} {
		path, err := importer.Find("{root}/{scene}/{image}.d2-net", root, "v_dogman", image)
		if reason, wrong := strings.CutPrefix(want, "!"); wrong {
			if err == nil || !strings.Contains(err.Error(), reason) {
				t.Errorf("%s: %s, error %v, want one with %q", image, path, err, reason)
			}
			if strings.Contains(err.Error(), "numbered from 1, not from 0") != strings.HasPrefix(image, "4.") {
				t.Errorf("%s: error %v, and there is a file for image 0", image, err)
			}
			if missing := reason != "both "; errors.Is(err, fs.ErrNotExist) != missing {
				t.Errorf("%s: error %v, does not exist: %v, want %v", image, err, !missing, missing)
			}
			continue
		}
		if err != nil || filepath.Base(path) != want {
			t.Errorf("%s: %s, error %v, want %s", image, path, err, want)
		}
	}
}

// A name in which an accent is a character of its own (NFD, as macOS wrote it) looks like one in NFC.
func TestNamesThatOnlyLookAlikeAreShownWithTheirCodePoints(t *testing.T) {
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "\u00e9-1.npz"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := importer.Find(root+"/{scene}-{image}.npz", root, "e\u0301", "1.ppm")
	if want := fmt.Sprintf(`, but "%s/\u00e9-1.npz" looks like it: its code points differ from "%[1]s/e\u0301-1.npz" (NFC, NFD)`, root); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("got %v, want ... %s", err, want)
	}
}
