package keypointfiles

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

// Formats are the formats that sets are exported to.
var Formats = []string{"npz", "csv"}

// Export writes a file for every image of a stored set,
// <dir>/<scene>/<image>.<format>, where image is the name of the image's file
// without its extension, and returns how many. The formats are those of
// keypointio.
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
