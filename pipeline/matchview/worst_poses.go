package matchview

import (
	"cmp"
	"context"
	"math"
	"slices"

	"descbench/eval/matching"
	"descbench/eval/scope"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/report/table"
)

// A badPose is a pair with the error of the pose that the first estimator of the run finds, the mean
// of several estimates. It is infinite without a pose.
type badPose struct {
	system                *fold.System
	scene                 string
	k                     int
	rotation, translation float64 // degrees
	matches               float64
}

// largest returns the error of the pose.
func (p badPose) largest() float64 { return max(p.rotation, p.translation) }

// ofPoses reports whether all systems are judged by poses.
func (w WorstOf) ofPoses() bool {
	return !slices.ContainsFunc(w.Systems, func(s *fold.System) bool { return poseEstimator(s) == "" })
}

// poseEstimator returns the first estimator of poses of a system's run, "" without one.
func poseEstimator(s *fold.System) string {
	if _, poses := matching.ByKind(s.Run.Config.Evaluation.Estimators); poses != nil {
		return poses[0]
	}
	return ""
}

func worstPoses(_ context.Context, w WorstOf) (*table.Table, error) {
	if w.By != "pair" {
		return nil, &config.Error{File: "--by " + w.By, Msg: "poses are of pairs: want --by pair"}
	}
	var poses []badPose
	for _, s := range w.Systems {
		matches := make(map[string]float64)
		err := s.Run.EachMetric(func(descriptor string, m scope.Metric) {
			if descriptor == s.Descriptor && m.Name == "matches_per_pair" {
				matches[m.Scope] = m.Value
			}
		})
		if err != nil {
			return nil, err
		}
		pairs, err := s.Run.PairRecords()
		if err != nil {
			return nil, err
		}
		for i := range pairs {
			p, n := &pairs[i], 0.0
			if p.Descriptor != s.Descriptor || !w.covers(s, p.Scene, int(p.K)) {
				continue
			}
			bad := badPose{system: s, scene: p.Scene, k: int(p.K), matches: matches[scope.PairName(p.Scene, int(p.K))]}
			for _, e := range matching.EstimateErrors(p) {
				if e.Estimator == poseEstimator(s) {
					bad.rotation, bad.translation, n = bad.rotation+e.Rotation, bad.translation+e.Translation, n+1
				}
			}
			bad.rotation, bad.translation = bad.rotation/n, bad.translation/n
			poses = append(poses, bad)
		}
	}
	slices.SortStableFunc(poses, func(a, b badPose) int { return cmp.Compare(b.largest(), a.largest()) })
	t := table.New(
		table.Titled("descriptor", table.Words, 0), table.Titled("scene", table.Words, 0), table.Titled("k", table.Count, 0),
		table.Column{Name: "rotation_error", Title: "rotation (°)", Unit: table.Measure}, table.Column{Name: "translation_error", Title: "translation (°)", Unit: table.Measure},
		table.Titled("matches", table.Count, 0),
	)
	t.Keys = 3
	failed := 0
	for _, p := range poses[:min(w.N, len(poses))] {
		if math.IsInf(p.largest(), 1) {
			failed++
			p.rotation, p.translation = math.NaN(), math.NaN()
		}
		t.Add(table.Text(p.system.Name), table.Text(p.scene), table.Integer(p.k), table.Number(p.rotation), table.Number(p.translation), table.Number(p.matches))
	}
	t.Title = w.title(len(t.Rows), len(poses), "with the largest pose errors ("+poseEstimator(w.Systems[0])+")")
	if failed > 0 {
		t.Note("undefined: no pose was found, which is worse than any")
	}
	return t, nil
}
