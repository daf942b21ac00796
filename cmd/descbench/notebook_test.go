package main

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/must"
)

var updateNotebook = flag.Bool("update-notebook", false, "write docs/results.ipynb with the outputs of Debian's Python")

// executeNotebook executes docs/results.ipynb, writes it with its outputs, and prints the
// text of the outputs before and after, and the notebook's comparison.
const executeNotebook = `
import json, nbformat
from nbclient import NotebookClient

def outputs(nb):
    return [o for c in nb.cells if c.cell_type == "code" for o in c.outputs]

def texts(nb):
    return [o.data.get("text/plain", "") if "data" in o else str(o) for o in outputs(nb)]

nb = nbformat.read("docs/results.ipynb", 4)
shown = texts(nb)
nb.cells.append(nbformat.v4.new_code_cell("import json\nprint(json.dumps(comparison.to_dict('index')))"))
NotebookClient(nb, timeout=300, kernel_name="python3", resources={"metadata": {"path": "docs"}}).execute()
comparison = json.loads(nb.cells.pop().outputs[0].text)
for cell in nb.cells:
    cell.metadata.clear()
for o in outputs(nb):
    o.get("data", {}).pop("text/html", None)
nb.metadata.language_info = {"name": "python"}
nbformat.write(nb, "docs/results.ipynb")
plots = sum("image/png" in o.get("data", {}) for o in outputs(nb))
print(json.dumps({"shown": shown, "printed": texts(nb), "plots": plots, "comparison": comparison}))
`

// The notebook runs and prints what it shows. Its differences and p-values, which it
// computes in pandas, are those of compare.
func testNotebook(t *testing.T, work string) {
	python := filepath.Join(withPython(t, "nbclient", "ipykernel", "pandas", "matplotlib"), "python3")
	file := filepath.Join(checkout, "docs", "results.ipynb")
	write(t, filepath.Join(work, "docs", "results.ipynb"), read(t, file))
	cmd := exec.Command(python, "-c", executeNotebook)
	cmd.Dir = work
	cmd.Env = append(environment(), "HOME="+work)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, complaints.String())
	}
	var ran struct {
		Shown, Printed []string
		Plots          int
		Comparison     map[string]struct{ Difference, P float64 }
	}
	if err := json.Unmarshal(out, &ran); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if *updateNotebook {
		must.Do(t, os.WriteFile(file, []byte(read(t, filepath.Join(work, "docs", "results.ipynb"))), 0o666))
	} else if len(ran.Shown) != len(ran.Printed) {
		t.Errorf("the notebook shows %d outputs, want %d", len(ran.Shown), len(ran.Printed))
	} else {
		for i, shown := range ran.Shown {
			compareOutputs(t, "docs/results.ipynb", shown, ran.Printed[i])
		}
	}
	if ran.Plots != 2 {
		t.Errorf("%d plots, want 2", ran.Plots)
	}
	var compared struct {
		Rows []struct {
			Descriptor, Scope string
			Difference, P     float64
		}
	}
	must.Do(t, json.Unmarshal([]byte(runIn(t, work, []string{"compare", "runs/demo", "--baseline", "sift", "--json"})), &compared))
	count := 0
	for _, c := range compared.Rows {
		if c.Scope != "all" {
			continue
		}
		count++
		if got := ran.Comparison[c.Descriptor]; math.Abs(got.Difference-c.Difference) > 1e-12 || math.Abs(got.P-c.P) > 1e-12 {
			t.Errorf("%s: the notebook has %+v, compare %+v", c.Descriptor, got, c)
		}
	}
	if count != 2 || len(ran.Comparison) != 2 {
		t.Errorf("the notebook has %v, compare %v, want two descriptors", ran.Comparison, compared)
	}
}
