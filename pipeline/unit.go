package pipeline

import (
	"context"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// evaluate computes and writes the eval unit of one descriptor.
func (w *sceneWork) evaluate(ctx context.Context, d config.Descriptor) (store.EvalUnit, error) {
	sets, err := w.load(ctx, d)
	if err != nil {
		return store.EvalUnit{}, err
	}
	var views [plan.Images]view
	var took [plan.Images]time.Duration
	err = w.eachImage(ctx, func(i int) error {
		img := w.scene.Images[i]
		views[i] = view{width: img.Width, height: img.Height, set: sets[i]}
		var err error
		views[i].rows, took[i], err = w.rows(d, i)
		return err
	})
	if err != nil {
		return store.EvalUnit{}, err
	}
	start := time.Now()
	var unit store.EvalUnit
	for i := 1; i < plan.Images; i++ {
		p := pairing{
			first: views[0], other: views[i], h: w.scene.Homographies[i], scene: w.scene.Name, k: i + 1,
			evaluation: w.Plan.Config.Evaluation, slots: w.Slots, workers: w.opt.Jobs,
		}
		pair, queries, err := p.evaluate(ctx)
		if err != nil {
			return store.EvalUnit{}, fmt.Errorf("%s: images 1 and %d: %w", w.scene.Name, i+1, err)
		}
		pair.Descriptor, pair.SceneDigest, pair.SetDigest = d.Name, w.scene.Digest, setDigest(sets)
		for j := range queries {
			queries[j].Descriptor = d.Name
		}
		unit.Pairs = append(unit.Pairs, pair)
		unit.Queries = append(unit.Queries, queries...)
	}
	// Before the eval unit: where that is, so are they.
	if err := w.writePools(ctx, d); err != nil {
		return store.EvalUnit{}, err
	}
	if err := w.writeTimes(d, sets, took, time.Since(start)); err != nil {
		return store.EvalUnit{}, err
	}
	if err := store.WriteEval(w.Folder.Eval(d.Name, w.scene.Name), unit); err != nil {
		return store.EvalUnit{}, plan.Fault(err)
	}
	if err := os.Remove(w.Folder.Failure(d.Name, w.scene.Name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return store.EvalUnit{}, plan.Fault(err)
	}
	return unit, nil
}

func (w *sceneWork) writeTimes(d config.Descriptor, sets []keypoints.Set, took [plan.Images]time.Duration, search time.Duration) error {
	extracting := store.Timing{Descriptor: d.Name, Scene: w.scene.Name, Stage: "extract", Images: plan.Images}
	searching := store.Timing{Descriptor: d.Name, Scene: w.scene.Name, Stage: "search", Seconds: search.Seconds(), Images: plan.Images}
	for i, t := range took {
		extracting.Seconds += t.Seconds()
		extracting.Keypoints += sets[i].Len()
		searching.Keypoints += sets[i].Len()
		if t == 0 {
			extracting.Cached++
		}
	}
	w.cachedImages.Add(int64(extracting.Cached))
	w.extractedImages.Add(int64(plan.Images - extracting.Cached))
	return plan.WriteJSON(w.Folder.Times(d.Name, w.scene.Name), []store.Timing{extracting, searching})
}
