package features

import (
	"fmt"

	"descbench/descriptors/importer"
	"descbench/keypoints/matchio"
	"descbench/pipeline/config"
)

// ImportedMatches reads another program's matches of images 1 and i, counted from
// 0, and shifts positions so that pixel centres are at integers. A position outside
// its image is an error.
func (w *Scene) ImportedMatches(d config.Descriptor, i int) (file string, m *matchio.Matches, err error) {
	if file, err = importedPath(d.Matches.Path, w.Plan.Config.Dataset.Root, w.Source, i); err != nil {
		return "", nil, err
	}
	if m, err = matchio.Read(file); err != nil || !m.Points {
		return file, m, err
	}
	first, other := w.Source.Images[0], w.Source.Images[i]
	for j := range m.List {
		at := &m.List[j]
		if d.Matches.Origin == importer.Corner {
			at.X0, at.Y0, at.X1, at.Y1 = at.X0-0.5, at.Y0-0.5, at.X1-0.5, at.Y1-0.5
		}
		if !inImage(at.X0, first.Width) || !inImage(at.Y0, first.Height) || !inImage(at.X1, other.Width) || !inImage(at.Y1, other.Height) {
			return file, nil, fmt.Errorf("%s: match %d is (%v, %v) to (%v, %v), want positions inside images of %d×%d and %d×%d px (pixel centres at integers)",
				file, j, at.X0, at.Y0, at.X1, at.Y1, first.Width, first.Height, other.Width, other.Height)
		}
	}
	return file, m, nil
}
