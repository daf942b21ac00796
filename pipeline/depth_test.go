package pipeline_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"testing"

	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/pipeline"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

func TestTruthThroughDepthOfRealFramesIsThatOfTheNumPyReference(t *testing.T) {
	const shared = "../../shared/data/space"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the Kinect pair and the living room are not in " + shared)
	}
	script, scenes := spaceScripts(t), filepath.Join(t.TempDir(), "scenes")
	script(t, "depth.py", "real", shared, scenes)
	compareDepth(t, script, scenes)
}

// compareDepth compares the truth through depth of scenes with that of a reference. It detects and describes
// keypoints, which the program imports, and computes everything else from the same images, cameras and depth.
func compareDepth(t *testing.T, script spaceScript, scenes string) {
	dir := t.TempDir()
	var want struct {
		Pairs   map[string]map[string]int
		Near    int // keypoints so near to a limit that programs may differ
		Metrics map[string]float64
	}
	must.Do(t, json.Unmarshal([]byte(script(t, "depth.py", "judge", scenes, filepath.Join(dir, "features"))), &want))
	file := filepath.Join(dir, "depth.yaml")
	must.Do(t, os.WriteFile(file, []byte(`
experiment: {name: depth}
dataset: {root: `+scenes+`}
keypoint_sets: [{name: s, import: {path: "features/{scene}/{image}.npz"}}]
descriptors: [{name: d, type: file, path: "features/{scene}/{image}.npz", keypoints: s, root: none, normalize: none}]
evaluation: {estimators: []}
output: {root: runs}
`), 0o666))
	cfg := must.Get(config.Load(file, config.Overrides{}))(t)
	outcome := must.Get(pipeline.Run(t.Context(), cfg, plan.Options{Jobs: 2, CacheDir: filepath.Join(dir, "cache"), Log: slog.New(slog.DiscardHandler)}))(t)
	folder := plan.Folder(cfg.Output.Root + "/depth")
	units := must.Get(folder.Units(must.Get(folder.Plan())(t)))(t)
	off, pairs := 0, 0
	for _, scene := range units.Plan.Scenes {
		for _, r := range must.Get(fold.Records(units, "d", scene))(t) {
			pairs++
			p := r.Pair
			got := map[string]int{"visible_k": int(p.SharedK), "unknown_k": int(p.KeypointsK - p.KnownK), "repeated": int(p.Repeated1), "repeated_k": int(p.RepeatedK)}
			for _, q := range r.Queries {
				got[string(q.State)]++
				count := func(name string, is bool) {
					if is {
						got[name]++
					}
				}
				known := q.State != keypoints.Unknown
				count("truths", known && q.TruthError <= 3)
				count("matches", q.Mutual)
				count("judged", q.Mutual && known)
				count("correct", q.Mutual && known && q.NearestError <= 3)
				count("partners", q.Partner >= 0)
			}
			if got["visible"] != int(p.Shared1) || got["unknown"] != int(p.Keypoints1-p.Known1) {
				t.Errorf("%s: %v, but the record of the pair has %d visible and %d known", p.Scene, got, p.Shared1, p.Known1)
			}
			name := fmt.Sprintf("%s %d", p.Scene, p.K)
			for what, n := range want.Pairs[name] {
				if d := got[what] - n; d != 0 {
					off += max(d, -d)
					t.Logf("%s: %s is %d, want %d", name, what, got[what], n)
				}
			}
		}
	}
	if pairs != len(want.Pairs) || pairs < 5 {
		t.Errorf("%d pairs, want %d", pairs, len(want.Pairs))
	}
	if off > want.Near {
		t.Errorf("counts differ by %d in all, of %d keypoints near a limit", off, want.Near)
	}
	for name, value := range want.Metrics {
		got, found := outcome.Summary.Descriptors[0].Metrics.Get(name)
		if !found || off == 0 && !(math.Abs(got-value) <= 1e-9) {
			t.Errorf("%s is %v (%v), want %v", name, got, found, value)
		}
	}
}
