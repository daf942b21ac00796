package pairing

import (
	"context"
	"fmt"
	"math"
	"sync"

	"descbench/eval/matching"
	"descbench/eval/record"
	"descbench/eval/truth"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/estimate"
	"descbench/pipeline/features"
	"descbench/pipeline/files/matchio"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"descbench/pipeline/store/unitfile"
)

// The records of matches that another program found have a query per keypoint of
// image 1 or, without keypoint sets, per match. Its nearest neighbour is the keypoint
// or position that it is matched with. There are no ranks, no second neighbours and
// no ground truth: these need descriptors.

// evaluateMatches computes the records of imported matches.
func evaluateMatches(ctx context.Context, w *features.Scene, d config.Descriptor) (unitfile.EvalUnit, error) {
	var sets []keypoints.Set // nil: the files have positions
	if d.Keypoints != "" {
		var err error
		if sets, err = w.Load(ctx, d); err != nil {
			return unitfile.EvalUnit{}, err
		}
	}
	if d.Command != nil && d.Command.Of != "" { // whose rows a program matches
		if _, err := w.Load(ctx, *w.Plan.Config.Named(d.Command.Of)); err != nil {
			return unitfile.EvalUnit{}, err
		}
	}
	images := len(w.Source.Images)
	matched := make([]*pairing, images)
	setDigest := sync.OnceValue(func() string {
		if sets != nil {
			return features.SetDigest(sets)
		}
		var all []byte
		for _, pair := range matched[1:] {
			all = append(append(all, pair.first.set.Bytes()...), pair.other.set.Bytes()...)
		}
		return store.SHA256(all)
	})
	unit, estimating, cached, err := joined(ctx, w, d, matched, setDigest, func(i int) (pair record.Pair, queries []record.Query, err error) {
		pair, queries, matched[i], err = matchedImages(ctx, w, d, sets, i)
		return pair, queries, err
	})
	if err != nil {
		return unitfile.EvalUnit{}, err
	}
	times := store.Timing{Descriptor: d.Name, Scene: w.Source.Name, Stage: store.ImportStage, Images: images, Untimed: images, Keypoints: len(unit.Queries)}
	if d.Command == nil {
		w.ImportedImages.Add(int64(images))
	} else {
		w.ExtractedImages.Add(int64(images))
		times.Stage, times.Untimed = store.SearchStage, 0
		for _, p := range matched[1:] {
			times.Seconds += p.took.search.Seconds()
		}
	}
	estimated := times
	estimated.Stage, estimated.Seconds, estimated.Untimed, estimated.Cached = store.EstimateStage, estimating.Seconds(), 0, cached
	w.Units.PutTimes(d.Name, times, estimated)
	return unit, plan.Put(w.Units, w.Units.Eval(d.Name), unitfile.Eval, unit)
}

// matchedImages returns the records of images 0 and i, without the descriptor's name
// and the digests, and their pairing. sets is nil if the file has positions.
func matchedImages(ctx context.Context, w *features.Scene, d config.Descriptor, sets []keypoints.Set, i int) (pair record.Pair, queries []record.Query, p *pairing, err error) {
	found, rows, distances, took, err := w.Matches(ctx, d, sets, i)
	if err != nil {
		return pair, nil, nil, err
	}
	img1, imgK := w.Source.Images[0], w.Source.Images[i]
	p = &pairing{
		first: view{width: img1.Width, height: img1.Height}, other: view{width: imgK.Width, height: imgK.Height},
		scene: w.Source.Name, subsets: w.Source.Subsets, k: i + 1,
		evaluation: w.Plan.Config.Evaluation, matcher: w.Plan.Config.MatcherOf(d), took: times{search: took},
	}
	if p.mapping, err = w.Source.Mapping(i); err != nil {
		return pair, nil, nil, err
	}
	if sets != nil {
		p.first.set, p.other.set = sets[0], sets[i]
	}
	if sets == nil {
		p.first.set, p.other.set, rows, distances = matchedPoints(found)
	}
	if pair, queries, err = p.matched(rows, distances, sets == nil); err != nil {
		err = fmt.Errorf("%s: images 1 and %d: %w", w.Source.Name, i+1, err)
	}
	return pair, queries, p, err
}

// matchedPoints returns the positions of the matches as keypoints, row i of image 1
// matched with row i of image K.
func matchedPoints(m *matchio.Matches) (a, b keypoints.Set, rows []int32, distances []float64) {
	for i, at := range m.List {
		a.Keypoints = append(a.Keypoints, keypoints.Keypoint{X: at.X0, Y: at.Y0, Angle: -1, ClassID: -1})
		b.Keypoints = append(b.Keypoints, keypoints.Keypoint{X: at.X1, Y: at.Y1, Angle: -1, ClassID: -1})
		rows, distances = append(rows, int32(i)), append(distances, at.Distance)
	}
	return a, b, rows, distances
}

// matched returns the records, without the descriptor's name and the digests, of matches with
// rows of image K. points says that the keypoints are only those of the matches.
func (p *pairing) matched(rows []int32, distances []float64, points bool) (pair record.Pair, queries []record.Query, err error) {
	there, back, pair := p.described()
	var partners []int32
	if !points {
		partners = p.partners(there, back)
	}
	states := p.states(there)
	if states == nil {
		back = nil
	}
	queries = make([]record.Query, len(rows))
	for i, row := range rows {
		q := &queries[i]
		*q = p.unanswered(i, there[i])
		q.Nearest, q.NearestDistance, q.Candidates = row, distances[i], int32(p.other.set.Len())
		p.nearest(q, there[i], back)
		if states != nil {
			q.State = states[i]
		}
		if !points {
			q.Partner = partners[i]
		}
	}
	pair.Imported = record.ImportedRows
	if points {
		pair.Imported, pair.Correspondences = record.ImportedPoints, -1
		pair.Repeated1, pair.RepeatedK, pair.RepeatedOnce, pair.RepeatErrorSum1, pair.RepeatErrorSumK = 0, 0, 0, 0, 0
		pair.Spread1, pair.SpreadK = math.NaN(), math.NaN()
	} else {
		pair.Correspondences = p.correspondences(truth.Find(there, p.other.set.Keypoints, matching.TolerancePx))
	}
	p.matches, err = estimate.Match(&pair, queries, p.matcher, false)
	return pair, queries, err
}
