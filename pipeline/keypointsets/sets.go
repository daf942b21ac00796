package keypointsets

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"descbench/descriptors/importer"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// storedSetVersion is part of the digest that names every stored set. Increase it
// with every change that makes the same recipe give different keypoints. Changes
// of detectors are covered by the extractor version.
const storedSetVersion = "2"

// Sets holds the keypoint sets of a config over all selected scenes. Each set is
// stored in a file of the cache:
//
//	<cache>/keypoints/<digest>.parquet
//
// The digest covers everything that determines the keypoints: the recipe of the
// set and of the sets that it is derived from, independent of their names, the
// scenes, the contents of imported files, and the environment. The two sides of
// an intersection are stored as two sets.
type Sets struct {
	config *config.Config
	opt    plan.Options
	scenes []*dataset.Scene
	file   string // stored set that the scenes are taken from; "" if they were read from the data set
}

// Open reads the scenes that the config selects, without decoding images. It
// returns an error if any scene is broken, because a stored set covers all
// scenes.
func Open(ctx context.Context, cfg *config.Config, opt plan.Options) (*Sets, error) {
	found, err := dataset.Find(cfg.Dataset.Root, cfg.Dataset.Scenes, cfg.Dataset.Subset)
	if err != nil {
		return nil, err
	}
	k := &Sets{config: cfg, opt: opt, scenes: make([]*dataset.Scene, len(found))}
	faults := make([]error, len(found))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(opt.Jobs)
	for i, ref := range found {
		g.Go(func() error {
			k.scenes[i], faults[i] = plan.OpenScene(ctx, cfg.Dataset, ref.Name)
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if faults = slices.DeleteFunc(faults, func(err error) bool { return err == nil }); len(faults) > 0 {
		return nil, plan.Faultf("%d of %d scenes are broken, and a stored set needs all of them (select scenes with dataset.scenes): %w",
			len(faults), len(found), faults[0])
	}
	return k, nil
}

// An Entry describes one keypoint set of a config.
type Entry struct {
	Name      string `json:"name"` // name of the set or side
	Recipe    string `json:"recipe"`
	Digest    string `json:"digest"`
	Path      string `json:"path"`
	Stored    bool   `json:"stored"`
	Keypoints *int   `json:"keypoints,omitempty"` // number of keypoints; nil if the set is not stored
	Fault     string `json:"fault,omitempty"`     // why the stored file or the imported files are unusable
}

// List returns the sets in the order of the config, with one entry per side.
func (k *Sets) List() []Entry {
	var entries []Entry
	for i := range k.config.KeypointSets {
		set := &k.config.KeypointSets[i]
		for _, name := range set.Sides() {
			entries = append(entries, k.entry(name, set))
		}
	}
	return entries
}

func (k *Sets) entry(name string, set *config.KeypointSet) Entry {
	e := Entry{Name: name, Recipe: set.String()}
	var err error
	if e.Digest, err = k.digest(name); err != nil {
		e.Fault = err.Error()
		return e
	}
	e.Path = k.path(e.Digest)
	f, err := store.OpenKeypointFile(e.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return e
	} else if err != nil {
		e.Fault = err.Error()
		return e
	}
	defer f.Close()
	n := f.Keypoints()
	e.Stored, e.Keypoints = true, &n
	return e
}

func (k *Sets) path(digest string) string {
	return filepath.Join(k.folder(), digest+".parquet")
}

func (k *Sets) folder() string { return filepath.Join(k.opt.CacheDir, "keypoints") }

// Open opens the stored set of the given name, which must be in the config. If
// the stored set is missing or damaged, Open computes and stores it first.
func (k *Sets) Open(ctx context.Context, name string) (f *store.KeypointFile, computed bool, err error) {
	digest, err := k.digest(name)
	if err != nil {
		return nil, false, err
	}
	f, err = openSound(ctx, k.path(digest))
	switch {
	case err == nil:
		return f, false, nil
	case errors.Is(err, store.ErrDamaged):
		k.opt.Logger().Warn("recomputing a damaged keypoint set", "reason", err)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, false, storeError(ctx, err)
	}
	if err := k.compute(ctx, name); err != nil {
		return nil, false, err
	}
	f, err = openSound(ctx, k.path(digest))
	return f, true, storeError(ctx, err)
}

// openSound opens a keypoint file and verifies all of its content.
func openSound(ctx context.Context, path string) (*store.KeypointFile, error) {
	f, err := store.OpenKeypointFile(path)
	if err != nil {
		return nil, err
	}
	if err := f.Verify(ctx); err != nil {
		_ = f.Close() // read only: nothing can be lost
		return nil, err
	}
	// The cache is pruned by time of last use. A read-only cache cannot record
	// it.
	now := time.Now()
	_ = os.Chtimes(path, now, now)
	return f, nil
}

// storeError wraps an error in a DataError. If ctx was cancelled, it returns the
// error of ctx instead.
func storeError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return plan.Fault(err)
}

// digest identifies the content of a set or side.
func (k *Sets) digest(name string) (string, error) {
	recipe, side := k.recipe(name)
	environment := plan.CurrentEnvironment(k.opt.Version)
	parts := []string{"keypoint set", storedSetVersion, recipe.Identity(), fmt.Sprint(side), environment.ExtractionKey()}
	for _, s := range k.scenes {
		parts = append(parts, s.Name, s.Digest)
	}
	for i := range recipe.KeypointSets {
		if imported := recipe.KeypointSets[i].Import; imported != nil {
			contents, err := k.importedDigests(imported)
			if err != nil {
				return "", fmt.Errorf("keypoint set %s: %w", name, err)
			}
			parts = append(append(parts, fmt.Sprintf("importer %d", importer.Version)), contents...)
		}
	}
	return store.Key(parts...), nil
}

// recipe returns a config that contains only a set and the sets that it is
// derived from. Their order and names depend only on the steps, so that equal
// recipes compare equal whatever the sets are called. The set itself comes last.
func (k *Sets) recipe(name string) (recipe *config.Config, side int) {
	graph := k.config.Graph()
	recipe = new(config.Config)
	renamed := make(map[*config.KeypointSet]string)
	var visit func(name string) string
	visit = func(name string) string {
		set, side := graph.Find(name)
		if _, ok := renamed[set]; !ok {
			steps := *set
			if steps.From != "" {
				steps.From = visit(steps.From)
			}
			if steps.Intersect != nil {
				steps.Intersect = &config.Intersect{
					A: visit(set.Intersect.A), B: visit(set.Intersect.B), TolerancePx: set.Intersect.TolerancePx,
				}
			}
			steps.Name = fmt.Sprintf("set%d", len(renamed)+1)
			renamed[set] = steps.Name
			recipe.KeypointSets = append(recipe.KeypointSets, steps)
		}
		if set.Intersect == nil {
			return renamed[set]
		}
		return renamed[set] + [...]string{".a", ".b"}[side]
	}
	visit(name)
	_, side = graph.Find(name)
	return recipe, side
}

// header returns the header of a stored set, without scenes.
func (k *Sets) header(name string) store.KeypointHeader {
	recipe, side := k.recipe(name)
	h := store.KeypointHeader{Environment: plan.CurrentEnvironment(k.opt.Version).ExtractionKey()}
	if d := k.config.Graph().Chain(name)[0].Detect; d != nil {
		h.Detector = &store.KeypointDetector{Type: d.Type, Params: d.Params}
	}
	for _, s := range recipe.KeypointSets {
		h.Recipe = append(h.Recipe, s.Name+": "+s.String())
	}
	if last := recipe.KeypointSets[len(recipe.KeypointSets)-1]; last.Intersect != nil {
		h.Recipe = append(h.Recipe, last.Sides()[side])
	}
	return h
}

// plan returns the plan of a run without descriptors that needs one set.
func (k *Sets) plan(name string) (*plan.Plan, error) {
	cfg := *k.config
	cfg.Descriptors = nil
	scenes := make([]string, len(k.scenes))
	for i, s := range k.scenes {
		scenes[i] = s.Name
	}
	return plan.New(&cfg, scenes, name)
}

// storedScene returns the description of a scene for a stored set.
func storedScene(s *dataset.Scene) store.KeypointScene {
	out := store.KeypointScene{Name: s.Name, Digest: s.Digest}
	for _, img := range s.Images {
		out.Images = append(out.Images, store.KeypointImage{File: img.File, Width: img.Width, Height: img.Height})
	}
	return out
}
