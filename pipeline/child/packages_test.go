package child_test

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"descbench/eval/must"
	"descbench/pipeline/child"
	"descbench/pipeline/files/npz"
)

// packages returns a Python with the packages. It skips the test if there is none, unless make test-python names it.
func packages(t *testing.T, names ...string) string {
	t.Helper()
	name, required := "python3", os.Getenv("DESCBENCH_TEST_PYTHON")
	if required != "" {
		name = required
	}
	if err := exec.Command(name, "-c", "import "+strings.Join(append(names, "numpy"), ", ")).Run(); err != nil {
		if required != "" {
			t.Fatalf("%s lacks one of %s: %v", name, names, err)
		}
		t.Skipf("%s lacks one of %s; make test-python has them", name, names)
	}
	return name
}

// served returns descbench.py with arguments, after a line of Python.
func served(t *testing.T, python, before string, arguments ...string) *child.Pool {
	t.Helper()
	argv := append([]string{python, "-c", before + "\nimport runpy, sys; sys.argv[0] = 'descbench'; runpy.run_module('descbench', run_name='__main__')"}, arguments...)
	p := child.New(t.Context(), child.Command{Argv: argv, Timeout: time.Minute, Instances: 1})
	t.Cleanup(func() { p.Close() })
	return p
}

// By hand, at a temperature of 1: the cosines 1 and 0 of the first row have the softmax e/(1+e) and
// 1/(1+e) in both directions, so that the score of the better one is (e/(1+e))² = 0.5344. At 0.1, the score is (1/(1+e⁻¹⁰))², and all of it is above 0.6.
func TestDualSoftmaxMultipliesBothSoftmaxes(t *testing.T) {
	python := packages(t)
	image := child.Array{Name: "image0", Array: npz.Of([]byte{0, 0, 0}, 1, 1, 3)}
	other := image
	other.Name = "image1"
	arrays := []child.Array{
		image, other, {Name: "keypoints0", Array: npz.Of(make([]float32, 8), 2, 4)}, {Name: "keypoints1", Array: npz.Of(make([]float32, 8), 2, 4)},
		{Name: "descriptors0", Array: npz.Of([]float32{1, 0, 0, 1}, 2, 2)}, {Name: "descriptors1", Array: npz.Of([]float32{0, 1, 1, 0}, 2, 2)},
	}
	for _, c := range []struct {
		temperature string
		rows        []float64
		score       float64
	}{
		{"1", []float64{-1, -1}, math.Pow(math.E/(1+math.E), 2)},
		{"0.1", []float64{1, 0}, math.Pow(1/(1+math.Exp(-10)), 2)},
	} {
		reply, _, err := served(t, python, "", "dual-softmax", "--temperature", c.temperature, "--min-score", "0.6").Call(child.Request{
			Operation: "match", Function: "dual_softmax", Most: 1 << 20, Fields: map[string]any{"scene": "s", "image0": "1", "image1": "2"}, Arrays: arrays,
		})
		must.Do(t, err)
		arrays := must.Get(npz.FromArrays(reply...))(t)
		rows, scores := must.Get(arrays.Numbers("matches0"))(t), must.Get(arrays.Numbers("scores"))(t)
		for i, want := range c.rows {
			if rows[i] != want || math.Abs(scores[i]-c.score) > 1e-6 {
				t.Errorf("temperature %s, row %d: %v with %v, want %v with %v", c.temperature, i, rows[i], scores[i], want, c.score)
			}
		}
	}
}

// The script makes matches with outliers, prints them, and what the packages find in them when they are called.
const direct = `
import json, sys
import numpy as np, poselib, pycolmap
random = np.random.default_rng(5)
K, R, t = np.array([[500, 0, 320], [0, 510, 240], [0, 0, 1.]]), np.array([[.96, 0, .28], [0, 1, 0], [-.28, 0, .96]]), np.array([-.9, .3, .3])
X = random.uniform([-2, -2, 4], [2, 2, 8], (200, 3))
H = np.array([[.9, .1, 20], [-.1, 1.1, 30], [1e-4, 2e-4, 1]])
pixels = lambda p: p[:, :2] / p[:, 2:]
a = np.float32(pixels(X @ K.T))
b = {"pose": pixels((X @ R.T + t) @ K.T), "homography": pixels(np.c_[a, np.ones(200)] @ H.T)}
for of in b:
    b[of] += random.normal(0, .5, (200, 2))
    b[of][:80] = random.uniform(0, 480, (80, 2))
    b[of] = np.float32(b[of])
camera = {"model": "PINHOLE", "width": 640, "height": 480, "params": [500, 510, 320, 240]}
found = {}
for seed in (0, 7):
    found["poselib homography %d" % seed] = poselib.estimate_homography(a, b["homography"], {"max_reproj_error": 2, "min_iterations": 50, "seed": seed}, {})[0]
    pose = poselib.estimate_relative_pose(a, b["pose"], camera, camera, {"max_epipolar_error": 2, "min_iterations": 50, "seed": seed}, {})[0]
    found["poselib pose %d" % seed] = np.c_[pose.R, pose.t]
    options = pycolmap.RANSACOptions(max_error=2, random_seed=seed, min_num_trials=50)
    found["pycolmap homography %d" % seed] = pycolmap.estimate_homography_matrix(a, b["homography"], options)["H"]
    two, rows, c = pycolmap.TwoViewGeometryOptions(), np.stack([np.arange(200)] * 2, 1), pycolmap.Camera(**camera)
    two.compute_relative_pose, two.ransac.max_error, two.ransac.random_seed, two.ransac.min_num_trials = True, 2, seed, 50
    found["pycolmap pose %d" % seed] = pycolmap.estimate_calibrated_two_view_geometry(c, a, c, b["pose"], rows, two).cam2_from_cam1.matrix()
print(json.dumps({"a": a.ravel().tolist(), "b": {k: v.ravel().tolist() for k, v in b.items()}, "found": {k: v.ravel().tolist() for k, v in found.items()}}))
`

// estimate asks for an estimate from matches a and b, and returns the arrays of the reply.
func estimated(t *testing.T, p *child.Pool, name, of string, seed int, threshold float64, a, b []float32) *npz.Archive {
	t.Helper()
	k := [3][3]float64{{500, 0, 320}, {0, 510, 240}, {0, 0, 1}}
	fields := map[string]any{"of": of, "threshold_px": threshold, "seed": seed, "size0": [2]int{640, 480}, "size1": [2]int{640, 480}}
	if of == "pose" {
		fields["K0"], fields["K1"] = k, k
	}
	reply, _, err := p.Call(child.Request{Operation: "estimate", Function: name, Fields: fields, Most: 1 << 20, Arrays: []child.Array{
		{Name: "points0", Array: npz.Of(a, len(a)/2, 2)}, {Name: "points1", Array: npz.Of(b, len(b)/2, 2)},
	}})
	must.Do(t, err)
	return must.Get(npz.FromArrays(reply...))(t)
}

func TestEstimatorsOfPackagesFindWhatThePackagesFind(t *testing.T) {
	python := packages(t, "poselib", "pycolmap", "pydegensac")
	var truth struct {
		A        []float32
		B, Found map[string][]float64
	}
	must.Do(t, json.Unmarshal(must.Get(exec.Command(python, "-c", direct).Output())(t), &truth))
	options := map[string]string{"poselib": "--min_iterations", "pycolmap": "--min_num_trials"}
	pools := map[string]*child.Pool{"pydegensac": served(t, python, "", "pydegensac")}
	for name, option := range options {
		pools[name] = served(t, python, "", name, option, "50")
	}
	points := func(of string) (b []float32) {
		for _, v := range truth.B[of] {
			b = append(b, float32(v))
		}
		return b
	}
	for key, want := range truth.Found {
		words := strings.Fields(key)
		seed := map[string]int{"0": 0, "7": 7}[words[2]]
		reply := estimated(t, pools[words[0]], words[0], words[1], seed, 2, truth.A, points(words[1]))
		got, arrays := make([]float64, len(want)), map[string]int{"H": 3}
		if words[1] == "pose" {
			arrays = map[string]int{"R": 3, "t": 1}
		}
		for name, columns := range arrays {
			array := must.Get(reply.Array(name))(t)
			must.Do(t, array.Each(func(i int, v float64) error {
				if words[1] == "homography" {
					got[i] = v
				} else {
					got[i/columns*4+i%columns+3*(3-columns)/2] = v
				}
				return nil
			}))
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-12*math.Abs(want[i]) { // pycolmap makes R from a quaternion again
				t.Errorf("%s: %v, want %v", key, got, want)
				break
			}
		}
	}

	// Samples by the clock: corners, outside of the points, stay within 6 px over 20 calls, for noise of 0.5 px.
	at := func(h []float64, x, y float64) (float64, float64) {
		w := h[6]*x + h[7]*y + h[8]
		return (h[0]*x + h[1]*y + h[2]) / w, (h[3]*x + h[4]*y + h[5]) / w
	}
	for range 20 {
		var h []float64
		array := must.Get(estimated(t, pools["pydegensac"], "pydegensac", "homography", 0, 2, truth.A, points("homography")).Array("H"))(t)
		must.Do(t, array.Each(func(_ int, v float64) error { h = append(h, v); return nil }))
		for _, corner := range [][2]float64{{0, 0}, {640, 0}, {640, 480}, {0, 480}} {
			x, y := at(h, corner[0], corner[1])
			wantX, wantY := at([]float64{.9, .1, 20, -.1, 1.1, 30, 1e-4, 2e-4, 1}, corner[0], corner[1])
			if d := math.Hypot(x-wantX, y-wantY); !(d < 6) {
				t.Errorf("pydegensac: corner %v is off by %v px", corner, d)
			}
		}
	}

	// No inlier is no estimate.
	for name, p := range pools {
		for _, of := range []string{"homography", "pose"} {
			if name == "pydegensac" && of == "pose" {
				continue
			}
			a := []float32{10, 10, 600, 30, 500, 400, 20, 470, 300, 50, 77, 300, 431, 203}
			b := []float32{300, 10, 20, 400, 333, 60, 123, 45, 500, 477, 30, 30, 222, 111}
			if reply := estimated(t, p, name, of, 0, 1e-30, a, b); reply.Has("H") || reply.Has("R") {
				t.Errorf("%s %s of matches without an inlier: found one", name, of)
			}
		}
	}
	_, _, err := pools["pydegensac"].Call(child.Request{Operation: "estimate", Function: "pydegensac", Most: 1 << 20, Fields: map[string]any{"of": "pose", "threshold_px": 1, "seed": 0, "size0": [2]int{1, 1}, "size1": [2]int{1, 1}}, Arrays: []child.Array{
		{Name: "points0", Array: npz.Of(truth.A, 200, 2)}, {Name: "points1", Array: npz.Of(truth.A, 200, 2)},
	}})
	must.FailAbout(t, err, "pydegensac estimates homographies and fundamental matrices, no poses")
}

// The packages of the second part exist nowhere: their modules have only what is asked before a method is made.
func TestAMissingPackageOrMethodIsNamed(t *testing.T) {
	python := packages(t)
	const missing = "import importlib.metadata as m\ndef version(name): raise m.PackageNotFoundError\nm.version = version"
	const there = "import importlib.metadata as m, sys, types\nm.version = lambda name: '1.0'\nv, e, sys.modules['torch'] = (types.ModuleType(n) for n in ('vismatch', 'easy_local_features', 'torch'))\n" +
		"v.available_models, e.available_methods = ['sift-nn', 'xfeat'], ['sosnet', 'lightglue']\nsys.modules['vismatch'], sys.modules['easy_local_features'] = v, e"
	for arguments, want := range map[string]string{
		"poselib":                   " has no poselib: pip install poselib, or begin run with the path of a Python that has it",
		"pycolmap":                  " has no pycolmap: pip install pycolmap, ",
		"vismatch sift-nn":          " has no vismatch: pip install vismatch, ",
		"easy-local-features x":     " has no easy-local-features: pip install easy-local-features, ",
		"vismatch sift_nn":          "vismatch 1.0 has no method sift_nn, did you mean sift-nn?",
		"easy-local-features sonet": "easy-local-features 1.0 has no method sonet, did you mean sosnet?",
		"poselib --iterations 9":    "unrecognized arguments: --iterations 9",
	} {
		before := missing
		if strings.Contains(want, "1.0") {
			before = there
		}
		_, err := served(t, python, before, strings.Fields(arguments)...).Hello()
		must.FailAbout(t, err, want)
	}
}
