package features

import (
	"fmt"
	"slices"

	"descbench/descriptors"
	"descbench/eval/spelling"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/files/importer"
)

// readImportedRows reads the keypoints and descriptors of an image, counted from 0,
// and returns the path of their file.
func readImportedRows(root string, scene *dataset.Scene, image int, from *config.File) (features *importer.Features, file string, err error) {
	img := scene.Images[image]
	o := placing(img, from.Origin)
	o.Elements = from.Elements
	if file, err = importedPath(from.Path, root, scene, image); err == nil {
		features, err = importer.Read(file, img.Width, img.Height, o)
	}
	return features, file, err
}

// importedRows returns the imported descriptors of the keypoints of a set.
func (w *Scene) importedRows(from *config.File, i int, set keypoints.Set) (*descriptors.Matrix, error) {
	features, file, err := readImportedRows(w.Plan.Config.Dataset.Root, w.Source, i, from)
	if err != nil {
		return nil, err
	}
	if features.NotFinite > 0 {
		w.programs.warn(from.Path+" not finite", "imported descriptors with NaN or Inf are treated as invalid and rank last", "first", fmt.Sprintf("%s, %d of %s", file, features.NotFinite, spelling.Count(features.Descriptors.Rows, "row")))
	}
	all := features.Keypoints.Keypoints
	rows := make([]int, set.Len())
	for j, k := range set.Keypoints {
		row := int(k.ClassID) // in the file, see readImported
		if row >= 0 && row < len(all) {
			all[row].ClassID = k.ClassID
			if all[row].Size == 0 {
				k.Size = 0 // the default of the set, not of the file
			}
		}
		if row < 0 || row >= len(all) || all[row] != k {
			return nil, fmt.Errorf("%s: keypoint %d at (%g, %g) is not in the file; either it was projected or the file has changed", file, j, k.X, k.Y)
		}
		rows[j] = row
	}
	return features.Descriptors.Select(rows), nil
}

// CheckDimensions returns an error if the images of the scene have rows with
// different numbers or types of elements. Only imported rows and those of programs can differ.
func (w *Scene) CheckDimensions(d config.Descriptor, rows []*descriptors.Matrix) error {
	for i, m := range rows {
		if first := rows[0]; m.Dim != first.Dim || m.Type != first.Type {
			return fmt.Errorf("%s: %s has rows of %s, but %s of %s; want equal ones for all images", keyOf(d), w.Source.Where(0), elements(first), w.Source.Where(i), elements(m))
		}
	}
	return nil
}

func elements(m *descriptors.Matrix) string { return fmt.Sprintf("%d %v elements", m.Dim, m.Type) }

// Imports reports whether all rows of a descriptor are read from files, so that
// nothing is extracted.
func (s *Stage) Imports(d config.Descriptor) bool {
	return !slices.ContainsFunc(s.Plan.Parts(d), func(part config.Descriptor) bool { return part.File == nil })
}
