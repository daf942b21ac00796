package plan

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"descbench/eval/spelling"
	"descbench/pipeline/config"
)

// notARun returns the error about a path that is not a run folder. It says what the path
// is instead, and names the runs that may be meant: those in the folder, or the one next
// to it with a similar name.
func (f Folder) notARun() error {
	if _, err := os.Stat(f.Config()); errors.Is(err, fs.ErrPermission) {
		return Fault(err)
	}
	info, err := os.Stat(string(f))
	isFile := err == nil && !info.IsDir()
	if ext := filepath.Ext(string(f)); isFile && (ext == ".yaml" || ext == ".yml") {
		return &config.Error{File: string(f), Msg: "is a config, want a run folder; descbench run " + spelling.Shell(string(f)) + " computes the results and prints their folder"}
	}
	for dir := filepath.Dir(string(f)); err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if Folder(dir).IsRun() {
			return Faultf("%s is inside a run, want the run folder: %s", string(f), dir)
		}
	}
	within, hint := "", ""
	switch names := runsIn(string(f)); {
	case isFile:
		return Faultf("%s is a file, want a run folder", string(f))
	case names != nil:
		within = "; it contains the runs " + spelling.Few(names, 6)
	}
	if !Missing(string(f)) {
		return Faultf("%s: is not a run folder (no config.yaml)%s", string(f), within)
	}
	for _, parent := range []string{filepath.Dir(string(f)), filepath.Join(filepath.Dir(string(f)), "runs")} {
		if near := spelling.Nearest(filepath.Base(string(f)), runsIn(parent)); near != "" {
			hint = spelling.Meant(filepath.Join(parent, near))
		}
	}
	return Faultf("%s: does not exist%s%s", string(f), hint, f.ReplacedHint())
}

// runsIn returns the names of the run folders in a folder, sorted.
func runsIn(dir string) []string {
	entries, _ := os.ReadDir(dir) // what cannot be read suggests nothing
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && Folder(filepath.Join(dir, e.Name())).IsRun() {
			names = append(names, e.Name())
		}
	}
	return names
}
