package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// withModule returns a folder with descbench.py and scenes, and the folder of a Python.
func withModule(t *testing.T) (work, bin string) {
	t.Helper()
	work, bin = checkoutLike(t), withPython(t, "numpy")
	shell(t, work, bin, "descbench bridge python > descbench.py\n")
	return work, bin
}

func TestEvaluateCallsFunctionsOfThePythonProgram(t *testing.T) {
	work, bin := withModule(t)
	write(t, filepath.Join(work, "evaluate.py"), read(t, filepath.Join("testdata", "evaluate.py")))
	shell(t, work, bin, "DESCBENCH_CACHE=$PWD/cache python3 evaluate.py\n")
}

func TestEvaluateWorksAsThePageSays(t *testing.T) {
	bin := withPython(t, "numpy")
	blocks := sectionOf(t, functionsPage, "One call")
	work := followed(t, blocks)
	write(t, filepath.Join(work, "one_scene.py"), strings.Replace(blocks[0].text, "import descbench\n", "import descbench, functools\ndescbench.evaluate = functools.partial(descbench.evaluate, dataset={'scenes': ['v_synth_001']})\n", 1))
	shell(t, work, bin, strings.Replace(shellBlocks(blocks), "call.py", "one_scene.py", 1))
	shell(t, work, bin, "descbench run configs/demo.yaml --set dataset.scenes=v_synth_001 --quiet\n")
	sift, mine, demo := mAP(t, work, "evaluate-1", "sift"), mAP(t, work, "evaluate-1", "mine"), mAP(t, work, "demo", "sift")
	if sift != demo || demo == 0 || mine < 0.2 {
		t.Errorf("mAP %v of SIFT, want %v; %v of patches, want one far above chance", sift, demo, mine)
	}
}

// The notebook prints the table that it shows, and a chart with both descriptors.
func TestEvaluateNotebookPrintsWhatItShows(t *testing.T) {
	work, bin := withModule(t)
	outputs, _ := executeNotebook(t, work, bin, "evaluate.ipynb", "None")
	if !strings.Contains(outputs, "<svg") || !strings.Contains(outputs, ">mine<") || !strings.Contains(outputs, ">sift<") {
		t.Errorf("want a chart of both, the outputs are %s", outputs)
	}
}
