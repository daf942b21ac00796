package plan

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/fact"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/store"
)

// A Reevaluation is the record of a run folder that holds the units of another
// run, evaluated under other settings.
type Reevaluation struct {
	Run     string      `json:"run"`                // absolute path of the other run
	Units   string      `json:"units"`              // identity of the config that the units were computed with
	Changed []string    `json:"changed"`            // as config.Diff: "evaluation.tolerance_px: 3 -> 1"
	LeftOut []fact.Fact `json:"left_out,omitempty"` // what the units do not answer under these settings, with the reason
}

// reevaluation is the path of the Reevaluation as JSON.
func (f Folder) reevaluation() string { return f.file("reevaluation.json") }

// Reevaluation returns the record of a folder that Reevaluate created, nil for a
// run.
func (f Folder) Reevaluation() (*Reevaluation, error) {
	var r Reevaluation
	err := ReadJSON(f.reevaluation(), &r)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, Faultf("%w; recreate the folder with descbench eval RUN --out %s --overwrite", err, spelling.Shell(string(f)))
	}
	return &r, nil
}

// Reevaluate creates the folder to with the units of a run, which it links or
// copies, for evaluation under the plan's config. leftOut says what the units do
// not answer. If the folder exists, it must be a former re-evaluation of the same
// run, and overwrite must be set unless it has the same config.
func (f Folder) Reevaluate(to Folder, p *Plan, leftOut []fact.Fact, overwrite bool) error {
	begun, err := f.config()
	if err != nil {
		return err
	}
	record, err := f.derived(begun, p.Config, leftOut)
	if err != nil {
		return err
	}
	exists, err := to.filled()
	if err == nil && exists {
		if err = to.replaceable(record, p.Config, overwrite); err == nil {
			err = to.retire()
		}
	}
	if err != nil {
		return err
	}
	return to.begin(p.Config, func(new Folder) error {
		for _, name := range []string{"units", "times", filepath.Base(f.Environment())} {
			if err := store.LinkTree(f.file(name), new.file(name)); err != nil {
				return Faultf("%s: %w", string(to), err)
			}
		}
		return cmp.Or(new.WriteJSON(new.Scenes(), scenesRecord{folderFormat, p.Scenes}), new.WriteJSON(new.reevaluation(), record))
	})
}

// derived returns the record of a re-evaluation of f, which may be one itself.
func (f Folder) derived(begun, now *config.Config, leftOut []fact.Fact) (r Reevaluation, err error) {
	r = Reevaluation{Units: unitsIdentity(begun), Changed: []string{}, LeftOut: leftOut}
	former, err := f.Reevaluation()
	if err != nil {
		return r, err
	}
	if former != nil {
		r.Units, r.Changed = former.Units, slices.Clone(former.Changed)
	}
	r.Changed = append(r.Changed, config.Diff(begun, now)...)
	r.Run, err = filepath.Abs(string(f))
	return r, Fault(err)
}

// replaceable returns an error if a re-evaluation must not replace the folder.
func (f Folder) replaceable(by Reevaluation, cfg *config.Config, overwrite bool) error {
	was, err := f.Reevaluation()
	switch {
	case err != nil && !overwrite:
		return err
	case err != nil: // damaged, but no other folder has such a file
		return nil
	case was == nil:
		return Faultf("%s: exists but is not a re-evaluation (no reevaluation.json); choose another --out", string(f))
	case was.Run != by.Run && was.Units != by.Units:
		return Faultf("%s: is a re-evaluation of another run, %s; choose another --out", string(f), was.Run)
	case overwrite:
		return nil
	}
	begun, err := f.config()
	if err != nil {
		return err
	}
	differs := config.Diff(begun, cfg)
	if was.Units != by.Units {
		differs = append(differs, by.Run+": the run has another config since")
	}
	if len(differs) > 0 {
		return Faultf("%s: was evaluated with other settings; use --overwrite to replace it, or choose another --out:\n  %s",
			string(f), strings.Join(differs, "\n  "))
	}
	return nil
}
