package importer_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/descriptors/importer"
)

func TestPlaceholdersStandForTheNames(t *testing.T) {
	n := importer.Names{Root: "/data", Scene: "v_dogman", Image: "1.ppm", Method: "d2-net"}
	for template, want := range map[importer.Template]string{
		"{root}/{scene}/{image}.{method}":     "/data/v_dogman/1.ppm.d2-net",
		"../{method}/{scene}_{image}.csv":     "../d2-net/v_dogman_1.ppm.csv",
		"{scene}/{image}/{image}.{scene}.npz": "v_dogman/1.ppm/1.ppm.v_dogman.npz",
	} {
		if err := template.Check(); err != nil {
			t.Errorf("%s: %v", template, err)
		}
		if got := template.Path(n); got != filepath.FromSlash(want) {
			t.Errorf("%s: %s, want %s", template, got, want)
		}
	}
}

func TestNamesAreNotExpandedThemselves(t *testing.T) {
	n := importer.Names{Scene: "{image}", Image: "{scene}", Method: "m"}
	if got := importer.Template("{scene}-{image}").Path(n); got != "{image}-{scene}" {
		t.Errorf("%s", got)
	}
}

func TestFaultsOfTemplatesAreNamed(t *testing.T) {
	for template, want := range map[importer.Template]string{
		"{root}/{scene}/{img}":        `path "{root}/{scene}/{img}": placeholder {img}, want {root}, {scene}, {image} or {method}`,
		"{Root}/{scene}/{image}":      "placeholder {Root}, want",
		"{}/{scene}/{image}":          "placeholder {}, want",
		"{root}/{scene/{image}":       "unmatched brace",
		"{root}/{scene}/{image}}":     "unmatched brace",
		"{root}/{image}.{method}":     "placeholder {scene} is missing, want a separate file",
		"{root}/{scene}/all.{method}": "placeholder {image} is missing, want a separate file",
		"":                            "placeholder {scene} is missing",
	} {
		if err := template.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", template, err, want)
		}
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
	template := importer.Template("{root}/{scene}/{image}.{method}")
	for image, want := range map[string]string{
		"1.ppm": "1.ppm.d2-net", "2.ppm": "2.d2-net", "5": "5.d2-net",
		"3.ppm": "!both ", "4.ppm": "!neither ", "6": "!6.d2-net: no such file or directory",
	} {
		path, err := template.Find(importer.Names{Root: root, Scene: "v_dogman", Image: image, Method: "d2-net"})
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
