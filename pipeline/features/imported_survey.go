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
	Unusable []UnusableFile

	key        string              // of the entry
	set        *config.KeypointSet // whose keypoints they have; nil for matches
	descriptor config.Descriptor   // whose rows or matches they have, too

	files, found   int      // found: keypoints, or matches, in usable files
	notRead        []string // names of arrays or columns that the entry does not use
	scenes, faulty int      // those that were read, and those with an unusable file
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
	text := fmt.Sprintf("%s: %s, %d keypoints", f.key, spelling.Count(f.files, "image"), f.found)
	if f.set == nil {
		text = fmt.Sprintf("%s: %s, %d matches", f.key, spelling.Count(f.files, "image pair"), f.found)
	}
	if len(f.Unusable) > 0 {
		text += fmt.Sprintf("; %d unusable", len(f.Unusable))
	}
	if len(f.notRead) > 0 {
		text += "; not read: " + strings.Join(f.notRead, ", ")
	}
	return text
}

// SurveyImports reads all imported files of some scenes, so that a user learns what a run would find in
// them. It skips broken scenes. Whether they fit the keypoint sets of the run, the run finds.
func SurveyImports(ctx context.Context, p *plan.Plan, scenes []string, jobs int) ([]ImportedFiles, error) {
	all := imports(p)
	if len(all) == 0 {
		return nil, nil
	}
	found := make([][]ImportedFiles, len(scenes))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(jobs)
	for i, name := range scenes {
		g.Go(func() error {
			scene, err := plan.OpenScene(ctx, p.Config.Dataset, name)
			if err != nil {
				return ctx.Err()
			}
			for _, f := range all {
				f.read(p.Config, scene)
				found[i] = append(found[i], f)
			}
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, scene := range found {
		for i, f := range scene {
			all[i].add(f)
		}
	}
	return all, nil
}

// add adds the files of a scene.
func (f *ImportedFiles) add(scene ImportedFiles) {
	f.files, f.found = f.files+scene.files, f.found+scene.found
	f.Unusable = append(f.Unusable, scene.Unusable...)
	f.notRead = append(f.notRead, scene.notRead...)
	slices.Sort(f.notRead)
	f.notRead = slices.Compact(f.notRead)
	if f.scenes++; len(scene.Unusable) > 0 {
		f.faulty++
	}
}

// imports returns the entries of a config that import files. It leaves out keypoint sets that no
// descriptor needs, or whose files one reads as well.
func imports(run *plan.Plan) (all []ImportedFiles) {
	for _, d := range run.Config.Descriptors {
		if d.File != nil {
			all = append(all, ImportedFiles{key: keyOf(d), set: run.Graph.Chain(d.Keypoints)[0], descriptor: d})
		} else if d.Matches != nil && d.Command == nil {
			all = append(all, ImportedFiles{key: keyOf(d), descriptor: d})
		}
	}
	for i := range run.Config.KeypointSets {
		set := &run.Config.KeypointSets[i]
		needed := slices.ContainsFunc(run.Config.Descriptors, func(d config.Descriptor) bool {
			return run.Graph.Reaches(d.Keypoints, func(s *config.KeypointSet) bool { return s == set })
		})
		if set.Import != nil && needed && !slices.ContainsFunc(all, func(f ImportedFiles) bool { return f.set == set }) {
			all = append(all, ImportedFiles{key: fmt.Sprintf("keypoint_sets[%s].import", set.Name), set: set})
		}
	}
	return all
}

// read reads the files of a scene.
func (f *ImportedFiles) read(cfg *config.Config, scene *dataset.Scene) {
	var first *descriptors.Matrix
	firstOf := ""
	for i, img := range scene.Images {
		if f.set == nil && i == 0 || f.set != nil && f.set.Project != nil && i > 0 { // keypoints of image 1 are projected
			continue
		}
		found, notRead, rows, err := f.readFile(cfg, scene, i)
		switch {
		case err != nil || rows == nil || rows.Rows == 0:
		case first == nil:
			first, firstOf = rows, img.File
		case rows.Dim != first.Dim || rows.Type != first.Type:
			err = fmt.Errorf("rows of %s, but those of %s have %s; want equal ones for all images", elements(rows), firstOf, elements(first))
		}
		if f.files++; err != nil {
			f.Unusable = append(f.Unusable, UnusableFile{scene.Where(i), err})
			continue
		}
		f.found += found
		f.notRead = append(f.notRead, notRead...)
	}
}

// readFile reads the file of an image, or of the pair of image 1 and it. It returns the number of keypoints or
// matches, the names of what is not read, and the descriptors, if there are any.
func (f *ImportedFiles) readFile(cfg *config.Config, scene *dataset.Scene, image int) (found int, notRead []string, rows *descriptors.Matrix, err error) {
	if f.set == nil {
		source, m, err := readMatches(cfg.Dataset.Root, scene, image, f.descriptor)
		if err != nil {
			return 0, nil, nil, err
		}
		if err := checkMatches(cfg, f.descriptor, m); err != nil {
			return 0, nil, nil, fmt.Errorf("%s: %w", source, err)
		}
		return len(m.List), m.Ignored, nil, nil
	}
	features, _, err := readImported(cfg.Dataset.Root, scene, image, f.set.Import, f.descriptor.File)
	if errors.Is(err, importer.ErrUnstated) {
		err = &config.Error{File: f.key + ".elements", Msg: "missing: " + err.Error()}
	}
	if err != nil {
		return 0, nil, nil, err
	}
	for _, d := range cfg.Descriptors {
		if err == nil && cfg.Origin(d) == f.set {
			err = checkSizes(cfg, scene, d, image, features.Keypoints)
		}
	}
	return features.Keypoints.Len(), features.Ignored, features.Descriptors, err
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
