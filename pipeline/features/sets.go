package features

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"descbench/eval/fact"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/files/importer"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"descbench/pipeline/store/unitfile"
)

// Set returns the keypoint set with the given name, one per image. It reads the
// set from its unit, or computes it if the unit does not exist. name
// may be that of a side.
func (w *Scene) Set(ctx context.Context, name string) ([]keypoints.Set, error) {
	if sets, ok := w.sets[name]; ok {
		return sets, nil
	}
	set, side := w.Plan.Graph.Find(name)
	points, err := w.stored(ctx, set, w.Units.Set, w.compute)
	if err != nil {
		return nil, fmt.Errorf("keypoint set %s: %w", set.Name, err)
	}
	for i, name := range set.Sides() {
		w.sets[name] = sideOf(points, i)
	}
	return sideOf(points, side), nil
}

// before returns the points from which a set's selection over all scenes
// chooses.
func (w *Scene) before(ctx context.Context, set *config.KeypointSet) ([]paired, error) {
	return w.stored(ctx, set, w.Units.Before, w.filtered)
}

// stored returns the points of a set, one paired per image. It reads them from
// one unit per side, or computes these.
func (w *Scene) stored(ctx context.Context, set *config.KeypointSet, unitOf func(name string) plan.Unit, compute func(context.Context, *config.KeypointSet) ([]paired, error)) ([]paired, error) {
	points := make([]paired, len(w.Source.Images))
	complete := true
	for _, name := range set.Sides() {
		sets, err := plan.Get(w.Units, unitOf(name), unitfile.Sets)
		if err == nil && len(sets) != len(points) {
			err = fmt.Errorf("%s: %w: it has %d images, want %d", w.Units.Path(unitOf(name), w.Source.Name), store.ErrDamaged, len(sets), len(points))
		}
		w.NoteUnusable("unit", err)
		if errors.Is(err, fs.ErrNotExist) || store.Unusable(err) {
			complete = false
			break
		} else if err != nil {
			return nil, plan.Fault(err)
		}
		for i := range points {
			points[i] = append(points[i], sets[i])
		}
	}
	if complete {
		return points, nil
	}
	points, err := compute(ctx, set)
	for i, name := range set.Sides() {
		if err == nil {
			err = plan.Put(w.Units, unitOf(name), unitfile.Sets, sideOf(points, i))
		}
	}
	return points, err
}

// sideOf returns one side of all images.
func sideOf(points []paired, side int) []keypoints.Set {
	sets := make([]keypoints.Set, len(points))
	for i, p := range points {
		sets[i] = p[side]
	}
	return sets
}

// compute applies all steps of a set.
func (w *Scene) compute(ctx context.Context, set *config.KeypointSet) ([]paired, error) {
	candidates := w.filtered
	if set.TakesTotal() {
		candidates = w.before
	}
	points, err := candidates(ctx, set)
	var cut keypoints.Cut
	if err == nil && set.TakesTotal() {
		cut, err = w.cut(ctx, set)
	}
	if err != nil {
		return nil, err
	}
	for i := range points {
		switch {
		case set.Project != nil && i > 0: // replaced below
		case set.TakesTotal():
			points[i] = points[i].choose(cut.Rows(w.Source.Name, i+1, points[i][0]))
		case set.Top != nil:
			if err := points[i][0].CheckTop(set.Top.PerImage, set.Top.By); err != nil {
				return nil, fmt.Errorf("image %d: %w", i+1, err)
			}
			points[i] = points[i].choose(points[i][0].TopRows(set.Top.PerImage, set.Top.By))
		}
	}
	if set.Project == nil {
		return points, nil
	}
	for side := range points[0] { // so that projections find their query after any later selection
		points[0][side] = points[0][side].Numbered()
	}
	var resize []keypoints.Resizer
	for _, side := range set.Sides() {
		resize = append(resize, resizerOf(w.Plan.Graph.Chain(side)[0].Detect))
	}
	for i := 1; i < len(points); i++ {
		bounds := w.Source.Images[i]
		if set.Project.Bounds == config.BoundsImage1 {
			bounds = w.Source.Images[0]
		}
		m, err := w.Source.Mapping(i)
		if err != nil {
			return nil, err
		}
		points[i] = project(points[0], set, m, bounds.Width, bounds.Height, resize)
	}
	return points, nil
}

// filtered applies the steps of a set that come before its top selection.
func (w *Scene) filtered(ctx context.Context, set *config.KeypointSet) ([]paired, error) {
	points, err := w.origin(ctx, set)
	if err != nil {
		return nil, err
	}
	for i, img := range w.Source.Images {
		points[i] = filterSteps(points[i], set, w.Source.Name, i+1, img.Width, img.Height)
	}
	return points, nil
}

// origin returns the points from which a set starts.
func (w *Scene) origin(ctx context.Context, set *config.KeypointSet) ([]paired, error) {
	points := make([]paired, len(w.Source.Images))
	switch {
	case set.From != "":
		from, err := w.Set(ctx, set.From)
		if err != nil {
			return nil, err
		}
		for i := range points {
			points[i] = paired{from[i]}
		}
		return points, nil
	case set.Intersect != nil:
		a, err := w.Set(ctx, set.Intersect.A)
		if err != nil {
			return nil, err
		}
		b, err := w.Set(ctx, set.Intersect.B)
		if err != nil {
			return nil, err
		}
		for i := range points {
			rowsA, rowsB := keypoints.Intersect(a[i], b[i], set.Intersect.TolerancePx)
			points[i] = paired{a[i].Select(rowsA), b[i].Select(rowsB)}
		}
		return points, nil
	}
	err := w.EachImage(ctx, func(i int) error {
		if set.Project != nil && i > 0 {
			points[i] = paired{{}} // only the reference image is needed
			return nil
		}
		if set.Import != nil {
			found, _, err := readImported(w.Plan.Config.Dataset.Root, w.Source, i, set.Import, nil)
			if err != nil {
				return err
			}
			points[i] = paired{cropped(found, w.Source.Images[i])}
			return cmp.Or(w.noteGaps(ctx, set, found, w.Source.Images[i].Resized()), w.note(ctx, set.Name, placed(found.About.Half, found.Moved, points[i][0].Len() < found.Keypoints.Len())...))
		}
		found, err := w.detect(set.Detect, i)
		if isHDF5(set.Detect) {
			found = cropped(&importer.Features{Keypoints: found, Moved: true}, w.Source.Images[i])
		}
		points[i] = paired{found}
		return cmp.Or(err, w.noteGaps(ctx, set, &importer.Features{Keypoints: found}, w.Source.Images[i].Resized()))
	})
	if err == nil {
		err = w.noteAngles(ctx, set, points)
	}
	return points, err
}

// noteAngles notes that the angles of a program or of files turn against the images, if they turn
// the windows of descriptors.
func (w *Scene) noteAngles(ctx context.Context, set *config.KeypointSet, points []paired) error {
	turns := func(d config.Descriptor) bool {
		from := w.Plan.Config.Unsized(d)
		return from != nil && from.Name == set.Name && d.Turns()
	}
	if set.Project != nil || !slices.ContainsFunc(w.Plan.Config.Descriptors, turns) {
		return nil
	}
	var turning keypoints.Turning
	for i := 1; i < len(points); i++ {
		turning.Add(w.Source.Homography(i), points[0][0].Keypoints, points[i][0].Keypoints, 3)
	}
	if !turning.Reversed() {
		return nil
	}
	return w.note(ctx, set.Name, fact.New(fact.AnglesTurn))
}

// noteGaps notes the descriptors that are computed at keypoints without angles, which not all
// detectors give, or without sizes, which programs and files may leave out.
func (w *Scene) noteGaps(ctx context.Context, set *config.KeypointSet, found *importer.Features, resized []float64) error {
	points := found.Keypoints
	var names, upright []string
	var facts []fact.Fact
	for _, d := range w.Plan.Config.Descriptors {
		if from := w.Plan.Config.Origin(d); from == nil || from.Name != set.Name {
			continue
		}
		if w.Plan.Config.Unsized(d) != nil {
			names = append(names, d.Name)
		}
		if d.Turns() {
			upright = append(upright, d.Name)
		}
	}
	if upright != nil && points.WithoutAngle() > 0 {
		facts = append(facts, fact.New(fact.Upright).Naming("descriptors", upright...))
	}
	if names == nil || points.Len() == 0 {
		return w.note(ctx, set.Name, facts...)
	}
	px, scale := make([]float64, points.Len()), 1.
	for i, k := range points.Keypoints {
		px[i] = float64(k.Size)
	}
	if slices.Sort(px); found.Moved && resized != nil {
		scale = (resized[0] + resized[1]) / 2
	}
	if median := px[len(px)/2] / scale; median > 0 && median < 2 {
		facts = append(facts, fact.New(fact.SmallSizes))
	}
	if size := set.DefaultSize(); size != nil {
		isDefault := func(k keypoints.Keypoint) bool {
			return k.Size == float32(*size) || resized != nil && k.Size == float32(*size*(resized[0]+resized[1])/2)
		}
		if slices.ContainsFunc(points.Keypoints, isDefault) {
			facts = append(facts, fact.New(fact.DefaultSize).With("px", *size).Naming("descriptors", names...))
		} else if set.Import != nil { // programs may scale the default
			facts = append(facts, fact.New(fact.DefaultSizeUnused))
		}
	}
	return w.note(ctx, set.Name, facts...)
}

// note tells the readers of the results, once, what was done to the positions of a set or to those of matches.
func (w *Scene) note(ctx context.Context, part string, facts ...fact.Fact) error {
	for _, f := range facts {
		f = f.Of(part)
		note := notes.Text(f)
		if _, told := w.programs.told.LoadOrStore(note, true); told {
			continue
		}
		w.opt.Logger().Info("note: " + note)
		if err := w.Folder.AddNotes(ctx, []fact.Fact{f}); err != nil {
			return err
		}
	}
	return nil
}

// SetDigest returns a digest of the keypoints of a scene's images. It covers
// every attribute of every row, in order, but the class: that of imported keypoints is
// their row in the file.
func SetDigest(sets []keypoints.Set) string {
	h := sha256.New()
	for _, s := range sets {
		s.Keypoints = slices.Clone(s.Keypoints)
		for i := range s.Keypoints {
			s.Keypoints[i].ClassID = -1
		}
		h.Write(s.Bytes())
	}
	return hex.EncodeToString(h.Sum(nil))
}
