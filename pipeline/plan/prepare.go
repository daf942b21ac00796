package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"descbench/pipeline/config"
)

// ClaimLife is how long a process may work on a scene before another process may
// take the scene over. A takeover that comes too early duplicates work but never
// changes a result.
const ClaimLife = 10 * time.Minute

// Prepare creates the run folder of a plan. If the folder exists, Prepare checks
// that it has the same config, scenes and software.
func Prepare(plan *Plan, opt Options) (Folder, error) {
	f := plan.Folder()
	if opt.Overwrite {
		if err := f.clear(); err != nil {
			return f, err
		}
	}
	entries, err := os.ReadDir(string(f))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f, Fault(err)
	}
	if len(entries) > 0 && !f.IsRun() && !opt.Overwrite {
		return f, Faultf("%s: exists but is not a run folder (no config.yaml); choose another --out or another experiment name", string(f))
	}
	now, err := EnvironmentOf(plan, opt.Version)
	if err != nil {
		return f, err
	}
	if f.IsRun() {
		if err := f.repair(plan, now, opt.Log); err != nil {
			return f, err
		}
		return f, f.Check(plan, opt)
	}
	if err := os.MkdirAll(string(f), 0o777); err != nil {
		return f, Faultf("cannot create the run folder: %w", err)
	}
	return f, f.Begin(plan, now)
}

// Begin writes the first files of a run folder, which describe the run.
func (f Folder) Begin(plan *Plan, now Environment) error {
	if err := writeScenes(f, plan.Scenes); err != nil {
		return err
	}
	if err := WriteJSON(f.Environment(), now); err != nil {
		return err
	}
	// Last, because this file marks the folder as a run folder.
	return yamlSeal.write(f.Config(), plan.Config.YAML())
}

// IsRun reports whether Prepare has created the folder.
func (f Folder) IsRun() bool {
	_, err := os.Stat(f.Config())
	return err == nil
}

// clear removes a run folder. It refuses to remove any other folder.
func (f Folder) clear() error {
	if _, err := os.Stat(string(f)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if !f.IsRun() {
		return Faultf("%s: --overwrite only replaces run folders, and this is not one (no config.yaml)", string(f))
	}
	// Only what a run writes: the user may keep notes in the folder.
	for _, path := range []string{
		filepath.Join(string(f), "units"), filepath.Join(string(f), "times"), filepath.Join(string(f), ".claims"),
		f.Queries(), f.Pairs(), f.Metrics(), f.Summary(), f.Timing(), f.Database(), f.Sums(), f.Environment(),
		f.Config(), // last: without it the folder is not a run folder
	} {
		if err := os.RemoveAll(path); err != nil {
			return Faultf("--overwrite: %w", err)
		}
	}
	return nil
}

// Check returns an error if the run folder was started with a different config,
// scenes or software.
func (f Folder) Check(plan *Plan, opt Options) error {
	begun, err := f.Plan()
	if err != nil {
		return err
	}
	var differs []string
	if begun.Config.Identity() != plan.Config.Identity() {
		differs = config.Diff(begun.Config, plan.Config)
	} else if !slices.Equal(begun.Scenes, plan.Scenes) {
		differs = []string{fmt.Sprintf("scenes: [%s] -> [%s]", strings.Join(begun.Scenes, ", "), strings.Join(plan.Scenes, ", "))}
	} else {
		var was Environment
		if err := ReadJSON(f.Environment(), &was); err != nil {
			return Recreate(err)
		}
		now, err := EnvironmentOf(plan, opt.Version)
		if err != nil {
			return err
		}
		differs = was.differences(now)
	}
	if len(differs) > 0 {
		return Faultf("%s: this run was started with a different setup; use --overwrite to replace it, or another --out or experiment name to keep it:\n  %s",
			string(f), strings.Join(differs, "\n  "))
	}
	return nil
}

// Plan returns the plan that the run folder was started with.
func (f Folder) Plan() (*Plan, error) {
	if !f.IsRun() {
		return nil, Faultf("%s: is not a run folder (no config.yaml)", string(f))
	}
	scenes, err := f.readScenes()
	if err != nil {
		return nil, err
	}
	if _, err := yamlSeal.read(f.Config()); err != nil {
		return nil, Recreate(err)
	}
	cfg, err := config.Load(f.Config(), config.Overrides{})
	if err != nil {
		return nil, Faultf("cannot load the run's own config: %w", err)
	}
	return New(cfg, scenes)
}
