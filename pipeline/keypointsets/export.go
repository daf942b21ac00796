package keypointsets

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"descbench/keypoints"
	"descbench/keypoints/keypointio"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Formats lists the export formats.
var Formats = []string{"npz", "csv"}

// Export writes the set of every image of a scene to <dir>/<scene>/<image>.<format>.
// image is dataset.Scene.NameOf without its extension. Package keypointio
// documents the formats. A file that exists with other content is an error.
func Export(dir, format string, scene *dataset.Scene, sets []keypoints.Set) error {
	write, ok := map[string]func(io.Writer, keypoints.Set) error{"csv": keypointio.WriteCSV, "npz": keypointio.WriteNPZ}[format]
	if !ok {
		return fmt.Errorf("format %q, want %s", format, strings.Join(Formats, " or "))
	}
	for i := range scene.Images {
		name := scene.NameOf(i)
		path := filepath.Join(dir, scene.Name, strings.TrimSuffix(name, filepath.Ext(name))+"."+format)
		var b bytes.Buffer
		if err := cmp.Or(write(&b, sets[i]), store.WriteOwn(path, b.Bytes(), "")); err != nil {
			return plan.Fault(err)
		}
	}
	return nil
}
