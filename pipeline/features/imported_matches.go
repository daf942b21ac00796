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
// outside its image is an error, as are matches that a run cannot use. rows has, for each keypoint of image 1,
// the row of its match in image i, or -1, and distances the distance of the match. Both are nil without
// sets: then the matches have positions. took is 0 for a file.
func (w *Scene) Matches(ctx context.Context, d config.Descriptor, sets []keypoints.Set, i int) (m *matchio.Matches, rows []int32, distances []float64, took time.Duration, err error) {
	var source string
	if d.Command == nil {
		source, m, err = readMatches(w.Plan.Config.Dataset.Root, w.Source, i, d)
	} else {
		source = d.Command.String()
		if m, took, err = w.matchByProgram(d, sets, i); err != nil {
			err = fmt.Errorf("%s: images 1 and %d: %w", w.Source.Name, i+1, err)
		}
	}
	if err == nil {
		err = w.note(ctx, d.Name, placed(m.Half && d.Command == nil, m.Moved, m.Moved && m.Cut)...)
	}
	if err != nil {
		return nil, nil, nil, took, err
	}
	if rows, distances, err = w.rowsOf(d, m, sets, i); err != nil {
		err = fmt.Errorf("%s: images 1 and %d: %w", source, i+1, err)
	}
	return m, rows, distances, took, err
}

// readMatches reads the matches of images 1 and i, counted from 0, from a file.
func readMatches(root string, scene *dataset.Scene, i int, d config.Descriptor) (path string, m *matchio.Matches, err error) {
	if path, err = importedPath(d.Matches.Path, root, scene, i); err == nil {
		m, err = matchio.Read(path)
	}
	if err != nil {
		return path, nil, err
	}
	if err = place(m, d.Matches.Origin, nil, scene.Images[0], scene.Images[i]); err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return path, m, err
}

// rowsOf returns the rows and distances of Matches.
func (w *Scene) rowsOf(d config.Descriptor, m *matchio.Matches, sets []keypoints.Set, i int) ([]int32, []float64, error) {
	if err := checkMatches(w.Plan.Config, d, m); err != nil || sets == nil {
		return nil, nil, err
	}
	named, all := "the keypoint set", takesAll(w.Plan, d)
	for _, s := range w.Plan.Graph.Chain(d.Keypoints) {
		if s.Border != nil && s.Border.Px > 0 {
			named = fmt.Sprintf("the keypoint set %s (border %g px; border: 0 keeps all keypoints)", s.Name, s.Border.Px)
		}
	}
	var numbers [2]matchio.Numbering
	for side, image := range [2]int{0, i} {
		n, points := matchio.Numbering{Rows: sets[image].Len()}, sets[image].Keypoints
		if all != nil && crops(w.Source.Images[image]) {
			var err error
			if n, err = w.numbersOf(all, image); err != nil {
				return nil, nil, err
			}
			if n.Len() != len(points) {
				return nil, nil, fmt.Errorf("the files of keypoint set %s have changed", d.Keypoints)
			}
		}
		n.At = points
		numbers[side] = n
	}
	return m.ByRow(named, numbers[0], numbers[1])
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

// numbersOf returns which keypoints of image i, counted from 0, that the run crops, matches number by
// the rows of the files of a set.
func (w *Scene) numbersOf(set *config.KeypointSet, i int) (matchio.Numbering, error) {
	key := fmt.Sprintf("%s %d", set.Name, i)
	if n, ok := w.numbers.Load(key); ok {
		return n.(matchio.Numbering), nil
	}
	var found *importer.Features
	var err error
	if set.Import != nil {
		found, _, err = readImported(w.Plan.Config.Dataset.Root, w.Source, i, set.Import, nil)
	} else {
		var all described
		all, err = w.call(set.Detect.Command, i).detect(blank(w.Source.Images[i]))
		found = &importer.Features{Keypoints: all.set, Moved: true}
	}
	if err != nil {
		return matchio.Numbering{}, err
	}
	n := matchio.Numbering{Rows: found.Keypoints.Len()}
	if kept := cropped(found, w.Source.Images[i]); kept.Len() < n.Rows {
		n.Of = make([]int32, kept.Len())
		for row, k := range kept.Keypoints {
			n.Of[row] = k.ClassID // the row in the file
		}
	}
	w.numbers.Store(key, n)
	return n, nil
}

// checkMatches returns an error for matches of a file or a program that lack what a descriptor needs.
func checkMatches(c *config.Config, d config.Descriptor, m *matchio.Matches) error {
	matcher := c.MatcherOf(d)
	if (matcher.TopK > 0 || matcher.MaxDistance > 0) && !m.Scored {
		return fmt.Errorf("no scores or distances, which the matcher of %s needs", d.Name)
	}
	if d.Keypoints == "" && !m.Points {
		return fmt.Errorf("rows of keypoints, but no positions; the key keypoints of %s must name the keypoint set that they belong to", d.Name)
	}
	return nil
}

// place shifts positions of a file or a program to the centres of pixels, and leaves out those that a
// crop cuts off. It returns an error if one is outside its image otherwise.
func place(m *matchio.Matches, origin importer.Origin, program *config.Command, first, other dataset.ImageFile) error {
	if !m.Points {
		return nil
	}
	sides, images := [2][]keypoints.Keypoint{make([]keypoints.Keypoint, len(m.List)), make([]keypoints.Keypoint, len(m.List))}, [2]dataset.ImageFile{first, other}
	for j, match := range m.List {
		sides[0][j], sides[1][j] = keypoints.Keypoint{X: match.X0, Y: match.Y0}, keypoints.Keypoint{X: match.X1, Y: match.Y1}
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
	for j, match := range m.List {
		a, b := sides[0][j], sides[1][j]
		if match.X0, match.Y0, match.X1, match.Y1 = a.X, a.Y, b.X, b.Y; !(moved[0] && cutOff(first, a)) && !(moved[1] && cutOff(other, b)) {
			kept = append(kept, match)
		}
	}
	m.List, m.Cut = kept, len(kept) < len(m.List)
	return nil
}

func (w *Scene) matchByProgram(d config.Descriptor, sets []keypoints.Set, i int) (*matchio.Matches, time.Duration, error) {
	settings, _, err := w.programs.settings(d.Command)
	if err != nil {
		return nil, 0, err
	}
	return Repetition[*matchio.Matches]{
		Command: d.Command, settings: settings, of: w.Source.Images[0].Digest + w.Source.Images[i].Digest, Differs: differentMatches, free: w.Close,
		Compute: func() (*matchio.Matches, time.Duration, error) {
			views, err := w.matched(d, sets, i)
			if err != nil {
				return nil, 0, err
			}
			return w.call(d.Command, 0, i).match(views)
		},
	}.computed(w.Stage)
}

// matched returns what a program that matches gets of images 1 and i, counted from 0.
func (w *Scene) matched(d config.Descriptor, sets []keypoints.Set, i int) (views [2]matchedImage, err error) {
	for j, image := range []int{0, i} {
		v := &views[j]
		img, err := w.image(image)
		if err != nil {
			return views, err
		}
		v.file, v.image = w.Source.Images[image], pixels(*img)
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
