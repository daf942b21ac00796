package features

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"descbench/descriptors"
	"descbench/eval/spelling"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/files/importer"
	"descbench/pipeline/plan"
)

// ImportedFiles describes the files of other programs that one entry of a config
// imports: keypoints, keypoints with descriptors, or matches.
type ImportedFiles struct {
	Key      string
	Files    int
	Found    int      // keypoints, or matches, in usable files
	NotRead  []string // names of arrays or columns that the entry does not use
	Unusable []UnusableFile

	ofMatches      bool
	scenes, faulty int // those that were read, and those with an unusable file
}

// An UnusableFile says why the file of an image, or of the pair of image 1 and it, cannot be
// used.
type UnusableFile struct {
	Image  string // SCENE/IMAGE
	Reason error
}

// cause names what unusable files have in common.
func (u UnusableFile) cause() string {
	err := u.Reason
	if errors.Is(err, fs.ErrNotExist) {
		return "missing"
	}
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return err.Error()
}

// Causes returns a line for each cause why files cannot be used, with the images.
func (f ImportedFiles) Causes() []string {
	var images spelling.Groups
	first := make(map[string]string)
	for _, u := range f.Unusable {
		images.Add(u.cause(), u.Image)
		first[u.cause()] = cmp.Or(first[u.cause()], fmt.Sprintf("%s: %v", u.Image, u.Reason))
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
	text := fmt.Sprintf("%s: %s, %d keypoints", f.Key, spelling.Count(f.Files, "image"), f.Found)
	if f.ofMatches {
		text = fmt.Sprintf("%s: %s, %d matches", f.Key, spelling.Count(f.Files, "image pair"), f.Found)
	}
	if len(f.Unusable) > 0 {
		text += fmt.Sprintf("; %d unusable", len(f.Unusable))
	}
	if len(f.NotRead) > 0 {
		text += "; not read: " + strings.Join(f.NotRead, ", ")
	}
	return text
}

// SurveyImports reads all imported files of some scenes, so that a user learns what a run would find in
// them. It skips broken scenes. Whether they fit the keypoint sets of the run, the run finds.
func SurveyImports(ctx context.Context, p *plan.Plan, scenes []string, jobs int) ([]ImportedFiles, error) {
	readers := importReaders(p)
	if len(readers) == 0 {
		return nil, nil
	}
	found := make([][][]importedFile, len(scenes)) // by scene and reader
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(jobs)
	for i, name := range scenes {
		g.Go(func() error {
			scene, err := plan.OpenScene(ctx, p.Config.Dataset, name)
			if err != nil {
				return ctx.Err()
			}
			for _, r := range readers {
				found[i] = append(found[i], r.scene(scene))
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
func (f *ImportedFiles) add(scene []importedFile) {
	usable := len(f.Unusable)
	for _, file := range scene {
		f.Files++
		if file.unusable.Reason != nil {
			f.Unusable = append(f.Unusable, file.unusable)
			continue
		}
		f.Found += file.found
		f.NotRead = append(f.NotRead, file.notRead...)
	}
	f.scenes++
	if len(f.Unusable) > usable {
		f.faulty++
	}
	slices.Sort(f.NotRead)
	f.NotRead = slices.Compact(f.NotRead)
}

// An importReader reads the files of an entry of a config.
type importReader struct {
	plan       *plan.Plan
	key        string              // of the entry
	set        *config.KeypointSet // whose keypoints they have; nil: rows or matches of the descriptor
	descriptor config.Descriptor
}

// importReaders leaves out keypoint sets that no descriptor needs, or whose files one reads as
// well.
func importReaders(run *plan.Plan) (readers []importReader) {
	for _, d := range run.Config.Descriptors {
		if d.File != nil || d.Matches != nil && d.Command == nil {
			readers = append(readers, importReader{run, keyOf(d), nil, d})
		}
	}
	for i := range run.Config.KeypointSets {
		set := &run.Config.KeypointSets[i]
		needed := slices.ContainsFunc(run.Config.Descriptors, func(d config.Descriptor) bool { return run.Describes(d, set) })
		if set.Import != nil && needed && !slices.ContainsFunc(readers, func(r importReader) bool { return r.starts(set) }) {
			readers = append(readers, importReader{run, fmt.Sprintf("keypoint_sets[%s].import", set.Name), set, config.Descriptor{}})
		}
	}
	return readers
}

// starts reports whether a keypoint set starts with the keypoints of these files.
func (r importReader) starts(set *config.KeypointSet) bool {
	if set == nil || set.Import == nil {
		return false
	}
	return set == r.set || r.descriptor.File != nil && r.descriptor.File.Path == set.Import.Path
}

// An importedFile is what an entry reads from the file of an image, or of the pair of image 1 and it.
type importedFile struct {
	found    int // keypoints or matches
	notRead  []string
	unusable UnusableFile // without a Reason if it is usable
}

// scene reads the files of a scene.
func (r importReader) scene(scene *dataset.Scene) (all []importedFile) {
	var first *descriptors.Matrix
	firstOf := ""
	for i, img := range scene.Images {
		if r.descriptor.Matches != nil && i == 0 || r.set != nil && r.set.Project != nil && i > 0 { // keypoints of image 1 are projected
			continue
		}
		file, rows, err := r.read(scene, i)
		switch {
		case err != nil || rows == nil || rows.Rows == 0:
		case first == nil:
			first, firstOf = rows, img.File
		case rows.Dim != first.Dim || rows.Type != first.Type:
			err = fmt.Errorf("rows of %s, but those of %s have %s; want equal ones for all images", elements(rows), firstOf, elements(first))
		}
		file.unusable = UnusableFile{scene.Where(i), err}
		all = append(all, file)
	}
	return all
}

// read reads the file of an image. The rows are nil but for descriptors.
func (r importReader) read(scene *dataset.Scene, image int) (file importedFile, rows *descriptors.Matrix, err error) {
	cfg, d := r.plan.Config, r.descriptor
	if d.Matches != nil {
		source, m, err := readMatches(cfg.Dataset.Root, scene, image, d)
		if err != nil {
			return file, nil, err
		}
		if err := checkMatches(cfg, d, m); err != nil {
			return file, nil, fmt.Errorf("%s: %w", source, err)
		}
		return importedFile{found: len(m.List), notRead: m.Ignored}, nil, nil
	}
	var f *importer.Features
	if r.set != nil {
		f, err = readImported(cfg.Dataset.Root, scene, image, r.set.Import)
	} else {
		f, _, err = readImportedRows(cfg.Dataset.Root, scene, image, d.File)
	}
	if errors.Is(err, importer.ErrUnstated) {
		err = &config.Error{File: r.key + ".elements", Msg: "missing: " + err.Error()}
	}
	if err != nil {
		return file, nil, err
	}
	for _, d := range cfg.Descriptors {
		if err == nil && r.starts(cfg.Origin(d)) {
			err = checkSizes(cfg, scene, d, image, f.Keypoints)
		}
	}
	return importedFile{found: f.Keypoints.Len(), notRead: f.Ignored}, f.Descriptors, err
}

// CheckImports reads the imported files of the stage's share, so that what makes them unusable
// in most scenes is reported before anything is written: as a config.Error if the config must
// say more about them. Other faults are left to the run.
func (s *Stage) CheckImports(ctx context.Context) error {
	all, err := SurveyImports(ctx, s.Plan, s.Plan.Share(s.opt.Shard), s.opt.Jobs)
	for _, f := range all {
		if unstated := (*config.Error)(nil); 2*f.faulty > f.scenes && errors.As(f.Unusable[0].Reason, &unstated) {
			return unstated
		} else if 2*f.faulty > f.scenes {
			return plan.Faultf("%s: %s", f, f.Causes()[0])
		}
	}
	return err
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
