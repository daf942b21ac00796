package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"descbench/eval"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/store"
)

// compute computes and stores a set, and the other side of an intersection. It
// does so by the units of a run, in a folder that is removed afterwards. What
// takes long, detecting, is cached by itself.
func (k *KeypointSets) compute(ctx context.Context, name string) error {
	detect.UseOneThread()
	cache, err := store.OpenCache(k.opt.CacheDir)
	if err != nil {
		return place(err)
	}
	dir, err := makeFolder(k.folder())
	if err != nil {
		return place(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // what stays is removed by a later call
	plan := k.plan(name)
	r := &runner{
		plan: plan, folder: folder{dir}, opt: k.opt, cache: cache,
		environment: currentEnvironment(k.opt.Version),
		slots:       semaphore.NewWeighted(int64(k.opt.Jobs)),
		cuts:        make(map[string]keypoints.Cut),
		running:     make(map[string]*eval.Accumulator),
	}
	if err := k.computeUnits(ctx, r, name); err != nil {
		return err
	}
	set, _ := plan.resolve(name)
	for _, side := range sideNames(set) {
		if err := k.storeUnits(ctx, r.folder, side); err != nil {
			return err
		}
	}
	return nil
}

// makeFolder makes a folder in dir to compute in, and removes those that killed
// processes left.
func makeFolder(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	_ = store.RemoveUnfinished(dir, 24*time.Hour) // whoever comes next tries again
	return os.MkdirTemp(dir, store.Unfinished)
}

// computeUnits computes the set units of every scene, and before them what
// selections over all scenes choose from.
func (k *KeypointSets) computeUnits(ctx context.Context, r *runner, name string) error {
	var mu sync.Mutex
	done, passes := 0, 1+r.plan.depth(name)
	each := func(work func(ctx context.Context, w *sceneWork) error) error {
		return r.eachScene(ctx, r.plan.Scenes, func(ctx context.Context, scene string) error {
			w, err := r.openScene(ctx, scene)
			if err == nil {
				err = k.unchanged(w.scene)
			}
			if err == nil {
				err = work(ctx, w)
				w.close()
			}
			if err != nil {
				return sceneError(ctx, err)
			}
			mu.Lock()
			defer mu.Unlock()
			done++
			if k.opt.Progress != nil {
				k.opt.Progress(Event{Scene: scene, Done: done, Total: passes * len(r.plan.Scenes)})
			}
			return nil
		})
	}
	for depth := 1; depth < passes; depth++ {
		totals := r.plan.totals(depth)
		err := each(func(ctx context.Context, w *sceneWork) error { return beforeAll(ctx, w, totals) })
		if err != nil {
			return err
		}
		for _, set := range totals {
			if err := r.cut(ctx, set); err != nil {
				return err
			}
		}
	}
	return each(func(ctx context.Context, w *sceneWork) error {
		_, err := w.set(ctx, name)
		return err
	})
}

// unchanged checks that a scene is still the one that the digests are of.
func (k *KeypointSets) unchanged(scene *dataset.Scene) error {
	if i, err := k.FindScene(scene.Name); err != nil || k.scenes[i].Digest != scene.Digest {
		return dataErrorf("%s: has changed while it was in use", scene.Name)
	}
	return nil
}

func beforeAll(ctx context.Context, w *sceneWork, totals []*config.KeypointSet) error {
	for _, set := range totals {
		if _, err := w.before(ctx, set); err != nil {
			return fmt.Errorf("keypoint set %s: %w", set.Name, err)
		}
	}
	return nil
}

// sceneError marks what is wrong with a scene as a fault of the data, unless
// the work was stopped.
func sceneError(ctx context.Context, err error) error {
	if atPlace := (*DataError)(nil); ctx.Err() != nil || errors.As(err, &atPlace) {
		return err
	}
	return &DataError{err}
}

// storeUnits makes one file of the set units of all scenes.
func (k *KeypointSets) storeUnits(ctx context.Context, units folder, name string) error {
	return k.store(ctx, name, func(i int) ([]keypoints.Set, error) {
		return store.ReadSets(units.set(name, k.scenes[i].Name))
	})
}

// store writes the file of a set, given the sets of each scene.
func (k *KeypointSets) store(ctx context.Context, name string, sets func(scene int) ([]keypoints.Set, error)) error {
	digest, err := k.digest(name)
	if err != nil {
		return err
	}
	header := k.header(name)
	for _, scene := range k.scenes {
		header.Scenes = append(header.Scenes, storedScene(scene))
	}
	return writeKeypointFile(ctx, k.path(digest), header, sets)
}

// writeKeypointFile writes a file of the header's scenes, given the sets of each.
func writeKeypointFile(ctx context.Context, path string, header store.KeypointHeader, sets func(scene int) ([]keypoints.Set, error)) error {
	w, err := store.CreateKeypointFile(path, header)
	if err != nil {
		return place(err)
	}
	defer w.Abort()
	for i, scene := range header.Scenes {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := sets(i)
		if err != nil {
			return place(err)
		}
		if err := w.Add(scene, s); err != nil {
			return place(err)
		}
	}
	return place(w.Close())
}
