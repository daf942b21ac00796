package keypointsets

import (
	"bytes"
	"cmp"
	"path/filepath"
	"strings"

	"descbench/keypoints"
	"descbench/pipeline/dataset"
	"descbench/pipeline/files/keypointio"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Formats lists the export formats.
var Formats = []string{"npz", "csv"}

// Export writes the set of every image of a scene, a file <dir>/<scene>/<image>.<format>. A file that
// exists with other content is an error. image is dataset.Scene.NameOf without its
// extension. Package keypointio documents the formats.
func Export(dir, format string, scene *dataset.Scene, sets []keypoints.Set) error {
	for i, img := range scene.Images {
		name := scene.NameOf(i)
		path := filepath.Join(dir, scene.InFiles, strings.TrimSuffix(name, filepath.Ext(name))+"."+format)
		var b bytes.Buffer
		write := func() error { return keypointio.WriteNPZ(&b, sets[i], img.Width, img.Height) }
		if format == "csv" {
			write = func() error { return keypointio.WriteCSV(&b, sets[i]) }
		}
		if err := cmp.Or(write(), store.WriteOwn(path, b.Bytes(), "")); err != nil {
			return plan.Fault(err)
		}
	}
	return nil
}
