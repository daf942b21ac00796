package features

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"descbench/descriptors"
	"descbench/eval/spelling"
	"descbench/keypoints"
	"descbench/pipeline/child"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/files/importer"
	"descbench/pipeline/files/matchio"
	"descbench/pipeline/plan"
)

// ImportedFiles describes the files of other programs that one entry of a config
// imports: keypoints, keypoints with descriptors, or matches. An HDF5 file counts once for
// each image, or pair, of the data set.
type ImportedFiles struct {
	Key       string
	Files     int
	Keypoints int      // in usable files, without those that a crop cuts off
	CutOff    int      // keypoints that a crop cuts off
	Matches   int      // likewise
	Invalid   int      // descriptors that are zeros, NaN or Inf, or that the file says are invalid
	NotRead   []string // names of arrays or columns that the entry does not use

	Unusable []UnusableFile

	ofMatches      bool
	scenes, faulty int // those that were read, and those with an unusable file
}

// An UnusableFile says why the file of an image, or of the pair of image 1 and it, cannot be
// used. Its text is "SCENE/IMAGE: reason".
type UnusableFile struct {
	Image  string // SCENE/IMAGE
	Reason error
}

func (u UnusableFile) String() string { return fmt.Sprintf("%s: %v", u.Image, u.Reason) }

// cause names what unusable files have in common.
func (u UnusableFile) cause() string {
	switch err := u.Reason; {
	case errors.Is(err, fs.ErrNotExist):
		return "missing"
	case errors.As(err, new(*child.FunctionError)):
		return "lacking in the file" // the text names the image
	default:
		for errors.Unwrap(err) != nil {
			err = errors.Unwrap(err)
		}
		return err.Error()
	}
}

// Causes returns a line for each cause why files cannot be used, with the images.
func (f ImportedFiles) Causes() []string {
	var images spelling.Groups
	first := make(map[string]string)
	for _, u := range f.Unusable {
		images.Add(u.cause(), u.Image)
		first[u.cause()] = cmp.Or(first[u.cause()], u.String())
	}
	lines := images.Texts
	for i, cause := range lines {
		lines[i] = first[cause]
		if of := images.Of[cause]; len(of) > 1 {
			lines[i] += fmt.Sprintf("; likewise %s", spelling.Few(of[1:], 7))
		}
	}
	return lines
}

// String sums the files up, "descriptors[d]: 12 images, 3600 keypoints; 1 unusable;
// not read: scales".
func (f ImportedFiles) String() string {
	text := fmt.Sprintf("%s: %s, %d keypoints", f.Key, spelling.Count(f.Files, "image"), f.Keypoints)
	if f.ofMatches {
		text = fmt.Sprintf("%s: %s, %d matches", f.Key, spelling.Count(f.Files, "image pair"), f.Matches)
	}
	if f.CutOff > 0 {
		text += fmt.Sprintf(" (without %d that the run's crop cuts off)", f.CutOff)
	}
	if f.Invalid > 0 {
		text += fmt.Sprintf("; %d invalid rows", f.Invalid)
	}
	if len(f.Unusable) > 0 {
		text += fmt.Sprintf("; %d unusable", len(f.Unusable))
	}
	if len(f.NotRead) > 0 {
		text += "; not read: " + strings.Join(f.NotRead, ", ")
	}
	return text
}

// SurveyImports reads all imported files, so that a user learns what a run would find in
// them. It starts the programs that read HDF5 files. It skips broken scenes.
func SurveyImports(ctx context.Context, p *plan.Plan, jobs int) ([]ImportedFiles, error) {
	programs := newPrograms(slog.New(slog.DiscardHandler), nil)
	programs.ctx = ctx
	defer programs.close(nil)
	return programs.survey(ctx, p, p.Scenes, jobs)
}

// survey is SurveyImports for some scenes.
func (programs *programs) survey(ctx context.Context, p *plan.Plan, scenes []string, jobs int) ([]ImportedFiles, error) {
	readers := programs.importReaders(p)
	if len(readers) == 0 {
		return nil, nil
	}
	found := make([][]ImportedFiles, len(scenes)) // by scene and reader
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(jobs)
	for i, name := range scenes {
		g.Go(func() error {
			scene, err := plan.OpenScene(ctx, p.Config.Dataset, name)
			if err != nil {
				return ctx.Err()
			}
			for _, r := range readers {
				found[i] = append(found[i], r.survey(scene))
			}
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	all := make([]ImportedFiles, len(readers))
	for i, r := range readers {
		all[i].Key, all[i].ofMatches = r.key, r.descriptor.Matches != nil
		for _, scene := range found {
			if scene != nil {
				all[i].add(scene[i])
			}
		}
	}
	return all, nil
}

// add adds the files of a scene.
func (f *ImportedFiles) add(of ImportedFiles) {
	f.Files += of.Files
	f.Keypoints += of.Keypoints
	f.CutOff += of.CutOff
	f.Matches += of.Matches
	f.Invalid += of.Invalid
	f.Unusable = append(f.Unusable, of.Unusable...)
	f.scenes++
	if len(of.Unusable) > 0 {
		f.faulty++
	}
	f.NotRead = append(f.NotRead, of.NotRead...)
	slices.Sort(f.NotRead)
	f.NotRead = slices.Compact(f.NotRead)
}

// An importReader reads the files of an entry of a config.
type importReader struct {
	*programs
	plan       *plan.Plan
	key        string              // of the entry
	set        *config.KeypointSet // whose keypoints they have; nil: rows or matches of the descriptor
	descriptor config.Descriptor
}

// importReaders leaves out keypoint sets that no descriptor needs, or whose files one reads as
// well.
func (p *programs) importReaders(run *plan.Plan) (readers []importReader) {
	for _, d := range run.Config.Descriptors {
		if d.File != nil || d.Matches != nil && d.Command == nil || d.Command != nil && d.Command.Imported() != "" {
			readers = append(readers, importReader{p, run, keyOf(d), nil, d})
		}
	}
	for i := range run.Config.KeypointSets {
		set := &run.Config.KeypointSets[i]
		needed := slices.ContainsFunc(run.Config.Descriptors, func(d config.Descriptor) bool { return run.Describes(d, set) })
		if !needed || slices.ContainsFunc(readers, func(r importReader) bool { return r.starts(set) }) {
			continue
		}
		if set.Import != nil {
			readers = append(readers, importReader{p, run, fmt.Sprintf("keypoint_sets[%s].import", set.Name), set, config.Descriptor{}})
		} else if isHDF5(set.Detect) {
			readers = append(readers, importReader{p, run, fmt.Sprintf("keypoint_sets[%s].detect", set.Name), set, config.Descriptor{}})
		}
	}
	return readers
}

// starts reports whether a keypoint set starts with the keypoints of these files.
func (r importReader) starts(set *config.KeypointSet) bool {
	switch d := r.descriptor; {
	case r.set != nil:
		return set == r.set
	case d.File != nil:
		return set.Import != nil && set.Import.Path == d.File.Path
	case d.Matches == nil:
		return isHDF5(set.Detect) && set.Detect.Command.Same(d.Command)
	}
	return false
}

// read returns what the file of an image has: keypoints and rows, or the number of matches of image 1 and it.
func (r importReader) read(scene *dataset.Scene, image int) (f importer.Features, matches int, err error) {
	cfg, d := r.plan.Config, r.descriptor
	switch {
	case r.set != nil:
		f, err = r.keypointsOf(cfg.Dataset.Root, r.set, scene, image)
		return f, 0, err
	case d.File != nil:
		found, _, err := readImportedRows(cfg.Dataset.Root, scene, image, d.File)
		if errors.Is(err, importer.ErrUnstated) {
			err = &config.Error{File: r.key + ".elements", Msg: "missing: " + err.Error()}
		}
		if err != nil {
			return f, 0, err
		}
		return *found, 0, nil
	case d.Matches == nil:
		f, err = r.fromHDF5(r.key, d.Command, scene, image)
		return f, 0, err
	}
	source, m, err := r.readMatches(cfg.Dataset.Root, scene, image, d)
	if err != nil {
		return f, 0, err
	}
	f.Ignored = m.Ignored
	var numbers *[2]matchio.Numbering
	set := takesAll(r.plan, d)
	if set != nil {
		numbers, err = r.numbersOf(r.plan, set, scene, image)
	}
	if err != nil || set == nil && d.Keypoints != "" { // not known here; the reader of the keypoints reports errors
		return f, len(m.List), nil
	}
	rows, _, err := rowsOf(cfg, d, m, numbers)
	if err != nil {
		return f, 0, fmt.Errorf("%s: %w", source, err)
	}
	if matches = len(m.List); rows != nil {
		matches = len(slices.DeleteFunc(rows, func(row int32) bool { return row < 0 }))
	}
	return f, matches, nil
}

func (r importReader) survey(scene *dataset.Scene) (f ImportedFiles) {
	p, ofMatches := r.plan, r.descriptor.Matches != nil
	var first *descriptors.Matrix
	firstOf := ""
	for i, img := range scene.Images {
		if ofMatches && i == 0 || r.set != nil && r.set.Project != nil && i > 0 { // keypoints of image 1 are projected
			continue
		}
		f.Files++
		found, matches, err := r.read(scene, i)
		kept := cropped(found, img)
		for _, d := range p.Config.Descriptors {
			chain := p.Graph.Chain(p.Config.SetOf(d))
			if err == nil && len(chain) > 0 && r.starts(chain[0]) {
				err = cmp.Or(checkSizes(p.Config, scene, d, i, found.Keypoints), checkScores(p, scene, d, i, kept))
			}
		}
		switch rows := found.Descriptors; {
		case err != nil || rows == nil || rows.Rows == 0:
		case first == nil:
			first, firstOf = rows, img.File
		case rows.Dim != first.Dim || rows.Type != first.Type:
			err = fmt.Errorf("rows of %s, but those of %s have %s; want equal ones for all images", elements(rows), firstOf, elements(first))
		}
		if err != nil {
			f.Unusable = append(f.Unusable, UnusableFile{scene.Where(i), err})
			continue
		}
		f.Keypoints += kept.Len()
		f.CutOff += found.Keypoints.Len() - kept.Len()
		f.Matches += matches
		f.NotRead = append(f.NotRead, found.Ignored...)
		if found.Descriptors != nil {
			f.Invalid += found.Descriptors.CountInvalid()
		}
	}
	return f
}

// CheckImports reads the imported files of the stage's share, so that what makes them unusable
// in most scenes is reported before anything is written: as a config.Error if the config must
// say more about them. Other faults are left to the run.
func (s *Stage) CheckImports(ctx context.Context) error {
	all, err := s.programs.survey(ctx, s.Plan, s.Plan.Share(s.opt.Shard), s.opt.Jobs)
	for _, f := range all {
		if unstated := (*config.Error)(nil); 2*f.faulty > f.scenes && errors.As(f.Unusable[0].Reason, &unstated) {
			return unstated
		} else if 2*f.faulty > f.scenes {
			return plan.Faultf("%s: %s", f, f.Causes()[0])
		}
	}
	return err
}

// checkScores returns an error if keypoints of image i are selected by their response for a
// descriptor, and none has one.
func checkScores(p *plan.Plan, scene *dataset.Scene, d config.Descriptor, i int, found keypoints.Set) error {
	img, points := scene.Images[i], paired{found}
	for _, set := range p.Graph.Chain(p.Config.SetOf(d)) {
		if set.Intersect != nil {
			return nil
		}
		points = filterSteps(points, set, scene.Name, i+1, img.Width, img.Height)
		if top := set.Top; top != nil {
			if err := points[0].CheckTop(top.PerImage, top.By); err != nil || top.Total > 0 {
				return err
			}
			points = points.choose(points[0].TopRows(top.PerImage, top.By))
		}
	}
	if n := p.Config.Evaluation.SharedTopK; n > 0 && d.Matches == nil {
		return points[0].CheckTop(n, keypoints.ByResponse)
	}
	return nil
}

// checkSizes returns a *config.Error if a descriptor needs sizes and none of the keypoints of
// image i has one: all its rows would be invalid. For those of a program it concerns the
// whole run.
func checkSizes(cfg *config.Config, scene *dataset.Scene, d config.Descriptor, i int, set keypoints.Set) error {
	from := cfg.Unsized(d)
	if from == nil || from.DefaultSize() != nil || set.Len() == 0 || slices.ContainsFunc(set.Keypoints, func(k keypoints.Keypoint) bool { return k.Size > 0 }) {
		return nil
	}
	step, found, cure := "detect", "the program returns no size above 0", "return N×3 keypoints"
	if from.Import != nil {
		path, err := importedPath(from.Import.Path, cfg.Dataset.Root, scene, i)
		if err != nil {
			return err
		}
		step, found, cure = "import", path+" has no size", "add the array or column size to the files"
	}
	err := &config.Error{
		File: fmt.Sprintf("keypoint_sets[%s].%s.default_size", from.Name, step),
		Msg:  fmt.Sprintf("missing: %s for its keypoints, but descriptor %s (%s) needs one to cut its window out of the image; %s, or set default_size, px", found, d.Name, d.Type, cure),
	}
	if from.Detect != nil {
		return plan.Fault(err)
	}
	return err
}
