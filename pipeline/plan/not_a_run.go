package plan

import (
	"os"
	"path/filepath"

	"descbench/eval/spelling"
)

// notARun returns the error about a folder that is not a run folder. It names the
// runs that may be meant: those in the folder, or the one next to it with a similar
// name; and the results in the folder, as of the patch benchmark.
func (f Folder) notARun() error {
	if !Missing(string(f)) {
		within := ""
		if file := f.Database(); !Missing(file) {
			within = "; its results are in " + file
		}
		if names := runsIn(string(f)); names != nil {
			within = "; it contains the runs " + spelling.Few(names, 6)
		}
		return Faultf("%s: is not a run folder (no config.yaml)%s", string(f), within)
	}
	hint := ""
	parent := filepath.Dir(string(f))
	if near := spelling.Nearest(filepath.Base(string(f)), runsIn(parent)); near != "" {
		hint = spelling.Meant(filepath.Join(parent, near))
	}
	return Faultf("%s: is not a run folder: it does not exist%s", string(f), hint)
}

// runsIn returns the names of the run folders in a folder, sorted.
func runsIn(dir string) []string {
	entries, _ := os.ReadDir(dir) // what cannot be read suggests nothing
	var names []string
	for _, e := range entries {
		if Folder(filepath.Join(dir, e.Name())).IsRun() {
			names = append(names, e.Name())
		}
	}
	return names
}
