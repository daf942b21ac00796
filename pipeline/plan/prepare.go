package plan

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
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

// Prepare creates the run folder of a plan. If the folder exists, Prepare checks that it has the
// same config, scenes and software. Of several processes that create the folder at the same
// moment with different configs, one succeeds.
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
	filled, err := f.filled()
	foreign := filled && !f.IsRun() // in this order, because another process may create the run in the meantime
	switch {
	case err != nil:
		return f, err
	case foreign && !(Missing(f.Scenes()) && Missing(f.Summary())):
		return f, Faultf("%s: has the units or results of a run, but its config.yaml is lost; put it back, or remove the folder to start over", string(f))
	case foreign:
		return f, Faultf("%s: exists but is not a run folder (no config.yaml), which --overwrite replaces; choose another --out or another experiment name", string(f))
	}
	if opt.Overwrite && f.IsRun() && !(f.replacing() && f.check(plan, now, opt.Shard) == nil) {
		if err := f.retire(); err != nil {
			return f, err
		}
	}
	if !f.IsRun() {
		now.Notes = plan.strays(opt.CacheDir)
		err := f.begin(plan.Config, func(f Folder) error {
			return cmp.Or(f.WriteJSON(f.Scenes(), scenesRecord{folderFormat, plan.Scenes}), f.WriteJSON(f.Environment(), now))
		})
		if err != nil && !errors.Is(err, fs.ErrExist) { // otherwise, another process was faster
			return f, Faultf("cannot create the run folder: %w", err)
		}
	}
	if err := store.RemoveTemporary(string(f)); err != nil {
		return f, Fault(err)
	}
	return f, f.check(plan, now, opt.Shard)
}

// inRun returns an error if the plan's folder would be in a run folder.
func (p *Plan) inRun() error {
	if in := Folder(p.Config.Output.Root); in.IsRun() && !Missing(in.Scenes()) {
		return &config.Error{File: "output.root", Msg: fmt.Sprintf("%s (--out) is a run folder, want the folder that contains runs, such as %s", in, filepath.Dir(string(in)))}
	}
	return nil
}

// Adopt makes the plan's config that of the folder, where it differs in what is not part of
// a run's identity: the description, labels and paths. The results lose their checksums until they
// are computed again.
func (f Folder) Adopt(p *Plan) error {
	text := yamlSeal.seal(p.Config.YAML())
	if was, err := files.Read(f.Config(), maxSealed); err != nil || bytes.Equal(was, text) {
		return Fault(err)
	}
	if err := f.RemoveSums(); err != nil {
		return err
	}
	return f.write(f.Config(), text)
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

// filled reports whether the folder contains anything except claims and unfinished files. A folder that
// does not exist contains nothing.
func (f Folder) filled() (bool, error) {
	entries, err := os.ReadDir(string(f))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, Fault(err)
	}
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.Name() != ".claims" && !store.IsTemporary(e.Name())
	}), nil
}

// notInUse returns an error if a process computes units of the folder, which then is not replaced.
func (f Folder) notInUse() error {
	holders, err := f.Holders()
	if err != nil || len(holders) == 0 {
		return err
	}
	by := holders[0]
	return Faultf("%s: in use: %s has been computing %s since %s; rerun the same command when it has ended, or after %s if it no longer exists",
		string(f), by.Process, by.Claim, by.Since.Format(time.DateTime), by.Until.Format(time.DateTime))
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

// check returns an error if the folder is a re-evaluation, whose units a run cannot add to, or was started with
// a different config, scenes or software.
func (f Folder) check(plan *Plan, now Environment, shard Shard) error {
	if r, err := f.Reevaluation(); err != nil {
		return err
	} else if r != nil {
		return Faultf("%s: is a re-evaluation of %s, not a run; use --overwrite to replace it, or choose another --out or experiment name", string(f), r.Run)
	}
	begun, err := f.config()
	if err != nil {
		return err
	}
	scenes, err := f.readScenes()
	if err != nil {
		return err
	}
	was, err := f.ReadEnvironment()
	if err != nil {
		return err
	}
	differs := config.Diff(begun, plan.Config)
	if differs == nil && !slices.Equal(scenes, plan.Scenes) {
		differs = []string{fmt.Sprintf("scenes: [%s] -> [%s]", strings.Join(scenes, ", "), strings.Join(plan.Scenes, ", "))}
	}
	if differs == nil {
		differs = was.differences(now)
	}
	if other := was.otherProcessor(now); other != nil && slices.Equal(differs, other) {
		return Faultf("%s: this run was started on another type of processor; run it on a machine with %s (%s), or under another --out or experiment name:\n  %s",
			string(f), was.Dispatch, was.Architecture, strings.Join(other, "\n  "))
	}
	if len(differs) > 0 {
		cure := "rerun with --overwrite (replaces it)"
		if name := spelling.Shell(string(f)); !shard.Whole() {
			cure = fmt.Sprintf("move it away (mv %s %s.old) and rerun all shards", name, name)
		}
		return Faultf("%s: this run was started with a different setup; %s, or with --set experiment.name=NEW (keeps both):\n  %s",
			string(f), cure, strings.Join(differs, "\n  "))
	}
	return nil
}

// Plan returns the plan that the run folder was started with.
func (f Folder) Plan() (*Plan, error) {
	if !f.IsRun() {
		return nil, f.notARun()
	}
	scenes, err := f.readScenes()
	if f.withoutUnits() {
		return nil, Faultf("%s: %w (no %s): results, compare, report and verify without --recompute work; for anything else copy the folders units and times from the original run", string(f), ErrWithoutUnits, f.below(f.Scenes()))
	} else if err != nil {
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
	return f.IsRun() && Missing(filepath.Dir(f.Scenes())) && !Missing(f.Summary())
}

// config returns the config that the run folder was started with.
func (f Folder) config() (*config.Config, error) {
	text, err := yamlSeal.read(f.Config())
	if errors.Is(err, store.ErrDamaged) {
		return nil, Again(err, startOver)
	} else if err != nil {
		return nil, err
	}
	cfg, err := config.Parse(f.Config(), text)
	if err != nil {
		return nil, Faultf("cannot load the run's own config: %w", err)
	}
	return cfg, nil
}
