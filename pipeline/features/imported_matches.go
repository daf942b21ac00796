package features

import (
	"context"
	"fmt"
	"time"

	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/files/importer"
	"descbench/pipeline/files/matchio"
	"descbench/pipeline/plan"
)

// Matches returns the matches of images 1 and i, counted from 0, that another program
// found, from its file or from the program itself, which gets the keypoints of the
// descriptor's sets, if it has any. Positions have their origin at pixel centres; one
// outside its image is an error. source names the file or the program. took is 0 for a
// file.
func (w *Scene) Matches(ctx context.Context, d config.Descriptor, sets []keypoints.Set, i int) (source string, m *matchio.Matches, took time.Duration, err error) {
	if d.Command == nil {
		source, m, err = w.programs.readMatches(w.Plan.Config.Dataset.Root, w.Source, i, d)
	} else {
		var origin importer.Origin
		source = d.Command.String()
		if m, origin, took, err = w.matchByProgram(d, sets, i); err == nil {
			if err = place(m, origin, d.Command, w.Source.Images[0], w.Source.Images[i]); err != nil {
				err = fmt.Errorf("%s: %w", source, err)
			}
		}
	}
	if err == nil {
		err = w.note(ctx, d.Name, placed(m.Half && d.Command == nil, m.Moved, m.Moved && m.Cut)...)
	}
	return source, m, took, err
}

// readMatches reads the matches of images 1 and i, counted from 0, from a file, or asks the
// program for them that reads an HDF5 file.
func (p *programs) readMatches(root string, scene *dataset.Scene, i int, d config.Descriptor) (source string, m *matchio.Matches, err error) {
	first, other, origin := scene.Images[0], scene.Images[i], d.Matches.Origin
	if d.Command != nil {
		source = d.Command.String()
		m, origin, _, err = call{p, keyOf(d), d.Command, fieldsOf(scene, 0, i), 0}.match([2]matchedImage{{image: blank(first)}, {image: blank(other)}})
	} else if source, err = importedPath(d.Matches.Path, root, scene, i); err == nil {
		m, err = matchio.Read(source)
	}
	if err == nil {
		if err = place(m, origin, d.Command, first, other); err != nil {
			err = fmt.Errorf("%s: %w", source, err)
		}
	}
	return source, m, err
}

// RowsOf returns, for each keypoint of image 1, the row of its match in image i, counted from 0,
// or -1, and the distance of the match. Both are nil without sets: then the matches have positions.
// It returns an error for matches that a run cannot use.
func (w *Scene) RowsOf(d config.Descriptor, m *matchio.Matches, sets []keypoints.Set, i int) ([]int32, []float64, error) {
	if sets == nil {
		return rowsOf(w.Plan.Config, d, m, nil)
	}
	numbers := &[2]matchio.Numbering{{Rows: sets[0].Len()}, {Rows: sets[i].Len()}}
	if set := takesAll(w.Plan, d); set != nil {
		var err error
		if numbers, err = w.programs.numbersOf(w.Plan, set, w.Source, i); err != nil {
			return nil, nil, err
		}
	}
	if numbers[0].Len() != sets[0].Len() || numbers[1].Len() != sets[i].Len() {
		return nil, nil, fmt.Errorf("the files of keypoint set %s have changed", d.Keypoints)
	}
	numbers[0].At, numbers[1].At = sets[0].Keypoints, sets[i].Keypoints
	return rowsOf(w.Plan.Config, d, m, numbers)
}

// takesAll returns the keypoint set of imported matches if it takes all keypoints of its files,
// but those that a crop cuts off: then matches number the keypoints of the files. nil: they
// number those of the set.
func takesAll(p *plan.Plan, d config.Descriptor) *config.KeypointSet {
	if d.Keypoints == "" || d.Command != nil && d.Command.Imported() == "" {
		return nil
	}
	set, _ := p.Graph.Find(d.Keypoints)
	all := config.KeypointSet{Name: set.Name, Import: set.Import, Detect: set.Detect, Border: set.Border}
	if *set != all || set.Border != nil && *set.Border != (keypoints.Border{}) || set.Import == nil && !isHDF5(set.Detect) {
		return nil
	}
	return set
}

func isHDF5(d *config.Detect) bool {
	return d != nil && d.Command != nil && d.Command.Imported() != ""
}

// numbersOf returns which keypoints the matches of images 1 and other, counted from 0, number by
// the rows of the files of a set.
func (p *programs) numbersOf(run *plan.Plan, set *config.KeypointSet, scene *dataset.Scene, other int) (*[2]matchio.Numbering, error) {
	var numbers [2]matchio.Numbering
	for i, image := range [2]int{0, other} {
		key := fmt.Sprintf("%s %s %d", set.Name, scene.Name, image)
		if n, ok := p.numbers.Load(key); ok {
			numbers[i] = n.(matchio.Numbering)
			continue
		}
		found, err := p.keypointsOf(run.Config.Dataset.Root, set, scene, image)
		if err != nil {
			return nil, err
		}
		n := matchio.Numbering{Rows: found.Keypoints.Len()}
		if kept := cropped(found, scene.Images[image]); kept.Len() < n.Rows {
			n.Of = make([]int32, kept.Len())
			for row, k := range kept.Keypoints {
				n.Of[row] = k.ClassID // the row in the file
			}
		}
		p.numbers.Store(key, n)
		numbers[i] = n
	}
	return &numbers, nil
}

// rowsOf is RowsOf with the numbers that matches may have; nil without a keypoint set.
func rowsOf(c *config.Config, d config.Descriptor, m *matchio.Matches, numbers *[2]matchio.Numbering) ([]int32, []float64, error) {
	matcher := c.MatcherOf(d)
	switch {
	case (matcher.TopK > 0 || matcher.MaxDistance > 0) && !m.Scored:
		return nil, nil, fmt.Errorf("no scores or distances, which the matcher of %s needs", d.Name)
	case numbers != nil:
		set := "the keypoint set"
		for _, s := range c.Graph().Chain(d.Keypoints) {
			if s.Border != nil && s.Border.Px > 0 {
				set = fmt.Sprintf("the keypoint set %s (border %g px; border: 0 keeps all keypoints)", s.Name, s.Border.Px)
			}
		}
		return m.ByRow(set, numbers[0], numbers[1])
	case !m.Points:
		return nil, nil, fmt.Errorf("rows of keypoints, but no positions; the key keypoints of %s must name the keypoint set that they belong to", d.Name)
	}
	return nil, nil, nil
}

// place shifts positions of a file or a program to the centres of pixels, and leaves out those that a
// crop cuts off. It returns an error if one is outside its image otherwise.
func place(m *matchio.Matches, origin importer.Origin, program *config.Command, first, other dataset.ImageFile) error {
	if !m.Points {
		return nil
	}
	sides, images := [2][]keypoints.Keypoint{make([]keypoints.Keypoint, len(m.List)), make([]keypoints.Keypoint, len(m.List))}, [2]dataset.ImageFile{first, other}
	for j, at := range m.List {
		sides[0][j], sides[1][j] = keypoints.Keypoint{X: at.X0, Y: at.Y0}, keypoints.Keypoint{X: at.X1, Y: at.Y1}
	}
	var moved [2]bool
	for side, img := range images {
		o := placing(img, origin)
		o.Placed = program != nil && program.Imported() != "" && o.Resized != nil
		var err error
		if moved[side], err = importer.Place(sides[side], m.Sizes[side], img.Width, img.Height, o); err != nil {
			return fmt.Errorf("positions x%d, y%d of matches: %w", side, side, err)
		}
		m.Moved = m.Moved || moved[side] && !o.Placed // which has a note of its own
	}
	var kept []matchio.Match
	for j, at := range m.List {
		a, b := sides[0][j], sides[1][j]
		if at.X0, at.Y0, at.X1, at.Y1 = a.X, a.Y, b.X, b.Y; !(moved[0] && cutOff(first, a)) && !(moved[1] && cutOff(other, b)) {
			kept = append(kept, at)
		}
	}
	m.List, m.Cut = kept, len(kept) < len(m.List)
	return nil
}

func (w *Scene) matchByProgram(d config.Descriptor, sets []keypoints.Set, i int) (*matchio.Matches, importer.Origin, time.Duration, error) {
	c := call{w.programs, keyOf(d), d.Command, fieldsOf(w.Source, 0, i), 0}
	match := func(on int) (*matchio.Matches, importer.Origin, time.Duration, error) {
		c := c
		c.on = on
		views, err := w.matched(d, sets, i)
		if err != nil {
			return nil, "", 0, err
		}
		return c.match(views)
	}
	settings, err := w.programs.settings(keyOf(d), d.Command)
	if err != nil {
		return nil, "", 0, err
	}
	again := Repetition[*matchio.Matches]{
		key: keyOf(d), settings: settings, of: w.Source.Images[0].Digest + w.Source.Images[i].Digest, Program: d.Command, Differs: differentMatches, free: w.Close,
		Compute: func(on int) (*matchio.Matches, error) {
			m, _, _, err := match(on)
			return m, err
		},
	}
	m, origin, took, err := match(0)
	if err == nil {
		err = again.probe(w.Stage, m)
	}
	return m, origin, took, err
}

// matched returns what a program that matches gets of images 1 and i, counted from 0.
func (w *Scene) matched(d config.Descriptor, sets []keypoints.Set, i int) (views [2]matchedImage, err error) {
	for j, image := range []int{0, i} {
		v := &views[j]
		img, err := w.image(image)
		if err != nil {
			return views, err
		}
		v.image = pixels(*img)
		if sets != nil {
			v.set = &sets[image]
		}
		if of := w.Plan.Config.Named(d.Command.Of); of != nil {
			if v.rows, _, err = w.Rows(*of, image); err != nil {
				return views, fmt.Errorf("%s: %w", of.Name, err)
			}
		}
	}
	return views, nil
}
