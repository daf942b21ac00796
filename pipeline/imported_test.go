package pipeline

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"descbench/eval/must"
	"descbench/pipeline/config/configtest"
	"descbench/pipeline/files/npz"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/plan/plantest"
)

const importedConfig = `
experiment: {name: imported}
dataset: {root: ROOT, scenes: [i_synth_002, v_synth_001]}
keypoint_sets:
  - {name: all, import: {path: "features/{scene}/{image}.npz"}}
  - {name: few, from: all, top: {by: response, per_image: 60}}
descriptors:
  - {name: theirs, type: file, path: "features/{scene}/{image}.npz", keypoints: few}
  - {name: ours, type: sift, keypoints: few}
evaluation: {estimators: []}
output: {root: runs}
`

// withFeatures returns a folder with the features of the reference, which are
// OpenCV's: bytes of 150×128 in image 1 of v_synth_001, and keypoints of its own
// layout.
func withFeatures(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.CopyFS(filepath.Join(dir, "features"), os.DirFS("testdata/reference/features")))
	return dir
}

func featureFile(dir, scene, image string) string {
	return filepath.Join(dir, "features", scene, image+".npz")
}

// featureArrays returns the arrays of a file.
func featureArrays(t *testing.T, path string) map[string]npz.Array {
	t.Helper()
	content := mustRead(t, path)
	archive, err := npz.NewArchive(bytes.NewReader(content), int64(len(content)))
	must.Do(t, err)
	arrays := make(map[string]npz.Array)
	for _, name := range archive.Unread() {
		if arrays[name], err = archive.Array(name); err != nil {
			t.Fatal(err)
		}
	}
	return arrays
}

// changeFeatures replaces arrays of a file. It leaves those away that are to
// become empty ones.
func changeFeatures(t *testing.T, path string, changed map[string]npz.Array) {
	t.Helper()
	arrays := featureArrays(t, path)
	maps.Copy(arrays, changed)
	var members []npz.Member
	for _, name := range slices.Sorted(maps.Keys(arrays)) {
		if arrays[name].Type != "" {
			members = append(members, arrays[name].Member(name))
		}
	}
	var out bytes.Buffer
	must.Do(t, npz.WriteArchive(&out, members, ""))
	must.Do(t, os.WriteFile(path, out.Bytes(), 0o666))
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	return must.Get(os.ReadFile(path))(t)
}

func runIn(t *testing.T, dir, text string, opt plan.Options) (*fold.Run, error) {
	t.Helper()
	return Run(context.Background(), configtest.Load(t, dir, text), opt)
}

// numbers returns an array of float32 of n rows, of what value says for each.
func numbers(n, columns int, value func(row, column int) float32) npz.Array {
	v := make([]float32, 0, n*columns)
	for row := range n {
		for column := range columns {
			v = append(v, value(row, column))
		}
	}
	return npz.Of(v, n, columns)
}

func TestAnImportedFileOfWrongContentFailsItsSceneInOneLine(t *testing.T) {
	dir := withFeatures(t)
	file := featureFile(dir, "v_synth_001", "1")
	changeFeatures(t, file, map[string]npz.Array{"descriptors": numbers(151, 4, func(row, column int) float32 { return float32(row%7 + column) })})
	_, err := runIn(t, dir, importedConfig, plantest.Options(sharedCache))
	var failed *plan.FailedScenesError
	if !errors.As(err, &failed) || failed.Requested != 2 || len(failed.Failed) != 1 {
		t.Fatalf("error %v, want one of two scenes failed", err)
	}
	reason := failed.Failed["v_synth_001"]
	if !strings.Contains(reason, file+": descriptors: shape (151, 4), want (150, D), one row per keypoint") || strings.Contains(reason, "\n") {
		t.Errorf("reason %q, want a line about the shape and %s", reason, file)
	}
}

// That those of zeros rank last the reference shows.
func TestImportedRowsThatAreNotFiniteCountAsThoseOfZerosAndAreReportedOnce(t *testing.T) {
	text := strings.Replace(importedConfig, "i_synth_002, ", "", 1)
	text = strings.ReplaceAll(text, "keypoints: few", "keypoints: all")
	text = strings.Replace(text, "name: ours, type: sift", `name: root, type: file, root: l1, path: "features/{scene}/{image}.npz"`, 1)
	notFinite := map[int]float32{3: float32(math.NaN()), 40: float32(math.Inf(1)), 41: float32(math.Inf(-1))}
	run := func(finite bool, log io.Writer) []byte {
		dir := withFeatures(t)
		for _, image := range []string{"1", "3"} { // of 150 keypoints
			file := featureFile(dir, "v_synth_001", image)
			was := featureArrays(t, file)["descriptors"]
			values := must.Get(npz.Elements[uint8](was, 2))(t)
			changeFeatures(t, file, map[string]npz.Array{"descriptors": numbers(was.Shape[0], was.Shape[1], func(row, column int) float32 {
				bad, ok := notFinite[row]
				switch {
				case ok && finite:
					return 0
				case ok && column == row:
					return bad
				}
				return float32(values[row*was.Shape[1]+column])
			})})
		}
		opt := plantest.Options(sharedCache)
		opt.Log = slog.New(slog.NewTextHandler(log, nil))
		outcome := must.Get(runIn(t, dir, text, opt))(t)
		return mustRead(t, plan.Folder(outcome.Folder).Metrics())
	}
	var log bytes.Buffer
	got, want := run(false, &log), run(true, io.Discard)
	if !bytes.Equal(got, want) {
		t.Errorf("figures with rows that are not finite:\n%s\nwith zeros:\n%s", got, want)
	}
	if line := "theirs,all,total_invalid_rows,6,"; !strings.Contains(string(got), line) {
		t.Errorf("no line %q", line)
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 1 || !strings.Contains(lines[0], ".npz, 3 of ") {
		t.Errorf("reported:\n%s\nwant one line for two files", log.String())
	}
}

func TestASceneThatFailedForItsFileGoesOnWithAnother(t *testing.T) {
	text := strings.Replace(importedConfig, "  - {name: ours, type: sift, keypoints: few}\n", "", 1)
	for name, wrong := range map[string]map[string]npz.Array{
		"no keypoints, so no set": {"keypoints": {}},
		"another set but no rows": {"descriptors": {}, "scores": npz.Of(make([]float32, 150), 150)},
	} {
		t.Run(name, func(t *testing.T) {
			repaired(t, text, wrong, 1)
		})
	}
}

// The rest of a scene stays as it is; after a selection over all scenes, nothing does.
func TestWhatDependsOnAChangedFileIsComputedAgain(t *testing.T) {
	wrong := map[string]npz.Array{"descriptors": npz.Of(make([]uint8, 151*4), 151, 4)}
	for top, reused := range map[string]int{"per_image: 60": 2, "total: 300": 0} {
		t.Run(top, func(t *testing.T) {
			repaired(t, strings.Replace(importedConfig, "per_image: 60", top, 1), wrong, reused)
		})
	}
}

// repaired runs a config of which one file is wrong, resumes with the right one and then with another, and
// wants each time what a run that begins with that file gives.
func repaired(t *testing.T, text string, wrong map[string]npz.Array, reused int) {
	t.Helper()
	dir := withFeatures(t)
	opt := plantest.Options(sharedCache)
	file := featureFile(dir, "v_synth_001", "1")
	good := mustRead(t, file)
	changeFeatures(t, file, wrong)
	if _, err := runIn(t, dir, text, opt); !errors.As(err, new(*plan.FailedScenesError)) {
		t.Fatalf("error %v, want a failed scene", err)
	}
	must.Do(t, os.WriteFile(file, good, 0o666))
	resumesAnew(t, dir, text, "right", reused)
	scores := make([]float32, 150)
	for row := range scores {
		scores[row] = float32(row + 1) // the last are the best
	}
	changeFeatures(t, file, map[string]npz.Array{"scores": npz.Of(scores, 150)})
	resumesAnew(t, dir, text, "later", reused)
}

func resumesAnew(t *testing.T, dir, text, name string, reused int) {
	t.Helper()
	outcome := must.Get(runIn(t, dir, text, plantest.Options(sharedCache)))(t)
	if outcome.Share.Resumed != reused {
		t.Errorf("%s: %d units computed and %d reused, want %d", name, outcome.Share.Units, outcome.Share.Resumed, reused)
	}
	whole := must.Get(runIn(t, dir, strings.Replace(text, "name: imported", "name: "+name, 1), plantest.Options(sharedCache)))(t)
	want := bytes.ReplaceAll(mustRead(t, plan.Folder(whole.Folder).Metrics()), []byte(","+name+","), []byte(",imported,"))
	if !bytes.Equal(mustRead(t, plan.Folder(outcome.Folder).Metrics()), want) {
		t.Errorf("%s: other metrics than of a run that begins with the file", name)
	}
}

func TestARunGoesOnWithTheSameImportedFilesWhereverTheyAre(t *testing.T) {
	dir := withFeatures(t)
	opt := plantest.Options(sharedCache)
	must.Get(runIn(t, dir, importedConfig, opt))(t)
	elsewhere := filepath.Join(dir, "elsewhere")
	must.Do(t, os.Mkdir(elsewhere, 0o777))
	must.Do(t, os.Rename(filepath.Join(dir, "features"), filepath.Join(elsewhere, "features")))
	moved := strings.ReplaceAll(importedConfig, "features/", "elsewhere/features/")
	for range 2 { // the second time without them
		outcome, err := runIn(t, dir, moved, opt)
		if err != nil || outcome.Share.Resumed != 4 {
			t.Fatalf("error %v, want the run to go on", err)
		}
		must.Do(t, os.RemoveAll(elsewhere))
	}
}
