package main

import (
	"encoding/csv"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/must"
)

// matchFigures returns the metrics of matches over all scenes of a run, by metric.
func matchFigures(t *testing.T, work, run, descriptor string) map[string]string {
	t.Helper()
	rows := must.Get(csv.NewReader(strings.NewReader(read(t, filepath.Join(work, run, "metrics.csv")))).ReadAll())(t)
	values := make(map[string]string)
	for _, r := range rows {
		if r[0] == descriptor && r[1] == "all" {
			values[r[2]] = r[3]
		}
	}
	return values
}

// The truth is configs/modern_matchers.yaml, which reads the same matches without
// HDF5. Half-precision scores change none of the metrics.
func TestMatchesOfHlocAreServedFromHDF5(t *testing.T) {
	bin := withPython(t, "numpy", "h5py")
	work := checkoutLike(t)
	write(t, filepath.Join(work, "matches.yaml"), `
experiment: {name: matches}
dataset: {root: testdata/scenes, scenes: [i_synth_002, v_synth_001]}
keypoint_sets:
  - {name: points, import: {path: 'testdata/matches/keypoints/{scene}/{image}.npz'}}
descriptors:
  - {name: lightglue, type: command, run: [python3, -m, descbench, hdf5, feats_matches-superpoint-lightglue_pairs.h5], operation: match, keypoints: points}
  - {name: loftr, type: command, run: [python3, -m, descbench, hdf5, matches-loftr.h5], operation: match}
output: {root: runs}
`)
	// As hloc writes them: short rows, scores in half precision, for LoFTR also rows
	// of keypoints that are not these positions, and some pairs in the other order.
	write(t, filepath.Join(work, "to_h5.py"), `
import h5py, numpy, pathlib
root = pathlib.Path("testdata/matches")
with h5py.File("feats_matches-superpoint-lightglue_pairs.h5", "w", libver="latest") as file:
    for path in root.glob("flann/*/*.npz"):
        group = file.create_group("/".join(f"{path.parent.name}-{k}.png" for k in path.stem.split("_")))
        a = numpy.load(path)
        group["matches0"], group["matching_scores0"] = a["matches0"].astype("i2"), a["matching_scores0"].astype("f2")
with h5py.File("matches-loftr.h5", "w") as file:
    for path in root.glob("flow/*/*.csv"):
        order = -1 if path.stem[-1] in "36" else 1
        group = file.create_group("/".join(f"{path.parent.name}-{k}.png" for k in path.stem.split("_")[::order]))
        a = numpy.genfromtxt(path, delimiter=",", skip_header=1, dtype="f4")
        (group["keypoints0"], group["keypoints1"]), group["scores"] = [a[:, :2], a[:, 2:4]][::order], a[:, 4]
        group["matches0"], group["matching_scores0"] = numpy.zeros(3, "i4"), numpy.zeros(3, "f2")
`)
	shell(t, work, bin, "python3 to_h5.py\ndescbench bridge python > descbench.py\ndescbench run matches.yaml\ndescbench run configs/modern_matchers.yaml --out runs\n")
	for mine, truth := range map[string]string{"lightglue": "flann", "loftr": "flow"} {
		got, want := matchFigures(t, work, "runs/matches", mine), matchFigures(t, work, "runs/modern-matchers", truth)
		if len(want) == 0 || want["mma@3"] == "" {
			t.Fatalf("%s: no metrics", truth)
		}
		for metric, value := range want {
			if _, there := got[metric]; there && got[metric] != value {
				t.Errorf("%s: %s is %s, want %s as of %s", mine, metric, got[metric], value, truth)
			}
		}
		if got["mma@3"] != want["mma@3"] || got["matches_per_pair"] != want["matches_per_pair"] {
			t.Errorf("%s: got %v, want %v", mine, got, want)
		}
	}
}
