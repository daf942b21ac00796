package pairing

import (
	"context"
	"fmt"
	"math"
	"time"

	"descbench/descriptors"
	"descbench/eval"
	"descbench/eval/scope"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/features"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Evaluate computes and writes the eval unit of one descriptor.
func Evaluate(ctx context.Context, w *features.Scene, d config.Descriptor) (store.EvalUnit, error) {
	if d.Matches != nil {
		return evaluateMatches(ctx, w, d)
	}
	sets, err := w.Load(ctx, d)
	if err != nil {
		return store.EvalUnit{}, err
	}
	var views [scope.Images]view
	var costs [scope.Images]features.Cost
	err = w.EachImage(ctx, func(i int) error {
		img := w.Source.Images[i]
		views[i] = view{width: img.Width, height: img.Height, set: sets[i]}
		var err error
		views[i].rows, costs[i], err = w.Rows(d, i)
		return err
	})
	if err != nil {
		return store.EvalUnit{}, err
	}
	var rows []*descriptors.Matrix
	for _, v := range views {
		rows = append(rows, v.rows)
	}
	if err := w.CheckDimensions(d, rows); err != nil {
		return store.EvalUnit{}, err
	}
	start := time.Now()
	unit, err := evaluatePairs(ctx, w, d, views)
	if err != nil {
		return store.EvalUnit{}, err
	}
	// Written before the eval unit, so that an eval unit never lacks its pools.
	if err := writePools(ctx, w, d); err != nil {
		return store.EvalUnit{}, err
	}
	if err := writeTimes(w, d, sets, costs, time.Since(start)); err != nil {
		return store.EvalUnit{}, err
	}
	return unit, writeUnit(w, d, unit)
}

// writeUnit writes the eval unit of a descriptor.
func writeUnit(w *features.Scene, d config.Descriptor, unit store.EvalUnit) error {
	file, err := w.Unit(w.Folder.Eval(d.Name, w.Source.Name), w.Source.Name)
	if err != nil {
		return err
	}
	if err := store.WriteEval(file, unit); err != nil {
		return plan.Fault(err)
	}
	return w.Folder.ForgetFailure(d.Name, w.Source.Name)
}

// evaluatePairs evaluates the image pairs of a scene, several at a time. Each holds
// one processor slot.
func evaluatePairs(ctx context.Context, w *features.Scene, d config.Descriptor, views [scope.Images]view) (store.EvalUnit, error) {
	var pairs [scope.Images]eval.Pair
	var queries [scope.Images][]eval.Query
	err := w.EachPair(ctx, func(i int) error {
		p := pairing{
			first: views[0], other: views[i], h: w.Source.Homographies[i], scene: w.Source.Name, k: i + 1,
			evaluation: w.Plan.Config.Evaluation, matcher: w.Plan.Config.MatcherOf(d),
		}
		var err error
		if pairs[i], queries[i], err = p.evaluate(ctx); err != nil {
			return fmt.Errorf("%s: images 1 and %d: %w", w.Source.Name, i+1, err)
		}
		return nil
	})
	if err != nil {
		return store.EvalUnit{}, err
	}
	sets := make([]keypoints.Set, len(views))
	for i, v := range views {
		sets[i] = v.set
	}
	return joined(w, d, features.SetDigest(sets), pairs, queries), nil
}

// joined returns the unit of the records of all image pairs.
func joined(w *features.Scene, d config.Descriptor, setDigest string, pairs [scope.Images]eval.Pair, queries [scope.Images][]eval.Query) store.EvalUnit {
	var unit store.EvalUnit
	for i := 1; i < scope.Images; i++ {
		pair := pairs[i]
		pair.Descriptor, pair.SceneDigest, pair.SetDigest = d.Name, w.Source.Digest, setDigest
		for j := range queries[i] {
			queries[i][j].Descriptor = d.Name
		}
		unit.Pairs = append(unit.Pairs, pair)
		unit.Queries = append(unit.Queries, queries[i]...)
	}
	return unit
}

func writeTimes(w *features.Scene, d config.Descriptor, sets []keypoints.Set, costs [scope.Images]features.Cost, search time.Duration) error {
	extracting := store.Timing{Descriptor: d.Name, Scene: w.Source.Name, Stage: "extract", Images: scope.Images}
	searching := store.Timing{Descriptor: d.Name, Scene: w.Source.Name, Stage: "search", Seconds: search.Seconds(), Images: scope.Images}
	imported := w.Imports(d)
	if imported {
		extracting.Stage = "import" // neither extracted nor cached
	}
	for i, cost := range costs {
		if !math.IsNaN(cost.Seconds) {
			extracting.Seconds += cost.Seconds
		}
		extracting.Keypoints += sets[i].Len()
		searching.Keypoints += sets[i].Len()
		if cost.Cached && !imported {
			extracting.Cached++
		}
	}
	if imported {
		w.CountImages(0, 0, scope.Images)
	} else {
		w.CountImages(extracting.Cached, scope.Images-extracting.Cached, 0)
	}
	return w.Folder.WriteTimes(d.Name, w.Source.Name, extracting, searching)
}
