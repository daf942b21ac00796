package features

import (
	"fmt"
	"slices"

	"descbench/descriptors"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
)

// importedRows returns the imported descriptors of the keypoints of a set, from the files of these.
func (w *Scene) importedRows(d config.Descriptor, i int) (*descriptors.Matrix, error) {
	from := w.Plan.Graph.Chain(d.Keypoints)[0].Import
	all, file, err := readImported(w.Plan.Config.Dataset.Root, w.Source, i, from, d.File)
	if err != nil {
		return nil, err
	}
	if all.NotFinite > 0 {
		w.programs.warn(from.Path+" not finite", "imported descriptors with NaN or Inf are treated as invalid and rank last", "first", fmt.Sprintf("%s, %d of %s", file, all.NotFinite, spelling.Count(all.Descriptors.Rows, "row")))
	}
	set := w.sets[d.Keypoints][i]
	rows := make([]int, set.Len())
	for j, k := range set.Keypoints {
		rows[j] = int(k.ClassID) // in the file, see readImported
		if rows[j] < 0 || rows[j] >= all.Keypoints.Len() || all.Keypoints.Keypoints[rows[j]] != k {
			return nil, fmt.Errorf("%s: keypoint %d at (%g, %g) is not in the file; either it was projected or the file has changed", file, j, k.X, k.Y)
		}
	}
	return all.Descriptors.Select(rows), nil
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
