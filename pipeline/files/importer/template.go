package importer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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
		return "", fmt.Errorf("import: found neither %s nor %s: %w", with, without, syscall.ENOENT)
	case found:
		return with, nil
	}
	return without, nil
}

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
