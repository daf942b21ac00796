package features

import (
	"fmt"
	"slices"

	"descbench/descriptors"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
)

// CheckDimensions returns an error if the images of the scene have rows with
// different numbers or types of elements. Only imported rows and those of programs can differ.
func (w *Scene) CheckDimensions(d config.Descriptor, rows []*descriptors.Matrix) error {
	for i, m := range rows {
		if first := rows[0]; m.Dim != first.Dim || m.Type != first.Type {
			key := "path"
			if d.Fusion != nil {
				key = "of"
			} else if d.Command != nil {
				key = "run"
			}
			return fmt.Errorf("descriptors[%s].%s: %s has rows of %s, but %s of %s; want equal ones for all images",
				d.Name, key, w.rowsOf(d, 0), elements(first), w.rowsOf(d, i), elements(m))
		}
	}
	return nil
}

func elements(m *descriptors.Matrix) string { return fmt.Sprintf("%d %v elements", m.Dim, m.Type) }

// rowsOf names the file from which the rows of image i are read, or the image from
// which they are computed.
func (w *Scene) rowsOf(d config.Descriptor, i int) string {
	if d.File != nil {
		if path, err := rowsFile(w.Plan.Config.Dataset.Root, w.Source, i, d.File); err == nil {
			return path
		}
	}
	return w.Source.Where(i)
}

// rowsFile returns the path of the file with the descriptors of an image, counted
// from 0.
func rowsFile(root string, scene *dataset.Scene, image int, from *config.File) (string, error) {
	path := from.Path
	if from.Descriptors != "" {
		path = from.Descriptors
	}
	return importedPath(path, root, scene, image)
}

// Imports reports whether all rows of a descriptor are read from files, so that
// nothing is extracted.
func (s *Stage) Imports(d config.Descriptor) bool {
	return !slices.ContainsFunc(s.Plan.Parts(d), func(part config.Descriptor) bool { return part.File == nil })
}
