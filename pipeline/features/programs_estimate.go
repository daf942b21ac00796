package features

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"descbench/eval/matching"
	"descbench/keypoints"
	"descbench/pipeline/child"
	"descbench/pipeline/config"
	"descbench/pipeline/estimate"
	"descbench/pipeline/files/npz"
	"descbench/pipeline/store/unitfile"
)

// Estimates returns the errors of what an estimator finds from the matches of the scene's pairs, from the
// cache if possible. of and the errors are by image, without any for the first. took is the time that
// computing them took, whenever that was. Those of an own function without a version, or that is not
// reproducible, are not cached.
func (w *Scene) Estimates(ctx context.Context, name string, of []*estimate.Matched) (found [][]matching.EstimateError, took time.Duration, cached bool, err error) {
	e, _ := matching.ParseEstimator(name) // the config was checked
	draws := w.Plan.Config.Evaluation.Draws
	n := e.Estimates(draws)
	parts := []string{"estimates", fmt.Sprint(estimate.Version), w.environment.ExtractionKey(), name, fmt.Sprint(n)}
	volatile := func() bool { return false }
	if e.IsOwn() {
		o := w.ownEstimator(e)
		settings, stored, err := w.programs.settings(&o.Command)
		if err != nil {
			return nil, 0, false, err
		}
		parts = append(parts, settings)
		volatile = func() bool { return !stored || w.unsteady(o.Key()) }
	}
	for i, image := range w.Source.Images {
		if parts = append(parts, image.Digest); i > 0 {
			parts = append(parts, of[i].Identity())
		}
	}
	key := unitfile.Key(parts...)
	found = make([][]matching.EstimateError, len(of))
	if !volatile() {
		all, seconds, err := unitfile.Estimates.Cached(w.cache, key)
		if err == nil && len(all) == n*(len(of)-1) {
			for i := range all {
				all[i].Estimator = name
				found[1+i/n] = append(found[1+i/n], all[i])
			}
			return found, time.Duration(seconds * float64(time.Second)), true, nil
		}
		w.noteMiss(err)
	}
	var spent atomic.Int64
	err = w.EachPair(ctx, func(i int) (err error) {
		start := time.Now()
		if found[i], err = of[i].Errors(name, draws, w.Estimate); err != nil {
			return fmt.Errorf("%s: images 1 and %d: %w", w.Source.Name, i+1, err)
		}
		spent.Add(int64(time.Since(start)))
		return nil
	})
	if took = time.Duration(spent.Load()); err == nil && !volatile() {
		if err := unitfile.Estimates.Put(w.cache, key, slices.Concat(found...), took.Seconds()); err != nil { // such as a cache that one may only read
			w.programs.warn("uncached estimates", "errors of estimates cannot be cached", "reason", err)
		}
	}
	return found, took, false, err
}

func (w *Scene) ownEstimator(e matching.Estimator) *config.OwnEstimator {
	own := w.Plan.Config.Evaluation.OwnEstimators
	return &own[slices.IndexFunc(own, func(o config.OwnEstimator) bool { return o.Name == e.Own })] // the config was checked
}

// Estimate calls the program of an own estimator for images of the scene.
func (w *Scene) Estimate(r estimate.Request) (estimate.Estimate, error) {
	o := w.ownEstimator(r.Estimator)
	settings, _, err := w.programs.settings(&o.Command)
	if err != nil {
		return estimate.Estimate{}, err
	}
	found, _, err := Repetition[estimate.Estimate]{
		Command: &o.Command, settings: settings, of: fmt.Sprint(w.Source.Digest, r.K, r.Estimator, r.Number), free: func() {},
		Compute: func() (estimate.Estimate, time.Duration, error) {
			return w.call(&o.Command, 0, r.K-1).estimate(r)
		},
		Differs: func(was, is estimate.Estimate) string {
			if was == is {
				return ""
			}
			return fmt.Sprintf("an estimate from %d matches", len(r.Src))
		},
	}.computed(w.Stage)
	return found, err
}

// estimate returns what a program finds from the matches of two images.
func (c call) estimate(r estimate.Request) (out estimate.Estimate, took time.Duration, err error) {
	pose := r.Estimator.Pose()
	fields := map[string]any{"of": "homography", "threshold_px": r.Estimator.ThresholdPx, "seed": r.Number, "size0": r.Sizes[0], "size1": r.Sizes[1]}
	arrays := []child.Array{pointsArray("points0", r.Src), pointsArray("points1", r.Dst)}
	name, weights := "scores", r.Weights
	if weights == nil {
		name, weights = "distances", r.Distances
	}
	if !slices.ContainsFunc(weights, math.IsNaN) {
		var v []float32
		for _, weight := range weights {
			v = append(v, float32(weight))
		}
		arrays = append(arrays, child.Array{Name: name, Array: npz.Of(v, len(v))})
	}
	if pose {
		fields["of"] = "pose"
		for i, k := range []keypoints.Intrinsics{r.Cameras.First, r.Cameras.Other} {
			fields[fmt.Sprint("K", i)] = [3][3]float64{{k[0], 0, k[2]}, {0, k[1], k[3]}, {0, 0, 1}}
		}
	}
	maps.Copy(fields, c.fields)
	c.fields = fields
	archive, _, took, err := c.do(0, arrays...)
	if err != nil || !archive.Has("H") && !archive.Has("R") && !archive.Has("t") {
		return out, took, err
	}
	out.Found = true
	if pose {
		if err = finite(archive, "R", out.Pose.R[:]); err == nil {
			err = finite(archive, "t", out.Pose.T[:])
		}
		if err == nil {
			err = keypoints.Camera{Intrinsics: keypoints.Intrinsics{1, 1}, Pose: out.Pose}.Check()
		}
	} else if err = finite(archive, "H", out.Homography[:]); err == nil {
		if _, err = out.Homography.Inverse(); err != nil {
			err = fmt.Errorf("array H: %w", err)
		}
	}
	return out, took, c.wrong(err)
}

func pointsArray(name string, points []estimate.Point) child.Array {
	v := make([]float32, 0, 2*len(points))
	for _, p := range points {
		v = append(v, p.X, p.Y)
	}
	return child.Array{Name: name, Array: npz.Of(v, len(points), 2)}
}

// finite reads the numbers of an array into to.
func finite(archive *npz.Archive, name string, to []float64) error {
	a, err := archive.Array(name)
	if err != nil {
		return err
	}
	n := 1
	for _, size := range a.Shape {
		n *= size
	}
	if n != len(to) {
		return fmt.Errorf("%s: shape %s, want %s", name, a.ShapeString(), map[int]string{3: "(3,)", 9: "(3, 3)"}[len(to)])
	}
	return a.Each(func(i int, v float64) error {
		if to[i] = v; math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%s: found %v, want finite numbers", name, v)
		}
		return nil
	})
}

// tryEstimate lets a program estimate from exact matches.
func (c call) tryEstimate(cfg *config.Config) (got string, took time.Duration, err error) {
	k := keypoints.Intrinsics{500, 500, 320, 240}
	truth := keypoints.Pose{R: [9]float64{0.96, 0, 0.28, 0, 1, 0, -0.28, 0, 0.96}, T: [3]float64{-0.9, 0.3, 0.3}}
	plane := keypoints.Homography{0.9, 0.1, 20, -0.1, 1.1, 30, 1e-4, 2e-4, 1}
	r := estimate.Request{Cameras: keypoints.Cameras{First: k, Other: k}, K: 2, Sizes: [2][2]int{{640, 480}, {640, 480}}}
	var posed, flat []estimate.Point
	for i := range 100 {
		x, y, z := float64(32+64*(i%10)), float64(24+48*(i/10)), 4+float64(7*i%10)/2
		rx, ry := k.Ray(x, y)
		p := keypoints.Pose{T: [3]float64{rx * z, ry * z, z}} // of the point
		p = truth.After(p)
		r.Src = append(r.Src, estimate.Point{X: float32(x), Y: float32(y)})
		posed = append(posed, estimate.Point{X: float32(k[0]*p.T[0]/p.T[2] + k[2]), Y: float32(k[1]*p.T[1]/p.T[2] + k[3])})
		x, y = plane.Apply(x, y)
		flat = append(flat, estimate.Point{X: float32(x), Y: float32(y)})
	}
	r.Distances = make([]float64, len(r.Src))
	for _, name := range cfg.Evaluation.Estimators {
		e, _ := matching.ParseEstimator(name)
		if c.command.Key != (config.OwnEstimator{Name: e.Own}).Key() {
			continue
		}
		r.Estimator, r.Dst = e, flat
		if e.Pose() {
			r.Dst = posed
		}
		found, t, err := c.estimate(r)
		took += t
		if err != nil {
			return "", took, err
		}
		off, unit, want := estimate.CornerError(found.Homography, plane, 640, 480), " px", "H that maps points0 to points1"
		if e.Pose() {
			off, unit, want = math.Max(estimate.PoseErrors(found.Pose, truth)), "°", "R and t from the coordinates of camera 0 to those of camera 1: x1 = R·x0 + t"
		}
		if got != "" {
			got += ", "
		}
		switch {
		case !found.Found:
			return "", took, c.wrong(fmt.Errorf("%s: nothing, from %d exact matches; want %s", name, len(r.Src), want))
		case !(off <= 5):
			return "", took, c.wrong(fmt.Errorf("%s: off by %.3g%s, from %d exact matches; want %s", name, off, unit, len(r.Src), want))
		}
		got += fmt.Sprintf("%s off by %.2g%s, from %d exact matches", name, off, unit, len(r.Src))
	}
	return got, took, nil
}
