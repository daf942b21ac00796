// Package fit checks homographies against the images that they relate: it estimates
// each one from SIFT matches and compares.
package fit

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/eval/matching"
	"descbench/eval/nearest"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/dataset"
	"descbench/pipeline/estimate"
)

// A Verdict says whether a homography fits its images.
type Verdict string

// The verdicts.
const (
	Fits      Verdict = "fits"
	Differs   Verdict = "does not fit"
	Undecided Verdict = "undecided" // too few matches agree on any homography
)

// TolerancePx is the distance in px of image k up to which a match agrees with a
// homography.
const TolerancePx = 3

// leastInliers is the number of matches that must agree on an estimate. Among matches
// that are all wrong, RANSAC finds some ten that agree on one.
const leastInliers = 20

// leastFitting is the number of matches that must agree with the homography under
// test, which was not chosen for their number. Less than one wrong match in a thousand
// does.
const leastFitting = 5

// maxKeypoints bounds the keypoints of an image, those with the largest response.
const maxKeypoints = 3000

// maxRatio is the largest ratio of the distances to the nearest and to the second
// nearest candidate. It is more tolerant than the 0.8 of Lowe (IJCV 2004), because the
// matches are also mutual and only have to outnumber wrong ones that do not agree.
const maxRatio = 0.9

// A Pair is what the images 1 and K of a scene say about their homography.
type Pair struct {
	Scene   string `json:"scene"`
	K       int    `json:"k"`
	Matches int    `json:"matches"` // SIFT keypoints of image 1 with a match
	Fitting int    `json:"fitting"` // matches that agree with the homography
	Inliers int    `json:"inliers"` // matches that agree with the one estimated from them
	// CornerError is the mean distance between the corners of image 1 mapped by the
	// two, px of image K; nil if too few matches agree on an estimate, or if a corner
	// is at infinity.
	CornerError *float64 `json:"corner_error_px"`
	Verdict     Verdict  `json:"verdict"`
}

// All judges the homographies of all scenes that are not broken, in their order.
func All(ctx context.Context, found *dataset.Survey, maxMegapixels, jobs int) ([]Pair, error) {
	scenes := make([][]Pair, len(found.Scenes))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(jobs)
	for i, s := range found.Scenes {
		if s.Fault != "" {
			continue
		}
		g.Go(func() error {
			scene, err := dataset.Open(ctx, found.Root, s.Name, maxMegapixels)
			if err != nil {
				return err
			}
			if scenes[i], err = Scene(ctx, scene); err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
			return nil
		})
	}
	err := g.Wait()
	return slices.Concat(scenes...), err
}

// Scene judges the homographies of a scene.
func Scene(ctx context.Context, s *dataset.Scene) ([]Pair, error) {
	first, err := describe(s, 0)
	if err != nil {
		return nil, err
	}
	pairs := make([]Pair, 0, len(s.Images)-1)
	for i := 1; i < len(s.Images); i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		other, err := describe(s, i)
		if err != nil {
			return nil, err
		}
		pair, err := first.compare(ctx, other, s, i)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, pair)
	}
	return pairs, nil
}

// A view holds the keypoints of an image with their RootSIFT descriptors.
type view struct {
	set  keypoints.Set
	rows *descriptors.Matrix
}

func describe(s *dataset.Scene, i int) (view, error) {
	bgr, err := s.Decode(i)
	if err != nil {
		return view{}, err
	}
	img, err := detect.NewImage(bgr)
	if err != nil {
		return view{}, err
	}
	defer img.Close()
	detector, _ := keypoints.FindDetector("sift")
	set, err := detect.Detect(img, detector.Name, keypoints.Defaults(detector.Params))
	if err != nil {
		return view{}, err
	}
	set = set.Select(set.TopRows(maxKeypoints, keypoints.ByResponse))
	kind, _ := descriptors.FindKind("sift")
	raw, err := extract.Extract(img, set.Keypoints, kind.Name, keypoints.Defaults(kind.Params))
	if err != nil {
		return view{}, err
	}
	rows, err := descriptors.Root(raw)
	return view{set, rows}, err
}

// compare judges the homography of image i, counted from 0.
func (v view) compare(ctx context.Context, other view, s *dataset.Scene, i int) (Pair, error) {
	p := Pair{Scene: s.Name, K: i + 1, Verdict: Undecided}
	from, to, err := v.matches(ctx, other)
	if err != nil {
		return p, err
	}
	p.Matches = len(from)
	h := s.Homographies[i]
	for j := range from {
		x, y := h.Apply(float64(from[j].X), float64(from[j].Y))
		if math.Hypot(x-float64(to[j].X), y-float64(to[j].Y)) <= TolerancePx {
			p.Fitting++
		}
	}
	estimated, inliers, ok, err := estimate.Homography(estimate.Matches{Src: from, Dst: to}, matching.NewEstimator(matching.Ransac))
	if err != nil {
		return p, err
	}
	if ok {
		for _, in := range inliers {
			if in {
				p.Inliers++
			}
		}
		px := estimate.CornerError(estimated, h, s.Images[0].Width, s.Images[0].Height)
		if p.Inliers >= leastInliers && !math.IsInf(px, 0) {
			p.CornerError = &px
		}
	}
	p.Verdict = judge(p.Fitting, p.Inliers)
	return p, nil
}

// judge compares how many matches agree with a homography and with the estimated one.
// A homography that is right fits about as many as the estimate, which RANSAC has
// chosen for their number; one that is wrong fits hardly any.
func judge(fitting, inliers int) Verdict {
	switch {
	case fitting >= leastFitting && 2*fitting >= inliers:
		return Fits
	case inliers >= leastInliers && 2*fitting < inliers:
		return Differs
	}
	return Undecided
}

// matches returns the positions of the keypoints that are each other's nearest
// neighbours and clearly nearer than the second nearest.
func (v view) matches(ctx context.Context, other view) (from, to []estimate.Point, err error) {
	found, err := nearest.Search(ctx, v.rows, other.rows, nil, nearest.Options{Workers: 1})
	if err != nil {
		return nil, nil, err
	}
	for i, k := range v.set.Keypoints {
		if n := found.Nearest[i]; n >= 0 && found.Mutual[i] && !(found.NearestDistance[i] > maxRatio*found.SecondDistance[i]) {
			from = append(from, estimate.Point{X: k.X, Y: k.Y})
			to = append(to, estimate.Point{X: other.set.Keypoints[n].X, Y: other.set.Keypoints[n].Y})
		}
	}
	return from, to, nil
}
