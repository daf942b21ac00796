package features

import (
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
)

// FindPrograms returns an error if a program of the config, a Python script or a declared file
// does not exist, or if the files contain the run folder. It starts none.
func FindPrograms(cfg *config.Config) error {
	commands := cfg.Commands()
	for _, key := range slices.Sorted(maps.Keys(commands)) {
		if err := findProgram(cfg, key, commands[key]); err != nil {
			return err
		}
	}
	return nil
}

func findProgram(cfg *config.Config, key string, c *config.Command) error {
	if plan.Missing(c.Folder) { // as in a run of somebody else
		files := ""
		if len(c.Files) > 0 {
			files = " and --set " + spelling.Shell(key+".files=[DIR/FILE]")
		}
		return plan.Faultf("%s: no folder %s, in which %s runs; if the run is from elsewhere, put the program into a folder of yours, DIR (an absolute path), and add --set %s%s",
			key, c.Folder, c, spelling.Shell(key+".folder=DIR"), files)
	}
	var named []string
	if strings.Contains(c.Run[0], "/") {
		named = c.Run[:1]
	} else if _, err := exec.LookPath(c.Run[0]); err != nil {
		return plan.Faultf("%s.run: found %q, which is in no folder of PATH; install it, or give its path", key, c.Run[0])
	}
	if len(c.Run) > 1 && strings.HasPrefix(filepath.Base(c.Run[0]), "python") && strings.HasSuffix(c.Run[1], ".py") {
		named = append(slices.Clone(named), c.Run[1])
	}
	for _, name := range named {
		if !filepath.IsAbs(name) {
			name = filepath.Join(c.Folder, name)
		}
		if plan.Missing(name) {
			return plan.Faultf("%s.run: %s: no such file; correct its name, or set folder, where the program runs", key, name)
		}
	}
	for _, path := range c.Files {
		if plan.Missing(path) {
			return plan.Faultf("%s.files: %s: no such file or directory", key, path)
		}
		if run := string((&plan.Plan{Config: cfg}).Folder()); strings.HasPrefix(run, path+"/") {
			return plan.Faultf("%s.files: %s contains the run folder %s, which changes during the run; list the source files, or set output.root to another place", key, path, run)
		}
	}
	return nil
}
