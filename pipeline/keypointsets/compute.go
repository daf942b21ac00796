package keypointsets

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"descbench/keypoints"
	"descbench/pipeline/dataset"
	"descbench/pipeline/features"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// compute computes and stores a set, including the other side of an intersection.
// It uses the set units of a run, in a folder that it removes afterwards. The
// slow part, detection, is cached separately.
func (k *Sets) compute(ctx context.Context, name string) error {
	dir, err := makeFolder(k.folder())
	if err != nil {
		return plan.Fault(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // a later call removes what this one could not
	p, err := k.plan(name)
	if err != nil {
		return err
	}
	stage, err := features.New(p, plan.Folder(dir), k.opt)
	if err != nil {
		return err
	}
	defer stage.Close()
	if err := k.computeUnits(ctx, stage, name); err != nil {
		return err
	}
	set, _ := p.Graph.Find(name)
	for _, side := range set.Sides() {
		if err := k.storeUnits(ctx, stage, side); err != nil {
			return err
		}
	}
	return nil
}

// makeFolder creates a temporary folder in dir to compute in. It removes the
// folders that killed processes left behind.
func makeFolder(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	_ = store.RemoveUnfinished(dir, 24*time.Hour) // the next call tries again
	return os.MkdirTemp(dir, store.Unfinished)
}

// computeUnits computes the set units of every scene. Before that, it computes
// the keypoints from which selections over all scenes choose.
func (k *Sets) computeUnits(ctx context.Context, stage *features.Stage, name string) error {
	p := stage.Plan
	set, _ := p.Graph.Find(name)
	var mu sync.Mutex
	done, total := 0, (1+p.Graph.Depth(set))*len(p.Scenes)
	with := func(ctx context.Context, scene string, work func(context.Context, *features.Scene) error) error {
		w, err := stage.Open(ctx, scene)
		if err == nil {
			defer w.Close()
			err = k.unchanged(w.Source)
		}
		if err == nil {
			err = work(ctx, w)
		}
		if err != nil {
			return sceneError(ctx, err)
		}
		mu.Lock()
		defer mu.Unlock()
		done++
		if k.opt.Progress != nil {
			k.opt.Progress(plan.Event{Scene: scene, Done: done, Total: total})
		}
		return nil
	}
	if err := stage.TotalCuts(ctx, p.Scenes, with); err != nil {
		return err
	}
	return stage.EachScene(ctx, p.Scenes, func(ctx context.Context, scene string) error {
		return with(ctx, scene, func(ctx context.Context, w *features.Scene) error {
			_, err := w.Set(ctx, name)
			return err
		})
	})
}

// unchanged checks that a scene has not changed since its digest was computed.
func (k *Sets) unchanged(scene *dataset.Scene) error {
	if i, err := k.FindScene(scene.Name); err != nil || k.scenes[i].Digest != scene.Digest {
		return plan.Faultf("%s: changed while in use", scene.Name)
	}
	return nil
}

// sceneError wraps an error of a scene in a DataError, unless ctx was cancelled.
func sceneError(ctx context.Context, err error) error {
	if atPlace := (*plan.DataError)(nil); ctx.Err() != nil || errors.As(err, &atPlace) {
		return err
	}
	return plan.Fault(err)
}

// storeUnits combines the set units of all scenes into one file.
func (k *Sets) storeUnits(ctx context.Context, stage *features.Stage, name string) error {
	return k.store(ctx, name, func(i int) ([]keypoints.Set, error) {
		return readSets(stage, name, k.scenes[i].Name)
	})
}

func readSets(stage *features.Stage, set, scene string) ([]keypoints.Set, error) {
	file, err := stage.Unit(stage.Folder.Set(set, scene), scene)
	if err != nil {
		return nil, err
	}
	return store.ReadSets(file)
}

// store writes the file of a set. sets returns the sets of a scene.
func (k *Sets) store(ctx context.Context, name string, sets func(scene int) ([]keypoints.Set, error)) error {
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

// writeKeypointFile writes a keypoint file with the header's scenes. sets returns
// the sets of a scene.
func writeKeypointFile(ctx context.Context, path string, header store.KeypointHeader, sets func(scene int) ([]keypoints.Set, error)) error {
	w, err := store.CreateKeypointFile(path, header)
	if err != nil {
		return plan.Fault(err)
	}
	defer w.Abort()
	for i, scene := range header.Scenes {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := sets(i)
		if err != nil {
			return plan.Fault(err)
		}
		if err := w.Add(scene, s); err != nil {
			return plan.Fault(err)
		}
	}
	return plan.Fault(w.Close())
}
