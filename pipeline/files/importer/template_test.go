package importer_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/files/importer"
)

func TestNamesAreNotExpandedThemselves(t *testing.T) {
	root := t.TempDir()
	want := filepath.Join(root, "{image}-{scene}")
	must.Do(t, os.WriteFile(want, nil, 0o600))
	if got, err := importer.Find("{root}/{scene}-{image}", root, "{image}", "{scene}"); err != nil || got != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}

func TestATemplateWithoutTheImageIsOneFile(t *testing.T) {
	root := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(root, "all.npz"), nil, 0o600))
	must.Get(importer.Find("{root}/all.npz", root, "v_dogman", "1.ppm"))(t)
}

func TestFilesAreFoundWithAndWithoutTheImagesExtension(t *testing.T) {
	root := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(root, "v_dogman"), 0o700))
	touch := func(name string) {
		must.Do(t, os.WriteFile(filepath.Join(root, "v_dogman", name), nil, 0o600))
	}
	touch("1.ppm.d2-net")
	touch("2.d2-net")
	touch("3.ppm.d2-net")
	touch("3.d2-net")
	touch("5.d2-net")
	for image, want := range map[string]string{
		"1.ppm": "1.ppm.d2-net", "2.ppm": "2.d2-net", "5": "5.d2-net",
		"3.ppm": "!both ", "4.ppm": "!neither ", "6": "!6.d2-net: no such file or directory",
	} {
		path, err := importer.Find("{root}/{scene}/{image}.d2-net", root, "v_dogman", image)
		if reason, wrong := strings.CutPrefix(want, "!"); wrong {
			if err == nil || !strings.Contains(err.Error(), reason) {
				t.Errorf("%s: %s, error %v, want one with %q", image, path, err, reason)
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
