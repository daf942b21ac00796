package main

import (
	"encoding/csv"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/must"
)

// matchFigures returns the metrics over all scenes of a run, by metric.
func matchFigures(t *testing.T, work, run, descriptor string) map[string]string {
	t.Helper()
	return metricsOf(t, work, run, descriptor, "all")
}

// metricsOf returns the metrics of a scope of a run, by metric.
func metricsOf(t *testing.T, work, run, descriptor, scope string) map[string]string {
	t.Helper()
	rows := must.Get(csv.NewReader(strings.NewReader(read(t, filepath.Join(work, run, "metrics.csv")))).ReadAll())(t)
	values := make(map[string]string)
	for _, r := range rows {
		if r[0] == descriptor && r[1] == scope {
			values[r[2]] = r[3]
		}
	}
	return values
}

// The truth is configs/modern_matchers.yaml, which reads the same matches without HDF5. As hloc writes those
// of LoFTR, they have rows of keypoints that are not their positions, and some pairs are in the other order.
func TestMatchesWithTheirOwnPositionsAreServedFromHDF5(t *testing.T) {
	bin := withPython(t, "numpy", "h5py")
	work := checkoutLike(t)
	write(t, filepath.Join(work, "matches.yaml"), `
experiment: {name: matches}
dataset: {root: testdata/scenes, scenes: [i_synth_002, v_synth_001]}
descriptors:
  - {name: loftr, type: command, run: [python3, -m, descbench, hdf5, matches-loftr.h5], operation: match}
output: {root: runs}
`)
	write(t, filepath.Join(work, "to_h5.py"), `
import h5py, numpy, pathlib
with h5py.File("matches-loftr.h5", "w") as file:
    for path in pathlib.Path("testdata/matches").glob("flow/*/*.npz"):
        order = -1 if path.stem[-1] in "36" else 1
        group = file.create_group("/".join(f"{path.parent.name}-{k}.png" for k in path.stem.split("_")[::order]))
        a = numpy.load(path)
        (group["keypoints0"], group["keypoints1"]), group["scores"] = [a["keypoints0"], a["keypoints1"]][::order], a["scores"].astype("f4")
        group["matches0"], group["matching_scores0"] = numpy.zeros(3, "i4"), numpy.zeros(3, "f2")
`)
	shell(t, work, bin, "python3 to_h5.py\ndescbench bridge python > descbench.py\ndescbench run matches.yaml\ndescbench run configs/modern_matchers.yaml --out runs\n")
	got, want := matchFigures(t, work, "runs/matches", "loftr"), matchFigures(t, work, "runs/modern-matchers", "flow")
	for metric, value := range got {
		if want[metric] != value { // of other estimators, there are more
			t.Errorf("%s is %s, want %s", metric, value, want[metric])
		}
	}
	if got["mma@3"] == "" || got["matches_per_pair"] == "" {
		t.Errorf("got %v, want metrics of matches", got)
	}
}

// The truth are the keypoints, rows and nearest neighbours from which the files were written. Pairs are in the order
// of the Image Matching Challenge, in which image 2 comes first.
func TestFlatHDF5FilesAreServed(t *testing.T) {
	bin := withPython(t, "numpy", "h5py")
	work := checkoutLike(t)
	write(t, filepath.Join(work, "first.yaml"), `
experiment: {name: first}
dataset: {root: testdata/scenes, scenes: [i_synth_001, v_synth_001]}
keypoint_sets: [{name: points, detect: {type: sift}, border: 40, top: {by: response, per_image: 300}}]
descriptors: [{name: sift, type: sift}]
output: {root: runs}
`)
	write(t, filepath.Join(work, "imw.yaml"), `
experiment: {name: imw}
dataset: {root: testdata/scenes, scenes: [i_synth_001, v_synth_001]}
keypoint_sets:
  - {name: points, border: 0, detect: {type: command, run: [python3, -m, descbench, hdf5, 'imw/{scene}/keypoints.h5'], files: [imw]}}
descriptors:
  - {name: features, type: command, run: [python3, -m, descbench, hdf5, 'imw/{scene}/keypoints.h5'], files: [imw], operation: detect, keypoints: points}
  - {name: matches, type: command, run: [python3, -m, descbench, hdf5, 'imw/{scene}/matches.h5'], files: [imw], operation: match, of: features}
output: {root: runs}
`)
	write(t, filepath.Join(work, "to_imw.py"), `
import h5py, numpy as np, pathlib
for scene in pathlib.Path("exported").iterdir():
    out = pathlib.Path("imw") / scene.name
    out.mkdir(parents=True)
    images = {p.stem: dict(np.load(p)) for p in scene.glob("*.npz")}
    for key in ("keypoints", "descriptors", "scores"):
        with h5py.File(out / (key + ".h5"), "w") as file:
            for name, image in images.items():
                file[name] = image[key]
    with h5py.File(out / "matches.h5", "w") as file:
        for k in "23456":
            a, b = (i["descriptors"] / np.linalg.norm(np.float32(i["descriptors"]), axis=1, keepdims=True) for i in (images[k], images["1"]))
            s = a @ b.T
            there, back = s.argmax(1), s.argmax(0)
            rows = np.flatnonzero(back[there] == np.arange(len(there)))
            file[k + "-1"] = np.stack([rows, there[rows]])
`)
	shell(t, work, bin, `descbench bridge python > descbench.py
descbench run first.yaml --quiet
descbench descriptors export runs/first --descriptor sift --out exported
python3 to_imw.py
descbench run imw.yaml --quiet
cp imw/v_synth_001/matches.h5 m.h5; cp imw/v_synth_001/descriptors.h5 d.h5
refused() { ! descbench run imw.yaml --quiet --overwrite --set experiment.name=refused --set "descriptors[matches].run=[python3, -m, descbench, hdf5, $1]" > told 2>&1 && tr -s '\n ' ' ' < told | grep -q "$2" || (cat told; false); }
refused m.h5 'm.h5 has [2-6]-1 without a scene, want one for each of'
refused d.h5 'd.h5: found 6 arrays, such as 1 (300×128 .*) and 2 (300×128 .*), want keypoints (N×2) by image, matches (2×M) by pair, or groups as hloc and glue-factory write them'
refused imw/v_synth_001/keypoints.h5 'serves detect hdf5\|does not serve match, but detect hdf5'
python3 -c 'import h5py; f = h5py.File("m.h5", "r+"); f["3-9"] = f["2-1"][()]; del f["2-1"]'
refused m.h5 'm.h5 has no matches0 of v_synth_001.*, but of 3-1\|m.h5 has no matches0 of i_synth_001.*, but of 3-1'
`)
	sift, features, matches := matchFigures(t, work, "runs/first", "sift"), matchFigures(t, work, "runs/imw", "features"), matchFigures(t, work, "runs/imw", "matches")
	for _, metric := range []string{"mma@1", "mma@3", "matches_per_pair"} {
		if sift[metric] == "" || features[metric] != sift[metric] || matches[metric] != sift[metric] {
			t.Errorf("%s: %s of features, %s of matches, want %s", metric, features[metric], matches[metric], sift[metric])
		}
	}
	if features["true_map_micro"] != sift["true_map_micro"] {
		t.Errorf("mAP %s, want %s", features["true_map_micro"], sift["true_map_micro"])
	}
}
