package features

import (
	"fmt"
	"time"

	"descbench/descriptors/importer"
	"descbench/keypoints"
	"descbench/keypoints/matchio"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
)

// Matches returns the matches of images 1 and i, counted from 0, that another program
// found, from its file or from the program itself, which gets the keypoints of the
// descriptor's sets, if it has any. Positions have their origin at pixel centres; one
// outside its image is an error. source names the file or the program. took is 0 for a
// file.
func (w *Scene) Matches(d config.Descriptor, sets []keypoints.Set, i int) (source string, m *matchio.Matches, took time.Duration, err error) {
	origin := d.Matches.Origin
	if d.Command != nil {
		source = d.Command.String()
		m, origin, took, err = w.matchByProgram(d, sets, i)
	} else if source, err = importedPath(d.Matches.Path, w.Plan.Config.Dataset.Root, w.Source, i); err == nil {
		m, err = matchio.Read(source)
	}
	if err == nil && m.Points {
		if err = place(m, origin, w.Source.Images[0], w.Source.Images[i]); err != nil {
			err = fmt.Errorf("%s: %w", source, err)
		}
	}
	if err != nil {
		return source, nil, took, err
	}
	return source, m, took, nil
}

// place shifts positions to the centres of pixels. It returns an error if one is outside
// its image.
func place(m *matchio.Matches, origin importer.Origin, first, other dataset.ImageFile) error {
	sides := [2][]keypoints.Keypoint{make([]keypoints.Keypoint, len(m.List)), make([]keypoints.Keypoint, len(m.List))}
	for j, at := range m.List {
		sides[0][j], sides[1][j] = keypoints.Keypoint{X: at.X0, Y: at.Y0}, keypoints.Keypoint{X: at.X1, Y: at.Y1}
	}
	for side, img := range []dataset.ImageFile{first, other} {
		if err := importer.Place(sides[side], img.Width, img.Height, origin); err != nil {
			return fmt.Errorf("positions x%d, y%d of matches: %w", side, side, err)
		}
	}
	for j := range m.List {
		at, a, b := &m.List[j], sides[0][j], sides[1][j]
		at.X0, at.Y0, at.X1, at.Y1 = a.X, a.Y, b.X, b.Y
	}
	return nil
}

func (w *Scene) matchByProgram(d config.Descriptor, sets []keypoints.Set, i int) (*matchio.Matches, importer.Origin, time.Duration, error) {
	first, other := w.Source.Images[0], w.Source.Images[i]
	c := call{w.programs, keyOf(d), d.Command, map[string]any{"scene": w.Source.Name, "image0": first.File, "image1": other.File}}
	if first.Resized() != nil {
		c.fields["resized0"], c.fields["resized1"] = first.Resized(), other.Resized()
	}
	var views [2]matchedImage
	for j, image := range []int{0, i} {
		v := &views[j]
		var err error
		if v.image, err = w.image(image); err != nil {
			return nil, "", 0, err
		}
		if sets != nil {
			v.set = &sets[image]
		}
		if of := w.Plan.Named(d.Command.Of); of != nil {
			if v.rows, _, err = w.Rows(*of, image); err != nil {
				return nil, "", 0, fmt.Errorf("%s: %w", of.Name, err)
			}
		}
	}
	settings, err := w.programs.settings(keyOf(d), d.Command)
	if err != nil {
		return nil, "", 0, err
	}
	again := repetition[*matchio.Matches]{
		key: keyOf(d), settings: settings, differs: differentMatches,
		compute: func() (*matchio.Matches, error) {
			m, _, _, err := c.match(views)
			return m, err
		},
	}
	m, origin, took, err := c.match(views)
	if err == nil {
		err = again.probe(w.Stage, m)
	}
	return m, origin, took, err
}
