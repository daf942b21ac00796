package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/eval/must"
)

var updateNotebook = flag.Bool("update-notebook", false, "write the notebooks of docs with the outputs of this test")

// executeNotebook executes a notebook of docs in a folder, wants that it prints what it shows, and returns
// all its outputs, with pictures, and the value of an expression in Python as JSON.
func executeNotebook(t *testing.T, dir, bin, name, expression string) (outputs, value string) {
	t.Helper()
	page := filepath.Join(checkout, "docs", name)
	write(t, filepath.Join(dir, name), read(t, page))
	program := must.Get(filepath.Abs(filepath.Join("testdata", "notebook.py")))(t)
	value = shell(t, dir, bin, fmt.Sprintf("MPLBACKEND=agg python3 %s %s %q", program, name, expression))
	executed := read(t, filepath.Join(dir, name))
	if *updateNotebook {
		must.Do(t, os.WriteFile(page, []byte(executed), 0o666))
	}
	shown, _ := outputsOf(t, read(t, page))
	printed, outputs := outputsOf(t, executed)
	compareOutputs(t, page, shown, printed)
	return outputs, value
}

// outputsOf returns the text of all outputs of a notebook, and all that they hold.
func outputsOf(t *testing.T, notebook string) (text, all string) {
	t.Helper()
	var content struct {
		Cells []struct {
			Outputs []struct {
				Text []string
				Data map[string]any
			}
		}
	}
	must.Do(t, json.Unmarshal([]byte(notebook), &content))
	for _, cell := range content.Cells {
		for _, output := range cell.Outputs {
			text += fmt.Sprintln(output.Text, output.Data["text/plain"])
			all += fmt.Sprintln(output.Text, output.Data)
		}
	}
	return text, all
}

// The differences and p-values that the notebook computes in pandas are those of compare.
func testNotebook(t *testing.T, work string) {
	bin := withPython(t, "pandas", "matplotlib")
	outputs, value := executeNotebook(t, filepath.Join(work, "docs"), bin, "results.ipynb", "comparison.to_dict('index')")
	if plots := strings.Count(outputs, "image/png"); plots != 2 {
		t.Errorf("%d plots, want 2", plots)
	}
	var comparison map[string]struct{ Difference, P float64 }
	must.Do(t, json.Unmarshal([]byte(value), &comparison))
	var compared struct {
		Rows []struct {
			Descriptor, Scope string
			Difference, P     float64
		}
	}
	must.Do(t, json.Unmarshal([]byte(shell(t, work, bin, "descbench compare runs/demo --baseline sift --json")), &compared))
	count := 0
	for _, c := range compared.Rows {
		if c.Scope != "all" {
			continue
		}
		count++
		if got := comparison[c.Descriptor]; math.Abs(got.Difference-c.Difference) > 1e-12 || math.Abs(got.P-c.P) > 1e-12 {
			t.Errorf("%s: the notebook has %+v, compare %+v", c.Descriptor, got, c)
		}
	}
	if count != 2 || len(comparison) != 2 {
		t.Errorf("the notebook has %v, compare %v, want two descriptors", comparison, compared)
	}
}
