package importer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	paths := slices.Compact([]string{named(image), named(strings.TrimSuffix(image, filepath.Ext(image)))})
	var found []string
	for _, path := range paths {
		if _, err := os.Stat(path); err == nil {
			found = append(found, path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("import: %w", err)
		}
	}
	switch len(found) {
	case 0:
		none := paths[0]
		if len(paths) > 1 {
			none = "found neither " + strings.Join(paths, " nor ")
		}
		return "", fmt.Errorf("import: %s: %w", none, syscall.ENOENT)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("import: both %s and %s exist, want only one", found[0], found[1])
}
