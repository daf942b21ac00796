package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"descbench/eval/must"
)

// followed returns a folder that looks like the checkout, in which somebody has
// written the files of the blocks.
func followed(t *testing.T, blocks []codeBlock) string {
	t.Helper()
	work := checkoutLike(t)
	for _, b := range blocks {
		if b.file != "" {
			write(t, filepath.Join(work, b.file), b.text)
		}
	}
	return work
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
}

// withPython returns a folder with a python3 that has the modules. It skips the
// test if there is none, unless make test-python names one.
func withPython(t *testing.T, modules ...string) string {
	t.Helper()
	names := []string{"python3", "/usr/bin/python3"}
	required := os.Getenv("DESCBENCH_TEST_PYTHON")
	if required != "" {
		names = []string{required}
	}
	for _, name := range names {
		python, err := exec.LookPath(name)
		if err != nil || exec.Command(python, "-c", "import "+strings.Join(modules, ", ")).Run() != nil {
			continue
		}
		dir := t.TempDir()
		write(t, filepath.Join(dir, "python3"), "#!/bin/sh\nexec "+python+" \"$@\"\n")
		must.Do(t, os.Chmod(filepath.Join(dir, "python3"), 0o777))
		return dir
	}
	if required != "" {
		t.Fatalf("%s has no %s", required, strings.Join(modules, ", "))
	}
	t.Skipf("no Python 3 with %s", strings.Join(modules, ", "))
	return ""
}

// shell runs the commands in a folder, with the programs in bin first, and returns what they print.
func shell(t *testing.T, work, bin, commands string) (stdout string) {
	t.Helper()
	cmd := exec.Command("sh", "-e", "-c", commands)
	cmd.Dir = work
	cmd.Env = append(environment(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", commands, err, out, stderr.String())
	}
	return string(out)
}

func shellBlocks(blocks []codeBlock) string {
	var text string
	for _, b := range blocks {
		if b.language == "sh" {
			text += b.text
		}
	}
	return text
}

// mAP returns the mAP of a descriptor of a run in one scene, 0 without one.
func mAP(t *testing.T, work, run, descriptor string) float64 {
	t.Helper()
	value, _ := strconv.ParseFloat(metricsOf(t, work, "runs/"+run, descriptor, "scene:v_synth_001")["true_map_micro"], 64)
	return value
}

// The truth of the imported SIFT is the demo, which detects and describes the
// same keypoints itself.
func TestADescriptorFromPythonIsComparedAsThePageSays(t *testing.T) {
	bin := withPython(t, "numpy", "PIL")
	blocks := sectionOf(t, "docs/own-descriptors.md", "From Python")
	work := followed(t, blocks)
	shell(t, work, bin, shellBlocks(blocks)+"descbench run configs/demo.yaml --set dataset.scenes=v_synth_001\n")
	got, want := mAP(t, work, "mine", "sift"), mAP(t, work, "demo", "sift")
	if got != want || want == 0 {
		t.Errorf("SIFT of exported and imported keypoints: mAP %v, want %v as in the demo", got, want)
	}
	if mine := mAP(t, work, "mine", "mine"); mine < 0.2 {
		t.Errorf("mAP %v of patches, want something far above chance", mine)
	}
}

func TestTablesOfPatchRowsAreEvaluatedAsThePageSays(t *testing.T) {
	bin := withPython(t, "numpy", "PIL")
	blocks := sectionOf(t, "docs/own-descriptors.md", "As CSV")
	shell(t, followed(t, blocks), bin, shellBlocks(blocks))
}

// The truth of the function's rows are the pixels of the strip, which NumPy reads itself.
func TestOwnDescriptorsOfPatchesRunAsThePageSays(t *testing.T) {
	bin := withPython(t, "numpy", "PIL")
	blocks := sectionOf(t, "docs/patches.md", "Your own descriptor")
	work := followed(t, blocks)
	write(t, filepath.Join(work, "compare.py"), `
import numpy as np
from PIL import Image
patches = np.asarray(Image.open("patches/strips/v_synth_001/e1.png").convert("L"), float).reshape(-1, 65, 65)
want = patches[:, 4:64:8, 4:64:8].reshape(-1, 64)
want -= want.mean(1, keepdims=True)
want /= np.linalg.norm(want, axis=1, keepdims=True)
got = np.loadtxt("patches/descriptors/mine/v_synth_001/e1.csv", delimiter=",")
assert got.shape == (20, 64) and np.abs(got - want).max() < 1e-5
`)
	shell(t, work, bin, "descbench patches extract --keypoints configs/demo.yaml#sift_2k --scenes v_synth_001 --limit 20 --out patches/strips\n"+
		shellBlocks(blocks)+"python3 compare.py\n")
}
