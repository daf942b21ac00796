package pipeline

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

// claimLife is how long a process may be silent about a scene before another
// takes it over. Taking over too early costs double work, never a result.
const claimLife = 10 * time.Minute

// A folder is a run folder. Everything in it has a name that is known from
// the plan alone.
type folder struct{ path string }

func (f folder) config() string      { return filepath.Join(f.path, "config.yaml") }
func (f folder) environment() string { return filepath.Join(f.path, "environment.json") }
func (f folder) queries() string     { return filepath.Join(f.path, "queries.parquet") }
func (f folder) pairs() string       { return filepath.Join(f.path, "pairs.parquet") }
func (f folder) metrics() string     { return filepath.Join(f.path, "metrics.csv") }
func (f folder) summary() string     { return filepath.Join(f.path, "summary.json") }
func (f folder) timing() string      { return filepath.Join(f.path, "timing.csv") }
func (f folder) database() string    { return filepath.Join(f.path, "results.sqlite") }
func (f folder) claim(scene string) string {
	return filepath.Join(f.path, ".claims", scene)
}

func (f folder) scenes() string { return filepath.Join(f.path, "units", "scenes.json") }
func (f folder) scene(scene string) string {
	return filepath.Join(f.path, "units", "scenes", scene+".json")
}
func (f folder) set(set, scene string) string {
	return filepath.Join(f.path, "units", "sets", filepath.FromSlash(set), scene+".npz")
}

// before holds what a set's selection over all scenes chooses from.
func (f folder) before(set, scene string) string {
	return filepath.Join(f.path, "units", "before", filepath.FromSlash(set), scene+".npz")
}

// cut names the scenes that a selection over all scenes was made from.
func (f folder) cut(set string) string {
	return filepath.Join(f.path, "units", "cuts", filepath.FromSlash(set)+".json")
}
func (f folder) eval(descriptor, scene string) string {
	return filepath.Join(f.path, "units", "eval", filepath.FromSlash(descriptor), scene+".zip")
}
func (f folder) failure(descriptor, scene string) string {
	return filepath.Join(f.path, "units", "eval", filepath.FromSlash(descriptor), scene+".failed.json")
}

// times lie beside the units, not in them: units are the same bytes every time.
func (f folder) times(descriptor, scene string) string {
	return filepath.Join(f.path, "times", filepath.FromSlash(descriptor), scene+".json")
}

// prepare makes the run folder of a plan, or checks that the one that is there
// belongs to the same config, scenes and software.
func prepare(plan *Plan, opt Options) (folder, error) {
	f := plan.folder()
	if opt.Overwrite {
		if err := f.clear(); err != nil {
			return f, err
		}
	}
	entries, err := os.ReadDir(f.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f, &DataError{err}
	}
	if len(entries) > 0 && !f.isRun() && !opt.Overwrite {
		return f, dataErrorf("%s: exists and is no run folder (it has no config.yaml); choose another --out or another experiment name", f.path)
	}
	if f.isRun() {
		return f, f.check(plan, opt)
	}
	now := currentEnvironment(opt.Version)
	if now.Models, err = models(plan.Config); err != nil {
		return f, err
	}
	if err := os.MkdirAll(f.path, 0o777); err != nil {
		return f, dataErrorf("run folder cannot be made: %w", err)
	}
	if err := writeJSON(f.scenes(), plan.Scenes); err != nil {
		return f, err
	}
	if err := writeJSON(f.environment(), now); err != nil {
		return f, err
	}
	// Last, because it is what makes the folder a run folder.
	return f, writeBytes(f.config(), plan.Config.YAML())
}

// isRun reports whether the folder is one that prepare made.
func (f folder) isRun() bool {
	_, err := os.Stat(f.config())
	return err == nil
}

// clear removes a run folder; it refuses to remove anything else.
func (f folder) clear() error {
	if _, err := os.Stat(f.path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if !f.isRun() {
		return dataErrorf("%s: --overwrite removes run folders only, and this is none (it has no config.yaml)", f.path)
	}
	// Only what a run writes: a folder may hold notes of its user.
	for _, path := range []string{
		filepath.Join(f.path, "units"), filepath.Join(f.path, "times"), filepath.Join(f.path, ".claims"),
		f.queries(), f.pairs(), f.metrics(), f.summary(), f.timing(), f.database(), f.environment(),
		f.config(), // last: without it the folder is no run folder
	} {
		if err := os.RemoveAll(path); err != nil {
			return dataErrorf("--overwrite: %w", err)
		}
	}
	return nil
}

// check refuses a run folder that was begun with something else.
func (f folder) check(plan *Plan, opt Options) error {
	begun, err := f.plan()
	if err != nil {
		return err
	}
	var differs []string
	if begun.Config.Identity() != plan.Config.Identity() {
		differs = config.Diff(begun.Config, plan.Config)
	} else if !slices.Equal(begun.Scenes, plan.Scenes) {
		differs = []string{fmt.Sprintf("scenes: [%s] -> [%s]", strings.Join(begun.Scenes, ", "), strings.Join(plan.Scenes, ", "))}
	} else {
		var was environment
		if err := readJSON(f.environment(), &was); err != nil {
			return err
		}
		now := currentEnvironment(opt.Version)
		if now.Models, err = models(plan.Config); err != nil {
			return err
		}
		differs = was.differences(now)
	}
	if len(differs) > 0 {
		return dataErrorf("%s: this run was begun with another setup; --overwrite replaces it, another --out or experiment name keeps it:\n  %s",
			f.path, strings.Join(differs, "\n  "))
	}
	return nil
}

// plan returns the plan that the run folder was begun with.
func (f folder) plan() (*Plan, error) {
	if !f.isRun() {
		return nil, dataErrorf("%s: is no run folder (it has no config.yaml)", f.path)
	}
	cfg, err := config.Load(f.config(), config.Overrides{})
	if err != nil {
		return nil, dataErrorf("the run's own config does not load: %w", err)
	}
	var scenes []string
	if err := readJSON(f.scenes(), &scenes); err != nil {
		return nil, err
	}
	return newPlan(cfg, scenes)
}
