package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// functions returns a folder in which somebody has followed a section of the page on own
// functions, up to its commands, and these. They run over one scene.
func functions(t *testing.T, page, section string) (work, commands string) {
	t.Helper()
	blocks := sectionOf(t, page, section)
	work = followed(t, blocks)
	commands = shellBlocks(blocks)
	if !strings.Contains(commands, "bridge python") {
		commands = "descbench bridge python > descbench.py\n" + commands
	}
	const one = ".yaml --set dataset.scenes=v_synth_001"
	return work, strings.NewReplacer(".yaml\n", one+"\n", ".yaml --set", one+" --set").Replace(commands)
}

const functionsPage = "docs/own-functions.md"

func TestAFunctionInPythonIsComparedAsThePageSays(t *testing.T) {
	bin := withPython(t, "numpy")
	work, commands := functions(t, functionsPage, "A descriptor")
	shell(t, work, bin, commands)
	got := mAP(t, work, "mine", "mine")
	if got < 0.2 || mAP(t, work, "mine", "sift") == 0 {
		t.Errorf("mAP %v, want that of patches far above chance, and one of SIFT", got)
	}

	// A print does not disturb, and an exception is told with its line.
	write(t, filepath.Join(work, "mine.py"), strings.NewReplacer("import descbench\n", "import descbench\nprint('import')\n", "    gray =", "    print('call')\n    gray =").Replace(read(t, filepath.Join(work, "mine.py"))))
	shell(t, work, bin, "descbench run mine.yaml --set dataset.scenes=v_synth_001 --set experiment.name=prints --quiet\n")
	if again := mAP(t, work, "prints", "mine"); again != got {
		t.Errorf("mAP %v with prints, want %v", again, got)
	}
	write(t, filepath.Join(work, "mine.py"), strings.Replace(read(t, filepath.Join(work, "mine.py")), "image.mean(axis=2)", "image.mean(axis=3)", 1))
	shell(t, work, bin, "! descbench run mine.yaml --set dataset.scenes=v_synth_001 --set experiment.name=fails --quiet > told\n")
	if told := strings.Join(strings.Fields(read(t, filepath.Join(work, "told"))), " "); !strings.Contains(told, "v_synth_001/1.png: python3 mine.py: AxisError: axis 3 is out of bounds for array of dimension 3 (") {
		t.Errorf("it says\n%s", told)
	}
}

// The same function in Perl and in Python gives the same rows.
func TestAFunctionInPerlGivesTheRowsOfPython(t *testing.T) {
	bin := withPython(t, "numpy")
	if _, err := exec.LookPath("perl"); err != nil {
		t.Skip("no Perl")
	}
	work, commands := functions(t, "docs/protocol.md", "An example in Perl")
	write(t, filepath.Join(work, "colours.py"), `
import numpy as np
import descbench

@descbench.describe
def colours(image, keypoints):
    x, y = np.floor(keypoints[:, :2] + 0.5).astype(int).T
    return image[y, x].astype(np.float32)

descbench.serve()
`)
	shell(t, work, bin, commands+`descbench run colours.yaml --set dataset.scenes=v_synth_001 --set experiment.name=python --set descriptors[colours].run=python3,colours.py --set descriptors[colours].files=colours.py
descbench descriptors export runs/colours --descriptor colours --out perl
descbench descriptors export runs/python --descriptor colours --out python
test -s perl/v_synth_001/6.npz
diff -r perl python
`)
}

// The truth of ORB in OpenCV's Python is ORB here.
func TestADetectorInPythonIsMeasuredAsThePageSays(t *testing.T) {
	bin := withPython(t, "numpy", "cv2")
	work, commands := functions(t, functionsPage, "A detector")
	write(t, filepath.Join(work, "here.yaml"), `
experiment: {name: here}
dataset: {root: testdata/scenes}
keypoint_sets: [{name: points, detect: {type: orb, nfeatures: 500}}]
descriptors: [{name: orb, type: orb}]
output: {root: runs}
`)
	shell(t, work, bin, commands+"descbench run here.yaml --set dataset.scenes=v_synth_001\n")
	got, want := mAP(t, work, "orb", "orb"), mAP(t, work, "here", "orb")
	if want == 0 || got != want {
		t.Errorf("mAP %v of ORB in Python, want %v", got, want)
	}

	// OpenCV's own objects are answered with what to return.
	const cure = "np.array([(*p.pt, p.size, p.angle) for p in points])"
	write(t, filepath.Join(work, "orb.py"), strings.Replace(read(t, filepath.Join(work, "orb.py")), cure, "points", 1))
	shell(t, work, bin, "! descbench run orb.yaml --set dataset.scenes=v_synth_001 --set experiment.name=objects --quiet > told\n")
	if told := strings.Join(strings.Fields(read(t, filepath.Join(work, "told"))), " "); !strings.Contains(told, "ValueError: keypoints: objects of type KeyPoint, want "+cure+" (orb.py, line ") {
		t.Errorf("it says\n%s", told)
	}
}

// The network of the page, exported as ONNX by PyTorch, gives the same rows.
func TestAPatchNetworkInPyTorchGivesTheRowsOfItsExport(t *testing.T) {
	bin := withPython(t, "numpy", "torch", "onnxruntime")
	work, commands := functions(t, functionsPage, "A patch network")
	write(t, filepath.Join(work, "export.py"), `
import torch
from net import net
torch.onnx.export(net.cpu().eval(), torch.zeros(64, 1, 32, 32), "net.onnx", opset_version=11)
`)
	write(t, filepath.Join(work, "compare.py"), `
import pathlib
import numpy as np
for path in sorted(pathlib.Path("torch").glob("*/*.npz")):
    a, b = np.load(path), np.load(pathlib.Path("onnx") / path.relative_to("torch"))
    assert np.array_equal(a["keypoints"], b["keypoints"])
    off = np.abs(a["descriptors"] - b["descriptors"]).max()
    assert a["descriptors"].shape[1] == 64 and np.abs(a["descriptors"]).max() > 0.1 and off < 1e-5, off
assert len(list(pathlib.Path("torch").glob("*/*.npz"))) == 6
`)
	shell(t, work, bin, commands+`python3 export.py
python3 - <<'END'
text = open("net.yaml").read().split("  - name: net\n")[0]
text += "  - {name: net, type: command, run: [python3, -m, descbench, onnx, net.onnx], operation: patches, normalize: none}\noutput: {root: runs}\n"
open("onnx.yaml", "w").write(text.replace("name: net}", "name: onnx}", 1))
END
descbench run net.yaml --set dataset.scenes=v_synth_001 --set experiment.name=torch --set descriptors[net].normalize=none
descbench run onnx.yaml --set dataset.scenes=v_synth_001
descbench descriptors export runs/torch --descriptor net --out torch
descbench descriptors export runs/onnx --descriptor net --out onnx
python3 compare.py
`)
}

// What the rows are is tested in package child.
func TestAnONNXFileRunsAsThePageSays(t *testing.T) {
	bin := withPython(t, "numpy", "onnxruntime")
	work, commands := functions(t, functionsPage, "An ONNX file")
	for name, network := range map[string]string{"net.onnx": "hardnet_opset18.onnx", "other.onnx": "hynet_opset11_batch4.onnx"} {
		write(t, filepath.Join(work, name), read(t, filepath.Join("..", "..", "pipeline", "child", "testdata", "networks", network)))
	}
	shell(t, work, bin, commands+`cp runs/onnx/metrics.csv first.csv
descbench run onnx.yaml --set dataset.scenes=v_synth_001 --overwrite --cache other --quiet
cmp first.csv runs/onnx/metrics.csv
descbench run onnx.yaml --set dataset.scenes=v_synth_001 | grep -q '0 computed'
descbench doctor onnx.yaml --set 'descriptors[net].patches={mean: 0.44, std: 0.2}' > told
grep -q 'warning: net: .*multiply mean and std by 255' told
cp other.onnx net.onnx
! descbench run onnx.yaml --set dataset.scenes=v_synth_001 2> told
grep -q 'net.onnx changed' told
descbench run onnx.yaml --set dataset.scenes=v_synth_001 --overwrite --quiet
! cmp -s first.csv runs/onnx/metrics.csv
descbench patches extract --keypoints onnx.yaml#points --scenes v_synth_001 --limit 20 --out strips
descbench patches describe --strips strips --out rows --name net --type command --set 'run=[python3, -m, descbench, onnx, net.onnx]' --set files=net.onnx --set operation=patches
test -s rows/net/v_synth_001/ref.csv
`)
	if net := mAP(t, work, "onnx", "net"); net < 0.1 || mAP(t, work, "onnx", "sift") == 0 {
		t.Errorf("mAP %v, want that of a network above chance, and one of SIFT", net)
	}
}

// The truth of mutual nearest neighbours found in Python is the search here.
func TestAMatcherInPythonIsMeasuredAsThePageSays(t *testing.T) {
	bin := withPython(t, "numpy")
	work, commands := functions(t, functionsPage, "A matcher")
	shell(t, work, bin, commands+`descbench results runs/nearest --columns mma@3,matches_per_pair --format csv > table
descbench doctor nearest.yaml > told
grep -Eq '([0-9]+) matches of an image of 352×264 px with itself, \1 of them correct' told
cp nearest.py mutual.py
sed -i 's/return .*/return forth/' nearest.py  # image 2 has fewer keypoints: only those of both sides are judged
descbench doctor nearest.yaml > told
grep -Eq 'with itself, ([0-9]+) of them of keypoints that both sides have, \1 of them correct' told
sed 's/return .*/return forth[mutual]/' mutual.py > nearest.py
! descbench doctor nearest.yaml > told
grep -q 'FAILED.*nearest.py: its reply: matches of [0-9]* keypoints, but .* want a row for each keypoint, -1 without a match; the pairs of accepted matches are the array matches' told
sed -i 's/return .*/return {"matches0": np.where(mutual, forth[::-1], -1)}/' nearest.py
! descbench doctor nearest.yaml > told
grep -Eq 'FAILED.*nearest.py: its reply: [0-9]+ matches of an image of 352×264 px with itself(, [0-9]+ of them of keypoints that both sides have)?, [0-9]+ of them correct; want nearly all' told
`)
	var rows [][]string
	for line := range strings.Lines(read(t, filepath.Join(work, "table"))) {
		rows = append(rows, strings.Split(strings.TrimSpace(line), ",")[1:])
	}
	if len(rows) != 3 || strings.Join(rows[1], ",") != strings.Join(rows[2], ",") || len(rows[1]) < 2 {
		t.Errorf("got %q, want equal figures of sift and nearest", rows)
	}
}

// The truth of features and matches in HDF5 files, of both projects' layouts, are those
// that they were written from, of images as they are, of half their size and cropped, with
// matched keypoints in the margins: both write positions in the stored image, hloc stores
// pairs in either order, and glue-factory counts them over all scenes. Matches by row number
// are the same in HDF5 and in .npz, with keypoints of either. Names may have a folder in front.
// Its errors are near those of OpenCV's RANSAC, which fits the same inliers, and are the same in each run. eval has
// them, but no others.
func TestAnEstimatorInPythonIsMeasuredAsThePageSays(t *testing.T) {
	bin := withPython(t, "numpy")
	work, commands := functions(t, functionsPage, "An estimator")
	shell(t, work, bin, commands+`descbench doctor estimator.yaml | grep -q 'own_homography_mine off by .*e-0. px, from 100 exact matches'
cp runs/estimator/metrics.csv first.csv
descbench run estimator.yaml --set dataset.scenes=v_synth_001 --overwrite --jobs 1 --cache elsewhere --quiet
cmp first.csv runs/estimator/metrics.csv
descbench eval runs/estimator --out again --set 'estimators=[own_homography_mine, dlt]'
descbench eval runs/estimator --out none --set 'estimators=[dlt]'
! grep own none/config.yaml
! descbench eval runs/estimator --out other --set 'evaluation.own_estimators[mine].run=[other]'
! descbench eval runs/estimator --out other --set matcher.ratio=0.8 2> told
grep -q "evaluation.estimators: the run's records have no estimates by these own functions from such matches" told
test ! -e other
sed -i 's/return fit.*/return np.zeros((3, 3))/' plane.py
descbench descriptors export runs/estimator --descriptor sift --out rows
! descbench run estimator.yaml --set dataset.scenes=v_synth_001 --set experiment.name=zeros --quiet > told 2>&1
grep -q 'its reply: array H: ' told
! descbench doctor estimator.yaml > told
grep -q 'its reply: array H: ' told
`)
}

// Estimates come from the cache for any run with the same matches, and with what they depend on changed, the function is
// called again.
func TestAnOwnEstimatorIsNotCalledAgainForTheSameMatches(t *testing.T) {
	bin := withPython(t, "numpy")
	work, _ := functions(t, functionsPage, "An estimator")
	source := strings.Replace(read(t, filepath.Join(work, "plane.py")), "def ransac(m):", "def ransac(m):\n    open('calls', 'a').write('x')\n   ", 1)
	write(t, filepath.Join(work, "plane.py"), source)
	shell(t, work, bin, `descbench bridge python > descbench.py
export DESCBENCH_CACHE="$PWD/cache"
run() { rm -f calls; descbench run estimator.yaml --set dataset.scenes=v_synth_001 --set 'evaluation.estimators=[ransac, own_homography_mine]' --quiet "$@"; }
same() { cmp first.csv runs/estimator/metrics.csv; cmp first.parquet runs/estimator/pairs.parquet; }
run
test -s calls
cp runs/estimator/metrics.csv first.csv
cp runs/estimator/pairs.parquet first.parquet
grep -q '^sift,v_synth_001,estimate,[^,]*,6,0,' runs/estimator/timing.csv
run --overwrite
test ! -e calls
same
grep -q '^sift,v_synth_001,estimate,[^,]*,6,6,' runs/estimator/timing.csv
run --set experiment.name=other --set 'evaluation.fixed_gallery={n: 20, seed: 1}'
test ! -e calls
for change in 'evaluation.estimators=[own_homography_mine_2px]' evaluation.matcher.ratio=0.8 evaluation.estimator_draws=2; do
	run --set "$change" --set experiment.name=changed --overwrite
	test -s calls
done
for entry in $(find "$DESCBENCH_CACHE" -path '*/estimates/*.npz'); do truncate -s 100 "$entry"; done
run --overwrite
test -s calls
same
sed -i 's/estimate(version="1")/estimate/' plane.py
sed -i 's/entry\["version"\] or 1/entry["version"] or ""/' descbench.py
run --overwrite
run --overwrite
test -s calls
cmp first.csv runs/estimator/metrics.csv
`)
}

// The function returns the true pose turned by 2° around the axis of camera 1: of one pair, the area up to 5° is that
// of (0, 0), (2, 1), (5, 1), 80 %. doctor refuses the inverse of a pose.
func TestAnOwnPoseIsOffByAKnownAngle(t *testing.T) {
	bin := withPython(t, "numpy")
	work := t.TempDir()
	write(t, filepath.Join(work, "scene.py"), `
import os
import numpy as np
os.makedirs("data/room")
for n in "12":
    open("data/room/%s.pgm" % n, "wb").write(b"P5 640 480 255\n" + np.random.default_rng(3).integers(0, 256, 640 * 480, np.uint8).tobytes())
cameras = ["1.pgm 1 0 0 0 1 0 0 0 1 0 0 0", "2.pgm 0.96 0 0.28 0 1 0 -0.28 0 0.96 -0.9 0.3 0.3"]
open("data/room/views.txt", "w").write("".join(c + " PINHOLE 640 480 500 510 320 240\n" for c in cameras))
`)
	write(t, filepath.Join(work, "pose.py"), `
import sys
import numpy as np
import descbench
R, t = np.array([[.96, 0, .28], [0, 1, 0], [-.28, 0, .96]]), np.array([-.9, .3, .3])

@descbench.match
def exact(a, b):
    points = np.random.default_rng(1).uniform([-.5, -.5, 4], [.5, .5, 8], (50, 3))
    x, y = (c[:, :2] / c[:, 2:] * (500, 510) + (320, 240) for c in (points, points @ R.T + t))
    return {"keypoints0": x, "keypoints1": y}

@descbench.estimate
def turned(m):
    assert m.of == "pose" and m.K0[1, 1] in (500, 510) and m.size1 == [640, 480] and m.distances is None or m.distances.max() == 0
    c, s = np.cos(np.radians(2)), np.sin(np.radians(2))
    if "inverse" in sys.argv:
        return R.T, -R.T @ t
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ R, 7 * t, "not read" and [True]

descbench.serve()
`)
	write(t, filepath.Join(work, "pose.yaml"), `
experiment: {name: pose}
dataset: {root: data}
descriptors:
  - {name: exact, type: command, operation: match, run: [python3, pose.py], files: [pose.py]}
evaluation:
  estimators: [essential, own_pose_turned]
  own_estimators:
    - {name: turned, run: [python3, pose.py], files: [pose.py], timeout: 9s}
output: {root: runs}
`)
	shell(t, work, bin, `descbench bridge python > descbench.py
python3 scene.py
descbench run pose.yaml --quiet
descbench results runs/pose --columns own_pose_turned_pose_auc@5,essential_pose_auc@5 --format csv > told
grep -q 'exact,.*80.00' told || grep -q 'exact,.*0\.8' told || (cat told; false)
! descbench doctor pose.yaml --set 'evaluation.own_estimators[turned].run=[python3,pose.py,inverse]' > told
grep -q 'own_pose_turned: off by .*°, from 100 exact matches; want R and t from' told || (cat told; false)
`)
}

func TestHDF5FilesAreServedAsThePageSays(t *testing.T) {
	bin := withPython(t, "numpy", "h5py")
	work, commands := functions(t, functionsPage, "Files of hloc and glue-factory")
	write(t, filepath.Join(work, "first.yaml"), `
experiment: {name: first}
dataset: {root: testdata/scenes, scenes: [v_synth_001]}
keypoint_sets: [{name: points, detect: {type: sift}, border: 40, top: {by: response, per_image: 300}}]
descriptors: [{name: sift, type: sift}]
output: {root: runs}
`)
	write(t, filepath.Join(work, "to_h5.py"), `
import h5py, numpy as np, pathlib, sys
s, left = float(sys.argv[1]), int(sys.argv[2])
pathlib.Path("stored/v_synth_001").mkdir(parents=True, exist_ok=True)
images = {p.stem: dict(np.load(p)) for p in pathlib.Path("exported/v_synth_001").glob("*.npz")}
def mutual(a, b):
    a, b = (x["descriptors"] / np.linalg.norm(x["descriptors"].astype(np.float32), axis=1, keepdims=True) for x in (a, b))
    s = a @ b.T
    j, i = s.argmax(1), s.argmax(0)
    m, p = np.where(i[j] == np.arange(len(j)), j, -1), s.max(1).clip(0, 1)
    return (np.append(0, np.where(m < 0, -1, m + 1)), np.append(1, p)) if left else (m, p)
def stored(a):
    return {k: np.concatenate([v[:1], v]) for k, v in a.items() if k in ("keypoints", "scores", "descriptors")} if left else a
def corner(a):
    points = (stored(a)["keypoints"] + np.float32(0.5) + [left, 0]) / s
    points[:bool(left)] = [left - 0.4, 100]  # outside of the kept part by less than 1 px
    return points
with h5py.File("feats.h5", "w", libver="latest") as hloc, h5py.File("glue.h5", "w") as glue:
    for name, a in images.items():
        h, g = hloc.create_group(f"v_synth_001/{name}.png"), glue.create_group(f"{'all/sets/' * bool(left)}v_synth_001/{name}.png")
        h["keypoints"], h["scores"], h["image_size"] = corner(a) - 0.5, stored(a)["scores"], [640, 480]
        h["descriptors"] = stored(a)["descriptors"].astype(np.float16).T
        g["keypoints"], g["keypoint_scores"] = corner(a), stored(a)["scores"]
        rows = {k: np.concatenate([v[:1], v]) if left and np.shape(v)[:1] == a["scores"].shape else v for k, v in a.items()}
        np.savez(f"stored/v_synth_001/{name}.npz", **{**rows, "keypoints": corner(a) - 0.5, "size": rows["size"] / s, "image_size": [640, 480]})
        np.savez(f"stored/v_synth_001/bare_{name}.npz", keypoints=corner(a) - 0.5, image_size=[640, 480])
        g.create_dataset("descriptors", data=stored(a)["descriptors"], compression="gzip")
with h5py.File("matches.h5", "w") as hloc, h5py.File("predictions.h5", "w") as glue:
    for k in "23456":
        m, p = mutual(images["1"], images[k])
        inside = np.flatnonzero(m >= 0)
        np.savez(f"stored/v_synth_001/1_{k}.npz", keypoints0=corner(images["1"])[inside] - 0.5, keypoints1=corner(images[k])[m[inside]] - 0.5, image_size0=[640, 480], image_size1=[640, 480])
        np.savez(f"stored/v_synth_001/rows_{k}.npz", matches0=m)
        np.savez(f"stored/v_synth_001/pairs_{k}.npz", matches=np.stack([inside, m[inside]], 1))
        one, two = ("1", k) if k in "245" else (k, "1")
        h, g = hloc.create_group("/".join(f"{'all-' * bool(left)}v_synth_001-{i}.png" for i in (one, two))), glue.create_group(f"v_synth_001/{5 * 61 + int(k) - 2}.ppm")
        h["matches0"], h["matching_scores0"] = (x.astype(t) for x, t in zip(mutual(images[one], images[two]), (np.int16, np.float16)))
        g["matches0"], g["matching_scores0"] = m[None], p[None]
        g["keypoints0"], g["keypoints1"] = corner(images["1"])[None], corner(images[k])[None]
`)
	for scale, size := range map[string]string{"1 0": "null", "0.5 0": "{long_side: 320}", "1 40": "{width: 560, height: 480, crop: true}"} {
		steps := `descbench run first.yaml --set 'dataset.resize=SIZE' --overwrite
rm -rf exported
descbench descriptors export runs/first --descriptor sift --out exported
python3 to_h5.py SCALE
` + strings.ReplaceAll(commands, ".yaml --set", ".yaml --overwrite --set 'dataset.resize=SIZE' --set") + `
sed -e 's/feats.h5/glue.h5/g; s/h5\]/h5, --origin, corner]/; s/matches.h5/predictions.h5/g; s/, of: features//; s/name: hdf5/name: glue/' hdf5.yaml > glue.yaml
sed -e 's/^  - .name: features.*/  - {name: features, type: file, path: "stored\/{scene}\/{image}.npz"}/; s/^  - .name: matches.*/  - {name: matches, type: matches, path: "stored\/{scene}\/1_{image}.npz"}/; s/name: hdf5/name: npz/' \
  -e '/name: matches/a \  - {name: rows, type: matches, path: "stored/{scene}/rows_{image}.npz", keypoints: points}\n  - {name: pairs, type: matches, path: "stored/{scene}/pairs_{image}.npz", keypoints: stored}\n  - {name: both, type: command, run: [python3, -m, descbench, hdf5, matches.h5], operation: match, keypoints: stored}' \
  -e '/^keypoint_sets/a \  - {name: stored, import: {path: "stored/{scene}/bare_{image}.npz"}}' hdf5.yaml > npz.yaml
descbench run npz.yaml --overwrite --set 'dataset.resize=SIZE' --set dataset.scenes=v_synth_001
test 'SIZE' = null || descbench results runs/npz --format latex | grep -E '^(% )?features: (its files give image|positions and sizes refer to the stored image)' >found
test 'SCALE' != '1 40' || grep -q 'matches: keypoints outside the part' runs/npz/summary.json
test $(descbench results runs/npz --only sift --notes | grep -c 'files give image') = 0
sed 's/detect: {.*}}/import: {path: "stored\/{scene}\/bare_{image}.npz", default_size: 12}}/; /name: features/d; /name: matches/d' hdf5.yaml > bare.yaml
for config in hdf5 bare; do rm -rf sizes; descbench keypoints export $config.yaml#points --out sizes --set 'dataset.resize=SIZE' --set dataset.scenes=v_synth_001 --quiet
python3 -c 'import numpy; s = numpy.load("sizes/v_synth_001/2.npz")["size"]; assert len(s) and (s == 12 * float("SCALE".split()[0])).all(), s'; done
descbench run glue.yaml --overwrite --set 'dataset.resize=SIZE' --set dataset.scenes=v_synth_001
test 'SIZE' = null || for run in hdf5 glue; do grep -qE 'keypoints outside the part|"text": ".*since (its images have (no )?image_size|positions are measured from the corner)"' runs/$run/summary.json; done
descbench results runs/first runs/hdf5 runs/glue runs/npz --columns mma@3,matches_per_pair --format csv | grep -Ev "^(hdf5|glue|npz):sift" > table
`
		shell(t, work, bin, strings.NewReplacer("SIZE", size, "SCALE", scale).Replace(steps))
		shell(t, work, bin, `descbench run hdf5.yaml --set dataset.scenes=v_synth_001 --set 'keypoint_sets[points].border=99' --set experiment.name=edge --overwrite 2>&1 | tr -s '\n ' ' ' | grep -q 'but the keypoint set points (border 99 px; border: 0 keeps all keypoints) has'
sed -e 's/, default_size: 12//; s/name: hdf5/name: unsized/' hdf5.yaml > unsized.yaml
! descbench run unsized.yaml --set dataset.scenes=v_synth_001 2> told
grep -q 'detect.default_size: missing: the program returns no size' told && ! test -e runs/unsized
for command in plan doctor; do
descbench $command hdf5.yaml --set 'keypoint_sets[points].border=9' --set experiment.name=border > told
grep -q 'leaves some out (imported from feats.h5, default size 12 px, a margin of 9 px at the edges); define a set with border: 0' told
done
! descbench run hdf5.yaml --set experiment.name=new --overwrite --quiet 2>&1 | tr -s '\n ' ' ' > told
grep -q 'feats.h5 has no keypoints of [iv]_synth_00./1.png or ' told || (cat told; false)
python3 -c 'import h5py, numpy; f = h5py.File("few.h5", "w"); f["v_synth_001/1.png/keypoints"] = numpy.full((3, 2), 99.)
for k in range(2, 7): f[f"v_synth_001/{k}.png/keypoints"] = numpy.full((9999, 2), 99.)'
! descbench run npz.yaml --overwrite --quiet --set experiment.name=few --set dataset.scenes=v_synth_001 --set 'keypoint_sets[points].detect.run=[python3, -m, descbench, hdf5, few.h5]' 2>&1 | tr -s '\n ' ' ' > told
grep -q 'rows_2.npz: images 1 and 2: matches of [0-9]* keypoints, but the keypoint set has 3 in this image' told || (cat told; false)
python3 -c 'import h5py, numpy; h5py.File("half.h5", "w")["v_synth_001/1.png/keypoints"] = numpy.ones((1, 4), "f2")'
sed 's/feats.h5/half.h5/g; s/name: hdf5/name: half/' hdf5.yaml > half.yaml
! descbench run half.yaml --set dataset.scenes=v_synth_001 --overwrite 2> told
grep -q '^note: half.h5: positions are half floats: rounded to 0.5 px above 512 px' told; grep -q '^note: half.h5: sizes and angles of keypoints are not read;' told
python3 -c 'import h5py; g = h5py.File("small.h5", "w").create_group("1.png"); g["keypoints"], g["image_size"] = [[1., 1.]], [320, 240]'
sed 's/feats.h5/small.h5/g; s/name: hdf5/name: small/' hdf5.yaml > small.yaml
descbench run small.yaml --set dataset.scenes=v_synth_001 --overwrite 2>&1 | tr -s '\n ' ' ' > told
grep -q 'small.h5 was made from 1.png of 320×240 px, the image has 640×480' told`)
		want := mAP(t, work, "first", "sift")
		for _, run := range []string{"hdf5", "glue", "npz"} {
			// Moved positions are rounded to float32.
			if got := mAP(t, work, run, "features"); want == 0 || got < want-0.003 || got > want+0.003 || run == "hdf5" && scale == "1 0" && got != want {
				t.Errorf("%s, scale %s: mAP %v, want %v", run, scale, got, want)
			}
		}
		figures := make(map[string]int) // lines after "run: descriptor,"
		for line := range strings.Lines(read(t, filepath.Join(work, "table"))) {
			_, values, _ := strings.Cut(strings.TrimSpace(line), ",")
			figures[values]++
		}
		if len(figures) != 2 { // the header and equal ones
			t.Errorf("scale %s: got %v, want equal figures of all", scale, figures)
		}
	}
}
