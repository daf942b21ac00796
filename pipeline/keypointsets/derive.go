package keypointsets

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"descbench/eval/scope"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/features"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A Derivation derives a keypoint set from stored ones, by the steps that a
// config can give for a set: from one set, or from two that Steps.Intersect
// pairs. It does not need images.
type Derivation struct {
	Of    []*store.KeypointFile
	Steps config.KeypointSet // without Name, From and the names in Intersect
	Data  string             // folder of scenes, for the homographies of Steps.Project
	To    []string           // files to write: one, or one per side
}

// The names that a derivation gives to the stored sets and to the derived set.
var derivedFrom = []string{"a", "b"}

const derived = "derived"

// Derive writes the derived set, or both sides of an intersection. The files have
// the same bytes as sets stored from a config with all the steps. Derive returns
// the number of keypoints in the set, or in each side.
func (d Derivation) Derive(ctx context.Context, opt plan.Options) (count int, err error) {
	if err := d.check(); err != nil {
		return 0, err
	}
	dir, err := makeFolder(filepath.Join(opt.CacheDir, "keypoints"))
	if err != nil {
		return 0, plan.Fault(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // a later call removes what this one could not
	p, err := d.plan()
	if err != nil {
		return 0, err
	}
	stage, err := features.New(p, plan.Folder(dir), opt)
	if err != nil {
		return 0, err
	}
	defer stage.Close()
	if err := d.compute(ctx, stage); err != nil {
		return 0, err
	}
	return d.write(ctx, stage)
}

// check checks that the stored sets cover the same scenes, that every scene has
// as many images as a run needs, and that every set has a recipe.
func (d Derivation) check() error {
	first := d.Of[0]
	for _, s := range first.Scenes {
		if len(s.Images) < scope.MinImages {
			return plan.Faultf("%s: %s has %d images, want at least %d", first.Path(), s.Name, len(s.Images), scope.MinImages)
		}
	}
	for _, f := range d.Of {
		if len(f.Recipe) == 0 {
			return plan.Faultf("%s: the recipe of the set is missing", f.Path())
		}
	}
	for _, other := range d.Of[1:] {
		if len(other.Scenes) != len(first.Scenes) {
			return plan.Faultf("%s has %d scenes, %s has %d, want the same scenes", first.Path(), len(first.Scenes), other.Path(), len(other.Scenes))
		}
		for i, s := range other.Scenes {
			if want := first.Scenes[i]; s.Name != want.Name || s.Digest != want.Digest {
				return plan.Faultf("%s: scene %d is %s (%.8s), in %s it is %s (%.8s), want the same scene", other.Path(), i+1, s.Name, s.Digest, first.Path(), want.Name, want.Digest)
			}
		}
	}
	return nil
}

// plan returns the plan of a run that has the stored sets and needs the derived
// one.
func (d Derivation) plan() (*plan.Plan, error) {
	cfg := new(config.Config)
	for i, f := range d.Of {
		detect, err := storedDetector(f)
		if err != nil && d.Steps.Project != nil && d.Steps.Project.Carry == config.CarryGeometry {
			return nil, err
		}
		cfg.KeypointSets = append(cfg.KeypointSets, config.KeypointSet{Name: derivedFrom[i], Detect: detect})
	}
	steps := d.Steps
	steps.Name = derived
	if steps.Intersect != nil {
		steps.Intersect = &config.Intersect{A: derivedFrom[0], B: derivedFrom[1], TolerancePx: steps.Intersect.TolerancePx}
	} else {
		steps.From = derivedFrom[0]
	}
	cfg.KeypointSets = append(cfg.KeypointSets, steps)
	var scenes []string
	for _, s := range d.Of[0].Scenes {
		scenes = append(scenes, s.Name)
	}
	return plan.New(cfg, scenes, steps.Sides()[0])
}

// storedDetector returns the detector of stored keypoints, or nil for imported
// ones.
func storedDetector(f *store.KeypointFile) (*config.Detect, error) {
	if f.Detector == nil {
		if !slices.ContainsFunc(f.Recipe, func(line string) bool { return strings.Contains(line, ": import ") }) {
			return nil, plan.Faultf("%s: written by an older version that did not store the detector; recompute it", f.Path())
		}
		return nil, nil
	}
	detector, known := keypoints.FindDetector(f.Detector.Type)
	if !known {
		return nil, plan.Faultf("%s: keypoints of unknown detector %q", f.Path(), f.Detector.Type)
	}
	params := keypoints.Defaults(detector.Params)
	for _, p := range detector.Params {
		found := f.Detector.Params[p.Name]
		number, isNumber := found.(float64)
		switch {
		case p.Kind == keypoints.Int && isNumber:
			params[p.Name] = int64(number)
		case fmt.Sprintf("%T", found) == fmt.Sprintf("%T", p.Default):
			params[p.Name] = found
		default:
			return nil, plan.Faultf("%s: parameter %s of %s is %v, want a value like %v", f.Path(), p.Name, f.Detector.Type, found, p.Default)
		}
	}
	return &config.Detect{Type: f.Detector.Type, Params: params}, nil
}

// compute computes the set units of every scene. Before that, it computes the
// keypoints from which a selection over all scenes chooses.
func (d Derivation) compute(ctx context.Context, stage *features.Stage) error {
	var reading sync.Mutex // only one goroutine may read the files at a time
	at := make(map[string]int)
	for i, name := range stage.Plan.Scenes {
		at[name] = i
	}
	with := func(ctx context.Context, scene string, work func(context.Context, *features.Scene) error) error {
		w, err := d.open(ctx, stage, at[scene], &reading)
		if err == nil {
			defer w.Close()
			err = work(ctx, w)
		}
		if err != nil {
			return sceneError(ctx, err)
		}
		return nil
	}
	if err := stage.TotalCuts(ctx, stage.Plan.Scenes, with); err != nil {
		return err
	}
	steps := d.Steps
	steps.Name = derived
	return stage.EachScene(ctx, stage.Plan.Scenes, func(ctx context.Context, scene string) error {
		return with(ctx, scene, func(ctx context.Context, w *features.Scene) error {
			_, err := w.Set(ctx, steps.Sides()[0])
			return err
		})
	})
}

// open returns a features.Scene that already has the stored sets.
func (d Derivation) open(ctx context.Context, stage *features.Stage, scene int, reading *sync.Mutex) (*features.Scene, error) {
	reading.Lock()
	defer reading.Unlock()
	sets := make(map[string][]keypoints.Set)
	for i, f := range d.Of {
		var err error
		if sets[derivedFrom[i]], err = f.Read(scene); err != nil {
			return nil, err
		}
	}
	of := sceneOf(d.Of[0].Scenes[scene])
	if d.Steps.Project != nil {
		var err error
		if of, err = openSameScene(ctx, d.Data, d.Of[0].Path(), of); err != nil {
			return nil, err
		}
	}
	return stage.Given(of, sets), nil
}

// write combines the units of all scenes into files.
func (d Derivation) write(ctx context.Context, stage *features.Stage) (count int, err error) {
	var recipes [][]string
	for _, f := range d.Of {
		recipes = append(recipes, f.Recipe)
	}
	recipe, made := derivedRecipe(recipes, d.Steps)
	steps := d.Steps
	steps.Name = derived
	for side, name := range steps.Sides() {
		from := d.Of[side]
		h := store.KeypointHeader{Recipe: recipe, Environment: d.environment(), Detector: from.Detector, Scenes: d.Of[0].Scenes}
		if made.Intersect != nil {
			h.Recipe = append(slices.Clone(recipe), made.Sides()[side])
		}
		count = 0
		err := writeKeypointFile(ctx, d.To[side], h, func(i int) ([]keypoints.Set, error) {
			sets, err := readSets(stage, name, h.Scenes[i].Name)
			for _, s := range sets {
				count += s.Len()
			}
			return sets, err
		})
		if err != nil {
			return 0, err
		}
	}
	return count, nil
}

// environment returns what the values of all stored sets depend on.
func (d Derivation) environment() string {
	text := d.Of[0].Environment
	for _, f := range d.Of[1:] {
		if f.Environment != text {
			text += " and " + f.Environment
		}
	}
	return text
}
