package features

import (
	"fmt"
	"log/slog"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"descbench/eval/matching"
	"descbench/eval/must"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/estimate"
)

// The program turns by 90°, to (width, focal length, 1), or moves by threshold and seed.
func TestEstimatesOfAProgramAreChecked(t *testing.T) {
	script := must.Get(filepath.Abs("../child/testdata/child.py"))(t)
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no Python 3")
	}
	k := keypoints.Intrinsics{700, 710, 320, 240}
	r := estimate.Request{
		Matches: estimate.Matches{Src: make([]estimate.Point, 9), Dst: make([]estimate.Point, 9)},
		Cameras: keypoints.Cameras{First: k, Other: k}, K: 2, Sizes: [2][2]int{{640, 480}, {800, 600}}, Number: 4,
	}
	const rotation = ": matrix R is not a rotation: R·Rᵀ differs from the identity by 0.21, want at most 0.001"
	for _, c := range []struct{ mode, estimator, want string }{
		{"good", "own_pose_a", "{true [0 0 0 0 0 0 0 0 0] {[0 -1 0 1 0 0 0 0 1] [800 700 1]}}"},
		{"good", "own_homography_a_2px", "{true [1 0 2 0 1 4 0 0 1] {[0 0 0 0 0 0 0 0 0] [0 0 0]}}"},
		{"none", "own_pose_a", "{false [0 0 0 0 0 0 0 0 0] {[0 0 0 0 0 0 0 0 0] [0 0 0]}}"},
		{"mirror", "own_pose_a", ": matrix R is a reflection (determinant -1), want a rotation"},
		{"skew", "own_pose_a", rotation},
		{"nan", "own_pose_a", ": R: found NaN, want finite numbers"},
		{"short", "own_pose_a", ": t: shape (1, 2), want (3,)"},
		{"singular", "own_homography_a", ": array H: "},
		{"error", "own_pose_a", ": ValueError: no such layer"},
	} {
		command := &config.Command{Key: "own", Run: []string{"python3", script, c.mode}, Operation: config.Estimate, Folder: t.TempDir(), Timeout: time.Minute, Instances: 1}
		p := newPrograms(slog.New(slog.DiscardHandler), nil)
		p.ctx = t.Context()
		var err error
		r.Estimator, err = matching.ParseEstimator(c.estimator)
		must.Do(t, err)
		found, _, err := call{programs: p, command: command}.estimate(r)
		p.close(nil)
		if got := fmt.Sprint(found); err == nil && got != c.want || err != nil && !strings.Contains(err.Error(), c.mode+c.want) && !strings.Contains(err.Error(), c.mode+": its reply"+c.want) {
			t.Errorf("%s: %s: got %s, error %v, want %s", c.mode, c.estimator, got, err, c.want)
		}
	}
}
