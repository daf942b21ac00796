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

// ClaimLife is how long a process may be silent about a scene before another
// takes it over. Taking over too early costs double work, never a result.
const ClaimLife = 10 * time.Minute

// A Folder is a run folder. Everything in it has a name that is known from
// the plan alone.
type Folder string

func (f Folder) Config() string      { return filepath.Join(string(f), "config.yaml") }
func (f Folder) Environment() string { return filepath.Join(string(f), "environment.json") }
func (f Folder) Queries() string     { return filepath.Join(string(f), "queries.parquet") }
func (f Folder) Pairs() string       { return filepath.Join(string(f), "pairs.parquet") }
func (f Folder) Metrics() string     { return filepath.Join(string(f), "metrics.csv") }
func (f Folder) Summary() string     { return filepath.Join(string(f), "summary.json") }
func (f Folder) Timing() string      { return filepath.Join(string(f), "timing.csv") }
func (f Folder) Database() string    { return filepath.Join(string(f), "results.sqlite") }
func (f Folder) Claim(scene string) string {
	return filepath.Join(string(f), ".claims", scene)
}

func (f Folder) Scenes() string { return filepath.Join(string(f), "units", "scenes.json") }
func (f Folder) Scene(scene string) string {
	return filepath.Join(string(f), "units", "scenes", scene+".json")
}
func (f Folder) Set(set, scene string) string {
	return filepath.Join(string(f), "units", "sets", filepath.FromSlash(set), scene+".npz")
}

// Before holds what a set's selection over all scenes chooses from.
func (f Folder) Before(set, scene string) string {
	return filepath.Join(string(f), "units", "before", filepath.FromSlash(set), scene+".npz")
}

// Cut names the scenes that a selection over all scenes was made from.
func (f Folder) Cut(set string) string {
	return filepath.Join(string(f), "units", "cuts", filepath.FromSlash(set)+".json")
}
func (f Folder) Eval(descriptor, scene string) string {
	return filepath.Join(string(f), "units", "eval", filepath.FromSlash(descriptor), scene+".zip")
}
func (f Folder) Failure(descriptor, scene string) string {
	return filepath.Join(string(f), "units", "eval", filepath.FromSlash(descriptor), scene+".failed.json")
}

// Times lie beside the units, not in them: units are the same bytes every time.
func (f Folder) Times(descriptor, scene string) string {
	return filepath.Join(string(f), "times", filepath.FromSlash(descriptor), scene+".json")
}

// Prepare makes the run folder of a plan, or checks that the one that is there
// belongs to the same config, scenes and software.
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
		return f, Faultf("%s: exists and is no run folder (it has no config.yaml); choose another --out or another experiment name", string(f))
	}
	if f.IsRun() {
		return f, f.Check(plan, opt)
	}
	now := CurrentEnvironment(opt.Version)
	if now.Models, err = models(plan.Config); err != nil {
		return f, err
	}
	if err := os.MkdirAll(string(f), 0o777); err != nil {
		return f, Faultf("run folder cannot be made: %w", err)
	}
	if err := WriteJSON(f.Scenes(), plan.Scenes); err != nil {
		return f, err
	}
	if err := WriteJSON(f.Environment(), now); err != nil {
		return f, err
	}
	// Last, because it is what makes the folder a run folder.
	return f, WriteBytes(f.Config(), plan.Config.YAML())
}

// IsRun reports whether the folder is one that prepare made.
func (f Folder) IsRun() bool {
	_, err := os.Stat(f.Config())
	return err == nil
}

// clear removes a run folder; it refuses to remove anything else.
func (f Folder) clear() error {
	if _, err := os.Stat(string(f)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if !f.IsRun() {
		return Faultf("%s: --overwrite removes run folders only, and this is none (it has no config.yaml)", string(f))
	}
	// Only what a run writes: a folder may hold notes of its user.
	for _, path := range []string{
		filepath.Join(string(f), "units"), filepath.Join(string(f), "times"), filepath.Join(string(f), ".claims"),
		f.Queries(), f.Pairs(), f.Metrics(), f.Summary(), f.Timing(), f.Database(), f.Environment(),
		f.Config(), // last: without it the folder is no run folder
	} {
		if err := os.RemoveAll(path); err != nil {
			return Faultf("--overwrite: %w", err)
		}
	}
	return nil
}

// Check refuses a run folder that was begun with something else.
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
			return err
		}
		now := CurrentEnvironment(opt.Version)
		if now.Models, err = models(plan.Config); err != nil {
			return err
		}
		differs = was.differences(now)
	}
	if len(differs) > 0 {
		return Faultf("%s: this run was begun with another setup; --overwrite replaces it, another --out or experiment name keeps it:\n  %s",
			string(f), strings.Join(differs, "\n  "))
	}
	return nil
}

// Plan returns the plan that the run folder was begun with.
func (f Folder) Plan() (*Plan, error) {
	if !f.IsRun() {
		return nil, Faultf("%s: is no run folder (it has no config.yaml)", string(f))
	}
	cfg, err := config.Load(f.Config(), config.Overrides{})
	if err != nil {
		return nil, Faultf("the run's own config does not load: %w", err)
	}
	var scenes []string
	if err := ReadJSON(f.Scenes(), &scenes); err != nil {
		return nil, err
	}
	return New(cfg, scenes)
}
