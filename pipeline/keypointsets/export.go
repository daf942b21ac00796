package keypointsets

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"descbench/keypoints"
	"descbench/keypoints/keypointio"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Formats lists the export formats.
var Formats = []string{"npz", "csv"}

// Export writes every image of a stored set to <dir>/<scene>/<image>.<format> and
// returns the number of files. image is the name of the image file without its
// extension. Package keypointio documents the formats.
func Export(ctx context.Context, f *store.KeypointFile, dir, format string) (files int, err error) {
	write, ok := map[string]func(io.Writer, keypoints.Set) error{"csv": keypointio.WriteCSV, "npz": keypointio.WriteNPZ}[format]
	if !ok {
		return 0, fmt.Errorf("format %q, want %s", format, strings.Join(Formats, " or "))
	}
	for i, scene := range f.Scenes {
		if err := ctx.Err(); err != nil {
			return files, err
		}
		sets, err := f.Read(i)
		if err != nil {
			return files, plan.Fault(err)
		}
		for j, img := range scene.Images {
			name := strings.TrimSuffix(img.File, filepath.Ext(img.File)) + "." + format
			path := filepath.Join(dir, scene.Name, name)
			if err := store.WriteFile(path, func(w io.Writer) error { return write(w, sets[j]) }); err != nil {
				return files, plan.Fault(err)
			}
			files++
		}
	}
	return files, nil
}
