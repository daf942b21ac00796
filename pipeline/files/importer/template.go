package importer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/text/unicode/norm"
)

// Find returns the path of the file of an image, with or without the image's extension.
// template is the path with the placeholders {root}, the folder of the scenes, {scene},
// the name of the scene, and {image}, the name of the image file with or without its
// extension; it has slashes between folders. Find fails if both files exist. If neither
// exists, the error wraps fs.ErrNotExist.
func Find(template, root, scene, image string) (string, error) {
	named := func(image string) string {
		return filepath.FromSlash(strings.NewReplacer("{root}", root, "{scene}", scene, "{image}", image).Replace(template))
	}
	with, without := named(image), named(strings.TrimSuffix(image, filepath.Ext(image)))
	found, err := exists(with)
	if err != nil || with == without {
		if err == nil && !found {
			err = fmt.Errorf("import: %s: %w", with, syscall.ENOENT)
		}
		return with, err
	}
	other, err := exists(without)
	switch {
	case err != nil:
		return "", err
	case found && other:
		return "", fmt.Errorf("import: both %s and %s exist, want only one", with, without)
	case !found && !other:
		m := missing{with: with, without: without}
		for _, path := range []string{with, without} {
			for _, form := range []norm.Form{norm.NFC, norm.NFD} {
				if there, _ := exists(form.String(path)); there {
					m.path, m.alike = path, form.String(path)
				}
			}
		}
		for _, zero := range []string{named("0"), named("0" + filepath.Ext(image))} {
			if there, _ := exists(zero); there && zero != with && zero != without {
				m.zero = zero
			}
		}
		return "", m
	case found:
		return with, nil
	}
	return without, nil
}

// missing is the error about an image without a file under either name. It matches
// fs.ErrNotExist. A file alike looks like one of the two, path, in a terminal.
type missing struct{ with, without, zero, path, alike string }

func (m missing) Error() string {
	text := "import: found neither " + m.with + " nor " + m.without
	if m.zero != "" {
		text += ", but " + m.zero + ": files are named after images, which are numbered from 1, not from 0"
	}
	if m.alike != "" {
		text += fmt.Sprintf(", but %+q looks like it: its code points differ from %+q (NFC, NFD)", m.alike, m.path)
	}
	return text
}

func (missing) Is(target error) bool { return target == fs.ErrNotExist }

func exists(path string) (bool, error) {
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("imported features: %w", err)
	}
	return true, nil
}
