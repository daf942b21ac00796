package plan

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

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
	switch {
	case err == nil && !info.IsDir() && IsConfig(string(f)):
		if cfg, err := config.Load(string(f), config.Overrides{}); err == nil {
			if p := (&Plan{Config: cfg}); p.Folder().IsRun() {
				return &config.Error{File: string(f), Msg: "is a config, want a run folder, such as " + string(p.Folder())}
			}
		}
		return &config.Error{File: string(f), Msg: "is a config, want a run folder; descbench run " + spelling.Shell(string(f)) + " computes the results and prints their folder"}
	case err == nil && IsArchive(string(f)):
		return Faultf("%s is an archive, want a run folder: unpack it first", string(f))
	}
	for dir := filepath.Dir(string(f)); err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if Folder(dir).IsRun() {
			return Faultf("%s is inside a run, want the run folder: %s", string(f), dir)
		}
	}
	switch {
	case err == nil && !info.IsDir():
		return Faultf("%s is a file, want a run folder; SQL reads it if it is a SQLite file of results: see docs/results.md", string(f))
	case !Missing(string(f)):
		within := ""
		if names := runsIn(string(f)); names != nil {
			within = "; it contains the runs " + spelling.Few(names, 6)
		}
		return Faultf("%s: is not a run folder (no config.yaml)%s", string(f), within)
	}
	hint := ""
	for _, parent := range []string{filepath.Dir(string(f)), filepath.Join(filepath.Dir(string(f)), "runs")} {
		if near := spelling.Nearest(filepath.Base(string(f)), runsIn(parent)); near != "" {
			hint = spelling.Meant(filepath.Join(parent, near))
		}
	}
	return Faultf("%s: does not exist%s", string(f), hint)
}

// IsConfig reports whether a file is a config by its name.
func IsConfig(path string) bool {
	ext := filepath.Ext(path)
	return ext == ".yaml" || ext == ".yml"
}

// IsArchive reports whether a file is an archive by its name.
func IsArchive(path string) bool {
	return slices.Contains([]string{".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z"}, filepath.Ext(path))
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
