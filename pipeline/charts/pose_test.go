package charts

import (
	"math"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan/plantest"
	"descbench/pipeline/report/figure"
)

// The curve goes through the metrics of the run, also over several draws.
func TestPoseAUCIsThatOfTheMetrics(t *testing.T) {
	dir := t.TempDir()
	cfg := must.Get(config.Load("../../configs/poses.yaml", config.Overrides{Set: []string{"output.root=" + dir, "evaluation.pose_draws=2", "evaluation.estimators=essential", "keypoint_sets[sift_2k].top.per_image=200"}}))(t)
	must.Get(pipeline.Run(t.Context(), cfg, plantest.Options(t.TempDir())))(t)
	run := dir + "/poses"
	g, _ := chart[*figure.Graph](t, chartsOf(t, Options{}, run), "pose_essential")
	for i, s := range must.Get(fold.Open([]string{run}, nil))(t).Systems {
		for _, angle := range []int{5, 10, 20} {
			want := s.Value("all", map[int]string{5: "essential_pose_auc@5", 10: "essential_pose_auc@10", 20: "essential_pose_auc@20"}[angle])
			if p := g.Curves[i].Points[angle-1]; p.X != float64(angle) || math.Abs(p.Y-want) > 1e-12 {
				t.Errorf("%s: %v, want an AUC of %v", s.Name, p, want)
			}
		}
	}
}
