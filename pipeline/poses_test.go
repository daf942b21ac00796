package pipeline_test

import (
	"log/slog"
	"math"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline"
	"descbench/pipeline/config"
	"descbench/pipeline/files/npz"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

// A spaceScript runs a script of testdata/space and returns what it prints.
type spaceScript func(t *testing.T, name string, args ...string) string

func spaceScripts(t *testing.T) spaceScript {
	python := os.Getenv("DESCBENCH_TEST_PYTHON")
	if python == "" {
		if python = "python3"; exec.Command(python, "-c", "import cv2, numpy").Run() != nil {
			t.Skip("python3 has no cv2 and numpy, with which the rooms are rendered; make test-python has them")
		}
	}
	return func(t *testing.T, name string, args ...string) string {
		t.Helper()
		out, err := exec.Command(python, append([]string{filepath.Join("testdata/space", name)}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
}

// The reference of poses reads the same images, cameras and matches, and follows SuperGlue's evaluation.
func TestPosesAndTruthThroughDepthOfRoomsAreThoseOfTheNumPyReferences(t *testing.T) {
	run := spaceScripts(t)
	dir := t.TempDir()
	script := func(name string, args ...string) string { return run(t, name, args...) }
	script("rooms.py", filepath.Join(dir, "rooms"), "--places", "2", "--views", "6", "--pairs", "6", "--turned", "--depth")
	t.Run("depth", func(t *testing.T) { compareDepth(t, run, filepath.Join(dir, "rooms")) })
	list := filepath.Join(dir, "rooms/pairs_with_gt.txt")
	file := filepath.Join(dir, "poses.yaml")
	must.Do(t, os.WriteFile(file, []byte(`
experiment: {name: poses}
dataset: {root: rooms, pairs: rooms/pairs_with_gt.txt}
keypoint_sets: [{name: sift, detect: {type: sift, nfeatures: 600}}]
descriptors: [{name: sift, type: sift, keypoints: sift}]
evaluation: {estimators: [essential_superglue, essential_0.5px]}
output: {root: runs}
`), 0o666))
	cfg := must.Get(config.Load(file, config.Overrides{}))(t)
	outcome := must.Get(pipeline.Run(t.Context(), cfg, plan.Options{Jobs: 2, CacheDir: filepath.Join(dir, "cache"), Log: slog.New(slog.DiscardHandler)}))(t)
	folder := cfg.Output.Root + "/poses"
	units := must.Get(plan.Folder(folder).Units(must.Get(plan.Folder(folder).Plan())(t)))(t)
	must.Do(t, os.Mkdir(filepath.Join(dir, "matches"), 0o777))
	bare := func(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }
	for i, line := range strings.Split(strings.TrimSpace(string(must.Get(os.ReadFile(list))(t))), "\n") {
		names := strings.Fields(line)
		scene := path.Join(path.Dir(names[0]), bare(names[0])+"-"+bare(names[1]))
		records := must.Get(fold.Records(units, "sift", scene))(t)
		var first, other []float32
		var matches []int32
		for _, q := range records[0].Queries {
			if first = append(first, q.X, q.Y); q.Mutual {
				matches = append(matches, q.Row, int32(len(other)/2))
				other = append(other, q.NearestX, q.NearestY)
			}
		}
		out := must.Get(os.Create(filepath.Join(dir, "matches", strconv.Itoa(i)+".npz")))(t)
		must.Do(t, npz.WriteArchive(out, []npz.Member{
			npz.Of(first, len(first)/2, 2).Member("keypoints0"), npz.Of(other, len(other)/2, 2).Member("keypoints1"),
			npz.Of(matches, len(matches)/2, 2).Member("matches"),
		}, ""))
		must.Do(t, out.Close())
	}
	for estimator, options := range map[string][]string{
		"essential_superglue": {"--focal", "superglue"},
		"essential_0.5px":     {"--focal", "mean", "--threshold", "0.5"},
	} {
		printed := script("superglue.py", append([]string{list, filepath.Join(dir, "rooms"), "--matches", filepath.Join(dir, "matches"), "--resize", "-1"}, options...)...)
		compared := 0
		for line := range strings.Lines(printed) {
			name, number, _ := strings.Cut(strings.TrimSpace(line), " ")
			metric, known := map[string]string{
				"median_rotation_error": estimator + "_rotation_error_median", "median_translation_error": estimator + "_translation_error_median",
				"epipolar_precision@5e-4": "epipolar_precision@5e-4", "epipolar_precision_gluefactory@5e-4": "epipolar_error_precision@5e-4",
				"matching_score": "epipolar_matching_score@5e-4",
			}[name]
			if strings.HasPrefix(name, "pose_") {
				metric, known = estimator+"_"+name, true
			}
			if !known {
				continue
			}
			compared++
			scale := 100.0
			if strings.HasSuffix(metric, "_median") {
				scale = 1
			}
			want := must.Get(strconv.ParseFloat(number, 64))(t)
			got, found := outcome.Summary.Descriptors[0].Metrics.Get(metric)
			if !found || math.Abs(scale*got-want) > 1e-5 {
				t.Errorf("%s: %v (%v), want %v", metric, scale*got, found, want)
			}
		}
		if compared != 12 {
			t.Errorf("%d figures compared, want 12:\n%s", compared, printed)
		}
	}
}
