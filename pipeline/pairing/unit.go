package pairing

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"descbench/descriptors"
	"descbench/eval/record"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/features"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"descbench/pipeline/store/unitfile"
)

// A Scene evaluates the descriptors of one scene. It is safe for concurrent use.
type Scene struct {
	*features.Scene
	// geometries maps the names of keypoint sets to geometries, which all descriptors of
	// a set share.
	geometries sync.Map
}

// geometries holds what the descriptors of a keypoint set share. The first that needs a
// part computes it; all are charged its time.
type geometries struct {
	pairs  []func() (geometry, error) // by image; nil for the first
	digest func() string              // of the keypoints of all images
}

// Evaluate computes the eval unit of one descriptor.
func (w *Scene) Evaluate(ctx context.Context, d config.Descriptor) (unitfile.EvalUnit, error) {
	if d.Matches != nil {
		return evaluateMatches(ctx, w.Scene, d)
	}
	sets, err := w.Load(ctx, d)
	if err != nil {
		return unitfile.EvalUnit{}, err
	}
	views := make([]view, len(sets))
	costs := make([]features.Cost, len(sets))
	err = w.EachImage(ctx, func(i int) error {
		img := w.Source.Images[i]
		views[i] = view{width: img.Width, height: img.Height, set: sets[i]}
		var err error
		views[i].rows, costs[i], err = w.Rows(d, i)
		return err
	})
	if err != nil {
		return unitfile.EvalUnit{}, err
	}
	var rows []*descriptors.Matrix
	n, invalid := 0, 0
	var px []float64 // sizes of keypoints
	for _, v := range views {
		for _, k := range v.set.Keypoints {
			px = append(px, float64(k.Size))
		}
		rows, n, invalid = append(rows, v.rows), n+v.rows.Rows, invalid+v.rows.CountInvalid()
	}
	if err := w.CheckDimensions(d, rows); err != nil {
		return unitfile.EvalUnit{}, err
	}
	if n > 0 && invalid == n {
		slices.Sort(px)
		cause, median := "", px[len(px)/2]
		if w.Plan.Config.Unsized(d) != nil && (median < 2 || median > float64(min(views[0].width, views[0].height))) {
			cause = fmt.Sprintf("; keypoints have sizes of %.3g to %.3g px: is the third column another number, such as a score?", px[0], px[len(px)-1])
		}
		return unitfile.EvalUnit{}, fmt.Errorf("all %d rows of the scene are invalid (not finite as float32, zero norm, or not computed)%s", n, cause)
	}
	unit, took, err := w.evaluatePairs(ctx, d, views)
	if err != nil {
		return unitfile.EvalUnit{}, err
	}
	start := time.Now()
	if err := putPools(ctx, w.Scene, d); err != nil {
		return unitfile.EvalUnit{}, err
	}
	if err := plan.Put(w.Units, w.Units.Eval(d.Name), unitfile.Eval, unit); err != nil {
		return unitfile.EvalUnit{}, err
	}
	putTimes(w.Scene, d, sets, costs, took, time.Since(start))
	return unit, nil
}

// evaluatePairs evaluates the image pairs of a scene, several at a time. Each holds
// one processor slot.
func (w *Scene) evaluatePairs(ctx context.Context, d config.Descriptor, views []view) (unit unitfile.EvalUnit, took times, err error) {
	pairings := make([]*pairing, len(views))
	for i := range views {
		pairings[i] = &pairing{
			first: views[0], other: views[i], scene: w.Source.Name, subsets: w.Source.Subsets, k: i + 1,
			evaluation: w.Plan.Config.Evaluation, matcher: w.Plan.Config.MatcherOf(d),
		}
	}
	shared := w.shared(w.Plan.Config.SetOf(d), pairings, w.Source.Mapping)
	unit, estimating, cached, err := joined(ctx, w.Scene, d, pairings, shared.digest, func(i int) (pair record.Pair, queries []record.Query, err error) {
		g, err := shared.pairs[i]()
		pairings[i].took.truth = g.took
		if err == nil {
			pair, queries, err = pairings[i].evaluate(ctx, g)
		}
		if err != nil {
			err = fmt.Errorf("%s: images 1 and %d: %w", w.Source.Name, i+1, err)
		}
		return pair, queries, err
	})
	for _, p := range pairings {
		took.truth, took.search, took.estimate = took.truth+p.took.truth, took.search+p.took.search, took.estimate+p.took.estimate
	}
	took.estimate, took.cached = took.estimate+estimating, cached
	return unit, took, err
}

// shared returns the geometries of a keypoint set, given a pairing for each of its images and what reads their
// mappings.
func (w *Scene) shared(set string, of []*pairing, mapping func(i int) (keypoints.Mapping, error)) *geometries {
	g := &geometries{pairs: make([]func() (geometry, error), len(of))}
	sets := make([]keypoints.Set, len(of))
	for i, p := range of {
		sets[i] = p.other.set
		if i > 0 {
			g.pairs[i] = sync.OnceValues(func() (g geometry, err error) {
				pair := *p
				if pair.mapping, err = mapping(i); err != nil { // which may keep depth in memory
					return g, err
				}
				return pair.geometry()
			})
		}
	}
	g.digest = sync.OnceValue(func() string { return features.SetDigest(sets) })
	found, _ := w.geometries.LoadOrStore(set, g)
	return found.(*geometries)
}

// joined calls evaluate for every image pair of a scene, several at a time, adds the errors of estimates to
// the records, and returns the unit of all. It also returns the time that the estimates took, and for how many
// images all came from the cache.
func joined(ctx context.Context, w *features.Scene, d config.Descriptor, of []*pairing, setDigest func() string, evaluate func(i int) (record.Pair, []record.Query, error)) (unit unitfile.EvalUnit, took time.Duration, cached int, err error) {
	pairs, queries := make([]record.Pair, len(of)), make([][]record.Query, len(of))
	err = w.EachPair(ctx, func(i int) (err error) {
		pairs[i], queries[i], err = evaluate(i)
		return err
	})
	if err == nil {
		took, cached, err = estimates(ctx, w, of, pairs)
	}
	if err != nil {
		return unit, 0, 0, err
	}
	for i := 1; i < len(pairs); i++ {
		pair := pairs[i]
		pair.Descriptor, pair.SceneDigest, pair.SetDigest = d.Name, w.Source.Digest, setDigest()
		for j := range queries[i] {
			queries[i][j].Descriptor = d.Name
		}
		unit.Pairs = append(unit.Pairs, pair)
	}
	unit.Queries = slices.Concat(queries...)
	return unit, took, cached, nil
}

// putTimes adds the times of the unit's stages.
func putTimes(w *features.Scene, d config.Descriptor, sets []keypoints.Set, costs []features.Cost, took times, writing time.Duration) {
	stage := func(name string, took time.Duration) store.Timing {
		t := store.Timing{Descriptor: d.Name, Scene: w.Source.Name, Stage: name, Seconds: took.Seconds(), Images: len(sets)}
		for _, s := range sets {
			t.Keypoints += s.Len()
		}
		return t
	}
	described := stage(store.DescribeStage, 0)
	imported := w.Imports(d)
	if imported {
		described.Stage = store.ImportStage // neither extracted nor cached
	}
	for _, cost := range costs {
		if math.IsNaN(cost.Seconds) {
			described.Untimed++
		} else {
			described.Seconds += cost.Seconds
		}
		if cost.Cached && !imported {
			described.Cached++
		}
	}
	if imported {
		w.ImportedImages.Add(int64(len(sets)))
	} else {
		w.CachedImages.Add(int64(described.Cached))
		w.ExtractedImages.Add(int64(len(sets) - described.Cached))
	}
	estimated := stage(store.EstimateStage, took.estimate)
	estimated.Cached = took.cached
	w.Units.PutTimes(d.Name, described, stage(store.TruthStage, took.truth), stage(store.SearchStage, took.search),
		estimated, stage(store.WriteStage, writing))
}
