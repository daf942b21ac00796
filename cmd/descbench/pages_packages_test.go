package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"descbench/eval/must"
)

const packagesSection = "Methods and estimators of packages"

// The reference calls the packages itself, for matches that it finds itself.
func TestEstimatorsOfPackagesGiveTheFiguresOfGlueFactorysLoop(t *testing.T) {
	bin := withPython(t, "numpy", "cv2", "poselib", "pycolmap")
	work := checkoutLike(t)
	scenes, err := filepath.Abs(filepath.Join(checkout, "../shared/data/hpatches-sequences"))
	if must.Do(t, err); os.Getenv("DESCBENCH_REAL_DATA") != "" {
		scenes = filepath.Join(os.Getenv("DESCBENCH_REAL_DATA"), "hpatches-sequences")
	}
	if _, err := os.Stat(scenes); err != nil {
		scenes = "testdata/scenes"
	}
	scripts := must.Get(filepath.Abs(filepath.Join(checkout, "pipeline/testdata/space")))(t)
	const config = `
experiment: {name: %s}
dataset: {root: %s, %s}
keypoint_sets: [{name: points, detect: {type: sift, nfeatures: 600}, border: 0}]
descriptors: [{name: sift, type: sift, keypoints: points}]
evaluation:
  estimators: [%s]
  estimator_draws: 1
  pose_draws: 1
  own_estimators:
    - {name: poselib, run: [python3, -m, descbench, poselib]}
    - {name: pycolmap, run: [python3, -m, descbench, pycolmap]}
output: {root: runs}
`
	write(t, filepath.Join(work, "planes.yaml"), fmt.Sprintf(config, "planes", scenes, "subset: all", "own_homography_poselib_wh, own_homography_poselib_0.5px_wh, own_homography_pycolmap_wh"))
	write(t, filepath.Join(work, "rooms.yaml"), fmt.Sprintf(config, "rooms", "rooms", "pairs: rooms/pairs_with_gt.txt", "own_pose_poselib_2px, own_pose_pycolmap"))
	shell(t, work, bin, "descbench bridge python > descbench.py\npython3 "+scripts+`/rooms.py rooms --places 1 --views 4 --pairs 5
for run in planes rooms; do descbench run $run.yaml --quiet; descbench descriptors export runs/$run --descriptor sift --out features_$run --quiet; done
`)
	for _, c := range []struct{ run, estimator, metric, limits, arguments string }{
		{"planes", "own_homography_poselib_wh", "homography_auc", "1 3 5", "poselib 3 features_planes " + scenes},
		{"planes", "own_homography_poselib_0.5px_wh", "homography_auc", "1 3 5", "poselib 0.5 features_planes " + scenes},
		{"planes", "own_homography_pycolmap_wh", "homography_auc", "1 3 5", "pycolmap 3 features_planes " + scenes},
		{"rooms", "own_pose_poselib_2px", "pose_auc", "5 10 20", "poselib 2 features_rooms rooms/pairs_with_gt.txt"},
		{"rooms", "own_pose_pycolmap", "pose_auc", "5 10 20", "pycolmap 1 features_rooms rooms/pairs_with_gt.txt"},
	} {
		out := shell(t, work, bin, "python3 "+scripts+"/gluefactory.py "+c.arguments)
		figures, got := strings.Fields(out), matchFigures(t, work, "runs/"+c.run, "sift")
		for i, limit := range strings.Fields(c.limits) {
			name := c.estimator + "_" + c.metric + "@" + limit
			want, value := must.Get(strconv.ParseFloat(figures[i+1], 64))(t), must.Get(strconv.ParseFloat(got[name], 64))(t)
			if !(math.Abs(100*value-want) < 1e-6) || !(want > 0) {
				t.Errorf("%s: %v, want %v, of %s pairs", name, 100*value, want, figures[0])
			}
		}
	}
}

func TestEstimatorsOfPackagesRunAsThePageSays(t *testing.T) {
	bin := withPython(t, "numpy", "poselib", "pycolmap", "pydegensac")
	work, commands := functions(t, functionsPage, packagesSection)
	commands, _, _ = strings.Cut(commands, "descbench run hubs.yaml")
	shell(t, work, bin, commands+`descbench doctor packages.yaml > told
grep -q 'estimate poselib [0-9.]*: .* own_homography_poselib off by .*e-0. px, from 100 exact' told
grep -q 'own_homography_pycolmap_1px off by .*e-0. px' told; grep -q 'own_homography_pydegensac off by .*e-0. px' told
grep -q '"version": "'$(python3 -c 'import importlib.metadata as m; print(m.version("poselib"))')'"' runs/packages/environment.json
descbench results runs/packages --notes | tr -s '\n ' ' ' > told
grep -q 'pydegensac draws its samples by the clock: the next run has other values' told
grep -q 'computed by poselib [0-9.]* computed by pycolmap [0-9.]* ' told
! grep -q 'files of the program' told
`)
}

// The truths are OpenCV's SIFT and ORB with the matches that vismatch's source describes, and TFeat as kornia makes it
// from the seed.
func TestMethodsOfHubsRunAsThePageSays(t *testing.T) {
	python := os.Getenv("DESCBENCH_TEST_HUBS")
	if python == "" {
		t.Skip("DESCBENCH_TEST_HUBS names no Python with vismatch and easy-local-features; make test-python HUBS=1 makes one")
	}
	t.Setenv("DESCBENCH_TEST_PYTHON", python)
	t.Setenv("HF_HUB_OFFLINE", "1")
	bin := withPython(t, "numpy", "vismatch", "easy_local_features")
	work, commands := functions(t, functionsPage, packagesSection)
	_, commands, _ = strings.Cut(commands, "descbench run hubs.yaml")
	write(t, filepath.Join(work, "direct.py"), `
import cv2, kornia, numpy as np, torch
import descbench
from easy_local_features.utils import ops

@descbench.match(version="1")
def ratio(a, b):
    sift = cv2.SIFT_create(2048)
    gray = [cv2.normalize(cv2.cvtColor(np.float32(v.image) / 255, cv2.COLOR_RGB2GRAY), None, 0, 255, cv2.NORM_MINMAX).astype("uint8") for v in (a, b)]
    (k0, d0), (k1, d1) = (sift.detectAndCompute(g, None) for g in gray)
    good = [m for m, n in cv2.BFMatcher().knnMatch(d0, d1, 2) if m.distance < .75 * n.distance]
    return {"keypoints0": np.array([k0[m.queryIdx].pt for m in good]), "keypoints1": np.array([k1[m.trainIdx].pt for m in good])}

torch.manual_seed(0)
net = kornia.feature.TFeat(False)

@descbench.describe(version="1")
def tfeat(image, keypoints):
    gray = torch.from_numpy(np.float32(image) / 255).permute(2, 0, 1).mean(0, keepdim=True)[None]
    with torch.no_grad():
        return net(ops.crop_patches(gray, torch.from_numpy(keypoints[None, :, :2].copy()), 32)[0])

@descbench.detect(version="1")
def orb(image):
    gray = (torch.from_numpy(np.float32(image) / 255).permute(2, 0, 1).mean(0).numpy() * 255).astype("uint8")
    points, rows = cv2.ORB_create(nfeatures=2048, scoreType=cv2.ORB_HARRIS_SCORE, fastThreshold=20).detectAndCompute(gray, None)
    return np.array([p.pt for p in points]), np.float32(rows)

descbench.serve()
`)
	shell(t, work, bin, `descbench bridge python > descbench.py
sed -i '/name: tfeat/a \  - {name: orb, type: command, run: [python3, -m, descbench, easy-local-features, orb], operation: detect}' hubs.yaml
sed 's/name: hubs/name: direct/; s/python3, -m.*sift-nn\]/python3, direct.py]/; s/python3, -m.*tfeat\]/python3, direct.py]/; s/python3, -m.*orb\]/python3, direct.py]/' hubs.yaml > direct.yaml
descbench doctor hubs.yaml --set dataset.scenes=v_synth_001 >&2
`+"descbench run hubs.yaml"+commands+`
descbench run direct.yaml --set dataset.scenes=v_synth_001 --quiet
! grep direct.py hubs.yaml && test $(grep -c direct.py direct.yaml) = 3
grep -q '"version": "vismatch [0-9.]*, torch ' runs/hubs/environment.json
`)
	for _, name := range []string{"sift-nn", "tfeat", "orb"} {
		got, want := matchFigures(t, work, "runs/hubs", name), matchFigures(t, work, "runs/direct", name)
		if len(want) == 0 || got["mma@3"] != want["mma@3"] || got["matches_per_pair"] != want["matches_per_pair"] || got["true_map_micro"] != want["true_map_micro"] {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}
