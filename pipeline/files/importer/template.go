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
	var tried, found []string
	for _, name := range slices.Compact([]string{image, strings.TrimSuffix(image, filepath.Ext(image))}) {
		path := filepath.FromSlash(strings.NewReplacer("{root}", root, "{scene}", scene, "{image}", name).Replace(template))
		tried = append(tried, path)
		if _, err := os.Stat(path); err == nil {
			found = append(found, path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("import: %w", err)
		}
	}
	switch len(found) {
	case 0:
		none := tried[0]
		if len(tried) > 1 {
			none = "found neither " + strings.Join(tried, " nor ")
		}
		return "", fmt.Errorf("import: %s: %w", none, syscall.ENOENT)
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("import: both %s and %s exist, want only one", found[0], found[1])
}
