package pipeline

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"descbench/eval/fact"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset/fit"
	"descbench/pipeline/features"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// ownKeypoints is the number of keypoints of an image, those with the largest response,
// by which a run judges homographies. If the descriptor is not SIFT, that only serves to
// save SIFT.
const ownKeypoints = 1000

// checkHomographies returns a *store.Fault if the images of a scene contradict its
// homographies, and otherwise keeps the digests of the scene's files, so that neither
// this nor a later run checks them again. It matches the rows that one of the
// descriptors, which are being computed, has anyway; where these do not clearly confirm
// a homography, SIFT decides.
func (r *runner) checkHomographies(ctx context.Context, w *features.Scene, ds []config.Descriptor) error {
	if w.Remembered || len(ds) == 0 {
		return nil
	}
	pairs, settled, err := r.judgeByRows(ctx, w, ds)
	if err == nil && slices.Contains(settled[1:], false) {
		err = r.judgeBySIFT(ctx, w, pairs, settled)
	}
	if err != nil {
		return err
	}
	if facts := contradictions(w, pairs); facts != nil {
		text := strings.Join(notes.Texts(facts), "; ")
		if !r.Plan.Config.Dataset.Trust {
			return store.Faultf(w.Source.Name, "%s; if they are right, set dataset.trust: true", text)
		}
		r.opt.Logger().Warn("evaluating a scene whose images contradict its homographies or cameras (dataset.trust)", "scene", w.Source.Name, "reason", text)
		for i := range facts {
			facts[i].Kind, facts[i].Scenes = fact.TrustedScene, []string{w.Source.Name}
		}
		w.Units.Doubt(facts)
		return nil
	}
	var doubts []fact.Fact
	for _, p := range pairs {
		doubts = append(doubts, p.Doubt...)
	}
	if doubts != nil {
		w.Units.Doubt(doubts)
		return nil
	}
	dir, err := w.Source.Remember(r.opt.CacheDir)
	if err != nil {
		return plan.Fault(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.digests = dir
	return nil
}

// judgeByRows judges the homographies by the rows of a descriptor, SIFT if there is one.
// The results are by image; settled says for which pairs SIFT cannot say more.
// Keypoints that a homography has projected are no evidence for it.
func (r *runner) judgeByRows(ctx context.Context, w *features.Scene, ds []config.Descriptor) (pairs []fit.Pair, settled []bool, err error) {
	pairs, settled = make([]fit.Pair, len(w.Source.Images)), make([]bool, len(w.Source.Images))
	isSIFT := func(d config.Descriptor) bool {
		from := w.Plan.Graph.Chain(d.Keypoints)[0].Detect
		return d.Type == "sift" && from != nil && from.Type == "sift"
	}
	var own []config.Descriptor
	for _, d := range ds {
		if d.Matches != nil || d.Fusion != nil || w.Plan.Graph.Reaches(d.Keypoints, func(s *config.KeypointSet) bool { return s.Project != nil }) {
			continue
		}
		if own = append(own, d); isSIFT(d) {
			own = []config.Descriptor{d}
			break
		}
	}
	if len(own) == 0 {
		return pairs, settled, nil
	}
	views := make([]fit.View, len(pairs))
	sets, err := w.Load(ctx, own[0])
	if err == nil {
		err = w.EachImage(ctx, func(i int) error {
			rows, _, err := w.Rows(own[0], i)
			if err != nil {
				return err
			}
			strongest := sets[i].TopRows(ownKeypoints, keypoints.ByResponse)
			views[i] = fit.View{Set: sets[i].Select(strongest), Rows: rows.Select(strongest)}
			return nil
		})
	}
	if err != nil {
		return pairs, settled, ctx.Err() // evaluating the descriptor returns the error
	}
	err = w.EachPair(ctx, func(i int) (err error) {
		pairs[i], err = views[0].Compare(ctx, views[i], w.Source, i)
		enough := min(views[0].Set.Len(), views[i].Set.Len()) == ownKeypoints
		settled[i] = pairs[i].Doubt == nil && (pairs[i].Clear() || isSIFT(own[0]) && enough && pairs[i].Verdict != fit.Undecided)
		return err
	})
	return pairs, settled, err
}

// judgeBySIFT judges the homographies that are not settled by SIFT keypoints.
func (r *runner) judgeBySIFT(ctx context.Context, w *features.Scene, pairs []fit.Pair, settled []bool) error {
	d := r.Plan.Config.Dataset
	scene, err := fit.Open(ctx, plan.Source(d), w.Source.Name, d.MaxMegapixels)
	if err != nil {
		return err
	}
	views := make([]fit.View, len(pairs))
	err = w.EachImage(ctx, func(i int) (err error) {
		if !settled[i] {
			views[i], err = fit.Describe(scene, i)
		}
		return err
	})
	if err != nil {
		return err
	}
	return w.EachPair(ctx, func(i int) (err error) {
		if !settled[i] {
			pairs[i], err = views[0].Compare(ctx, views[i], scene, i)
		}
		return err
	})
}

// contradictions tell which homographies do not fit, and which would: the first if all are alike.
func contradictions(w *features.Scene, pairs []fit.Pair) (facts []fact.Fact) {
	inverted := 0
	for _, p := range pairs {
		if p.Verdict != fit.Differs {
			continue
		}
		f := fact.New(fact.HomographyDiffers).With("k", float64(p.K)).With("matches", float64(p.Matches)).With("fitting", float64(p.Fitting)).With("inliers", float64(p.Inliers))
		if p.Cameras {
			f = f.Naming("cameras", cmp.Or(p.Instead, "none"))
		} else if p.Instead != "" {
			f = f.Naming("fits", p.Instead)
		}
		if p.Known > 0 { // the lines of cameras fit
			f = f.With("known", float64(p.Known)).With("by_depth", float64(p.ByDepth))
		}
		if p.Instead == fit.Inverse {
			inverted++
		}
		facts = append(facts, f)
	}
	switch n := len(facts); {
	case n > 1 && inverted == n:
		return []fact.Fact{facts[0].Naming("all", "inverted")}
	case n > 1 && n == len(pairs)-1 && facts[0].Names["fits"] == nil:
		return []fact.Fact{facts[0].Naming("all", "differ")}
	}
	return facts
}
