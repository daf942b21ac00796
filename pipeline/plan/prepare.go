package plan

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/files"
	"descbench/pipeline/store"
)

// ClaimLife is how long a process may work on a scene before another process may
// take the scene over. A takeover that comes too early duplicates work but never
// changes a result.
const ClaimLife = 10 * time.Minute

// Prepare creates the run folder of a plan. If the folder exists, Prepare checks
// that it has the same config, scenes and software, and completes it if its
// creation was interrupted. Of several processes that create the folder at the
// same moment with different configs, one succeeds.
func Prepare(plan *Plan, opt Options) (Folder, error) {
	f := plan.Folder()
	if err := plan.inRun(); err != nil {
		return f, err
	}
	now, err := EnvironmentOf(plan.Config, opt.Version)
	if err != nil {
		return f, err
	}
	for key, function := range opt.Functions {
		p := now.Programs[key]
		p.Function = &function
		now.Programs[key] = p
	}
	if foreign, err := f.foreign(); err != nil {
		return f, err
	} else if foreign && !(Missing(f.Scenes()) && Missing(f.Summary())) {
		return f, Faultf("%s: has the units or results of a run, but its config.yaml is lost; put it back, or remove the folder to start over", string(f))
	} else if foreign {
		return f, Faultf("%s: exists but is not a run folder (no config.yaml), which --overwrite replaces; choose another --out or another experiment name", string(f))
	}
	if !opt.Overwrite {
		if err := f.notReevaluation(); err != nil {
			return f, err
		}
	}
	if opt.Overwrite && !Missing(string(f)) && !f.replacing(plan, now) {
		release, err := f.clear(plan, opt.Logger())
		defer release()
		if err != nil {
			return f, err
		}
	} else if by, err := store.HolderOf(f.overwriting(), ClaimLife); err != nil {
		return f, Fault(err)
	} else if by != nil {
		return f, f.inUse(by)
	}
	if _, err := store.RemoveTemporary(string(f)); err != nil {
		return f, Fault(err)
	}
	// The config first, because it decides whose folder it is.
	if err := f.create(f.Config(), yamlSeal.seal(plan.Config.YAML())); err != nil {
		return f, Faultf("cannot create the run folder: %w", err)
	}
	if err := f.complete(plan, now, opt.Logger()); err != nil {
		return f, err
	}
	return f, f.check(plan, now)
}

// inRun returns an error if the plan's folder would be in a run folder.
func (p *Plan) inRun() error {
	if in := Folder(p.Config.Output.Root); in.IsRun() && !Missing(in.Scenes()) {
		return &config.Error{File: "output.root", Msg: fmt.Sprintf("%s (--out) is a run folder, want the folder that contains runs, such as %s", in, filepath.Dir(string(in)))}
	}
	return nil
}

// Adopt makes the plan's config that of the folder, where it differs in what is not part of
// a run's identity: the description, labels and paths. The file keeps its time, at which the run was
// started. The results lose their checksums until they are computed again.
func (f Folder) Adopt(p *Plan) error {
	text := yamlSeal.seal(p.Config.YAML())
	was, err := files.Read(f.Config(), maxSealed)
	if err != nil || bytes.Equal(was, text) {
		return Fault(err)
	}
	info, err := os.Stat(f.Config())
	if err != nil {
		return Fault(err)
	}
	if err := f.RemoveSums(); err != nil {
		return err
	}
	if err := f.write(f.Config(), text); err != nil {
		return err
	}
	return Fault(os.Chtimes(f.Config(), time.Time{}, info.ModTime()))
}

// finished returns the number of units of evaluation in the folder.
func (f Folder) finished() (units int) {
	_ = filepath.WalkDir(f.unit("eval", "", ""), func(path string, _ fs.DirEntry, _ error) error {
		if filepath.Ext(path) == filepath.Ext(f.Eval("", "")) {
			units++
		}
		return nil
	})
	return units
}

// create writes a file of the folder unless it exists.
func (f Folder) create(path string, b []byte) error {
	if !Missing(path) {
		return nil
	}
	err := f.root().CreateFile(path, b)
	if errors.Is(err, fs.ErrExist) { // another process was faster
		return nil
	}
	return err
}

// Gone returns the error about a folder that is no longer that of the run.
func (f Folder) Gone() error {
	rest := ""
	if !Missing(string(f)) && !f.IsRun() {
		rest = "remove what was written there since, then "
	}
	return Faultf("%s: moved, removed or replaced during the run; %sput it back, or rerun the same command to start over", string(f), rest)
}

// IsRun reports whether Prepare has created the folder.
func (f Folder) IsRun() bool {
	_, err := os.Stat(f.Config())
	return err == nil
}

// foreign reports whether the folder is not a run folder and contains anything. The config
// is the first file of a run.
func (f Folder) foreign() (bool, error) {
	foreign, err := others(string(f), ".claims")
	// Last, because another process may have created the run in the meantime.
	return foreign && !f.IsRun(), err
}

// hasUnits reports whether the folder contains units in addition to the list of
// scenes.
func (f Folder) hasUnits() (bool, error) {
	return others(filepath.Dir(f.Scenes()), filepath.Base(f.Scenes()))
}

// others reports whether a folder contains anything except the given names and
// unfinished files. A folder that does not exist contains nothing.
func others(dir string, names ...string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, Fault(err)
	}
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return !slices.Contains(names, e.Name()) && !store.IsTemporary(e.Name())
	}), nil
}

// overwriting is the claim of a process that replaces the run folder. No scene has
// this name.
func (f Folder) overwriting() string { return f.Claim(".overwrite") }

// clear removes everything that a run has written except its config, which it
// replaces at the end. It returns an error if another process uses the folder, and
// otherwise keeps others out until release is called.
func (f Folder) clear(plan *Plan, log *slog.Logger) (release func(), err error) {
	release, err = f.occupy()
	if err != nil {
		return release, err
	}
	if err := f.setAside(log); err != nil {
		return release, err
	}
	if err := f.removeResults(f.reevaluation(), f.joined()); err != nil {
		return release, err
	}
	// Last, so that what is left if this process is killed belongs to the former
	// config.
	return release, f.write(f.Config(), yamlSeal.seal(plan.Config.YAML()))
}

// occupy keeps other processes out of a folder that is about to be replaced. It
// returns an error if one of them uses the folder.
func (f Folder) occupy() (release func(), err error) {
	release, by, err := f.Take(filepath.Base(f.overwriting()))
	if err != nil {
		return release, err
	} else if by != nil {
		return release, f.inUse(by)
	}
	holders, err := store.Holders(filepath.Dir(f.overwriting()), ClaimLife)
	if err != nil {
		return release, Fault(err)
	}
	for _, by := range holders {
		if by.Claim != f.overwriting() {
			return release, f.inUse(by)
		}
	}
	return release, nil
}

// inUse returns the error about a claim that keeps the folder from being replaced,
// or from being used while it is replaced.
func (f Folder) inUse(by *store.Holder) error {
	doing := "computing " + filepath.Base(by.Claim)
	if by.Claim == f.overwriting() {
		doing = "replacing it (--overwrite)"
	}
	return Faultf("%s: in use: %s has been %s since %s; rerun the same command when it has ended, or after %s if it no longer exists",
		string(f), by.Process, doing, by.Since.Format(time.DateTime), by.Until.Format(time.DateTime))
}

// Unchanged returns an error if what the rows of a config's descriptors depend on has changed
// since the run was started. The config is the run's own or a part of it.
func (f Folder) Unchanged(cfg *config.Config) error {
	now, err := EnvironmentOf(cfg, "")
	if err != nil {
		return err
	}
	was, err := f.ReadEnvironment()
	if err != nil {
		return err
	}
	if differs := was.differences(now); len(differs) > 0 {
		return Faultf("%s: this needs rows of the run, and what they depend on has changed since; undo the change, or rerun the config under another experiment name and use that run:\n  %s",
			string(f), strings.Join(differs, "\n  "))
	}
	return nil
}

// check returns an error if the run folder was started with a different config, scenes or
// software. It accepts a folder in which first files other than the config are missing.
func (f Folder) check(plan *Plan, now Environment) error {
	scenes, err := f.readScenes()
	if errors.Is(err, fs.ErrNotExist) {
		scenes = plan.Scenes
	} else if err != nil {
		return err
	}
	begun, err := f.config()
	if err != nil {
		return err
	}
	was, err := f.ReadEnvironment()
	if errors.Is(err, fs.ErrNotExist) {
		was = now
	} else if err != nil {
		return err
	}
	differs := was.differences(now)
	if begun.Identity() != plan.Config.Identity() {
		differs = config.Diff(begun, plan.Config)
	} else if !slices.Equal(scenes, plan.Scenes) {
		differs = []string{fmt.Sprintf("scenes: [%s] -> [%s]", strings.Join(scenes, ", "), strings.Join(plan.Scenes, ", "))}
	}
	if other := was.otherProcessor(now); other != nil && slices.Equal(differs, other) {
		return Faultf("%s: this run was started on another type of processor; run it on a machine with %s (%s), or under another --out or experiment name:\n  %s",
			string(f), was.Dispatch, was.Architecture, strings.Join(other, "\n  "))
	}
	if len(differs) > 0 {
		return Faultf("%s: this run%s was started with a different setup; rerun with --overwrite (replaces it and its %s), or with --set experiment.name=NEW (keeps both):\n  %s",
			string(f), store.OfOther(f.Config()), spelling.Count(f.finished(), "unit"), strings.Join(differs, "\n  "))
	}
	return nil
}

// Plan returns the plan that the run folder was started with.
func (f Folder) Plan() (*Plan, error) {
	if !f.IsRun() {
		return nil, f.notARun()
	}
	scenes, err := f.readScenes()
	switch missing := filepath.Join("units", "scenes.json"); {
	case f.withoutUnits():
		if used, err := f.hasUnits(); used || err != nil {
			return nil, cmp.Or(err, Recreate(Faultf("%s: missing", f.Scenes())))
		}
		return nil, Faultf("%s: %w (no %s): results, compare and report work; for anything else copy the folders units and times from the original run", string(f), ErrWithoutUnits, missing)
	case errors.Is(err, fs.ErrNotExist):
		return nil, Faultf("%s: nothing is computed yet (no %s); rerun the descbench run command that created it", string(f), missing)
	case err != nil:
		return nil, err
	}
	cfg, err := f.config()
	if err != nil {
		return nil, err
	}
	return New(cfg, scenes)
}

// PlanOfResults is Plan for what needs the results only, also of a folder that was shared
// without its units. scenes are those of the results.
func (f Folder) PlanOfResults(scenes []string) (*Plan, error) {
	if !f.withoutUnits() {
		return f.Plan()
	}
	cfg, err := f.config()
	if err != nil {
		return nil, err
	}
	return New(cfg, scenes)
}

// withoutUnits reports whether a run folder has results but no units.
func (f Folder) withoutUnits() bool {
	return f.IsRun() && Missing(f.Scenes()) && !Missing(f.Summary())
}

// config returns the config that the run folder was started with.
func (f Folder) config() (*config.Config, error) {
	if _, err := yamlSeal.read(f.Config()); errors.Is(err, store.ErrDamaged) {
		return nil, Again(err, "put back what was written, or rerun descbench run with --overwrite to start over")
	} else if err != nil {
		return nil, err
	}
	return f.loadConfig()
}

func (f Folder) loadConfig() (*config.Config, error) {
	cfg, err := config.Load(f.Config(), config.Overrides{})
	if err != nil {
		return nil, Faultf("cannot load the run's own config: %w", err)
	}
	return cfg, nil
}
