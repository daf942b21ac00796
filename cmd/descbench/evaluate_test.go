package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/must"
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
	got, demo := mAPs(t, work, "evaluate-1"), mAPs(t, work, "demo")
	if got["sift"] != demo["sift"] || demo["sift"] == 0 || got["mine"] < 0.2 {
		t.Errorf("mAP %v, want that of SIFT in %v, and that of patches far above chance", got, demo)
	}
}

// executeCells executes the cells of a notebook without Jupyter, and writes it with its outputs.
const executeCells = `
import ast, contextlib, io, json, os, subprocess, sys

with open(sys.argv[1], encoding="utf-8") as file:
    notebook = json.load(file)
space = {}
for cell in notebook["cells"]:
    if cell["cell_type"] != "code":
        continue
    lines = "".join(cell["source"]).split("\n")
    for line in lines:
        if line.startswith("!"):
            subprocess.run(line[1:], shell=True, check=True)
    tree = ast.parse("\n".join(line for line in lines if line[:1] not in ("!", "%")))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else ast.parse("None").body[0]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), space)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), space)
    cell["outputs"] = []
    if printed.getvalue():
        text = printed.getvalue().replace(os.getcwd(), "/home/me")
        cell["outputs"].append({"name": "stdout", "output_type": "stream", "text": text.splitlines(True)})
    if value is not None:
        data = {"image/svg+xml": value._repr_svg_().splitlines(True), "text/plain": [repr(value)]}
        cell["outputs"].append({"data": data, "execution_count": cell["execution_count"], "metadata": {}, "output_type": "execute_result"})
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(notebook, file, indent=1, ensure_ascii=False)
    file.write("\n")
`

// The notebook prints the table that it shows, and a chart with both descriptors.
func TestEvaluateNotebookPrintsWhatItShows(t *testing.T) {
	work, bin := withModule(t)
	page := filepath.Join(checkout, "docs", "evaluate.ipynb")
	write(t, filepath.Join(work, "evaluate.ipynb"), read(t, page))
	cmd := exec.Command(filepath.Join(bin, "python3"), "-c", executeCells, "evaluate.ipynb")
	cmd.Dir, cmd.Env = work, environment()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	executed := read(t, filepath.Join(work, "evaluate.ipynb"))
	if *updateNotebook {
		must.Do(t, os.WriteFile(page, []byte(executed), 0o666))
	}
	outputs := func(notebook string) (table, chart string) {
		var cells struct {
			Cells []struct {
				Outputs []struct {
					Text []string
					Data map[string][]string
				}
			}
		}
		must.Do(t, json.Unmarshal([]byte(notebook), &cells))
		for _, cell := range cells.Cells {
			for _, output := range cell.Outputs {
				table += strings.Join(output.Text, "")
				chart += strings.Join(output.Data["image/svg+xml"], "")
			}
		}
		return table, chart
	}
	shown, _ := outputs(read(t, page))
	printed, chart := outputs(executed)
	compareOutputs(t, page, shown, printed)
	if !strings.Contains(chart, "<svg") || !strings.Contains(chart, ">mine<") || !strings.Contains(chart, ">sift<") {
		t.Errorf("the chart is %.300s", chart)
	}
}
