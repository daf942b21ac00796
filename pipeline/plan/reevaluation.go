package plan

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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
	exists, err := others(string(to), ".claims")
	if err != nil {
		return err
	}
	if exists {
		if err := to.replaceable(record, p.Config, overwrite); err != nil {
			return err
		}
	}
	return to.rebuild(to.reevaluation(), record, p.Config, func() error {
		for _, name := range []string{"units", "times", filepath.Base(f.Environment())} {
			if err := store.LinkTree(f.file(name), to.file(name)); err != nil {
				return Faultf("%s: %w", string(to), err)
			}
		}
		return nil
	})
}

// rebuild fills the folder anew. The record at the given path comes first, by which an
// interrupted command recognises its folder, and the config last, which makes it a run
// folder.
func (f Folder) rebuild(path string, record any, cfg *config.Config, fill func() error) error {
	release, err := f.occupy()
	defer func() {
		release()
		_ = f.Remove(filepath.Dir(f.overwriting()))
	}()
	if err != nil {
		return err
	}
	if err := f.WriteJSON(path, record); err != nil {
		return err
	}
	if err := f.removeResults(f.Config()); err != nil {
		return err
	}
	if err := fill(); err != nil {
		return err
	}
	return f.write(f.Config(), yamlSeal.seal(cfg.YAML()))
}

// derived returns the record of a re-evaluation of f, which may be one itself.
func (f Folder) derived(begun, now *config.Config, leftOut []fact.Fact) (r Reevaluation, err error) {
	r = Reevaluation{Units: begun.Identity(), Changed: []string{}, LeftOut: leftOut}
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
	case overwrite, !f.IsRun():
		return nil
	}
	begun, err := f.config()
	if err != nil {
		return err
	}
	if differs := config.Diff(begun, cfg); len(differs) > 0 {
		return Faultf("%s: was evaluated with other settings; use --overwrite to replace it, or choose another --out:\n  %s", string(f), strings.Join(differs, "\n  "))
	}
	if was.Units != by.Units {
		return Faultf("%s: was evaluated before %s was run with another config; use --overwrite to replace it, or choose another --out", string(f), by.Run)
	}
	return nil
}

// notReevaluation returns an error if the folder is a re-evaluation, whose units
// run cannot add to.
func (f Folder) notReevaluation() error {
	r, err := f.Reevaluation()
	if err != nil || r == nil {
		return err
	}
	return Faultf("%s: is a re-evaluation of %s, not a run; use --overwrite to replace it, or choose another --out or experiment name", string(f), r.Run)
}

// removeResults removes everything that a run or a re-evaluation has written
// except its record and config. The user may keep notes in the folder, and pages of his
// own in the report. further are paths to remove, too.
func (f Folder) removeResults(further ...string) error {
	pages, err := f.pages()
	if err != nil {
		return err
	}
	paths, err := f.written(slices.Concat(pages, further)...)
	if err != nil {
		return err
	}
	if err := f.root().RemoveFiles(paths...); err != nil {
		return Faultf("--overwrite: %w", err)
	}
	f.root().RemoveEmpty(f.file("units"))
	f.root().RemoveEmpty(f.file("times"))
	return nil
}

// ofUnits matches the files that a run writes below units and times, by their paths in its folder.
var ofUnits = regexp.MustCompile(`^(units/scenes\.json|units/(scenes|cuts)/.+\.json|units/(sets|before|pools)/.+/.+\.npz|units/(eval|tasks)/.+/.+\.(zip|failed\.json)|times/.+/.+\.json)$`)

// written returns the given paths of the folder, then those of what every run writes, the
// summary last. Files of others in the same folders are not among them.
func (f Folder) written(first ...string) (paths []string, err error) {
	for _, name := range []string{"units", "times"} {
		if info, err := os.Lstat(f.file(name)); err == nil && !info.IsDir() {
			first = append(first, f.file(name)) // a link
			continue
		}
		err := store.WalkFiles(f.file(name), func(path string, info fs.FileInfo) error {
			if store.IsTemporary(info.Name()) || ofUnits.MatchString(filepath.ToSlash(f.below(path))) {
				first = append(first, path)
			}
			return nil
		})
		if err != nil {
			return nil, Fault(err)
		}
	}
	return append(first, f.Queries(), f.Pairs(), f.Metrics(), f.Timing(), f.Database(), f.Sums(), f.Environment(), f.file(ReadmeFile), f.Summary()), nil
}

// pages returns the pages of the report that are as report has written them. A report
// folder that is a link is the user's.
func (f Folder) pages() ([]string, error) {
	paths := []string{f.file("report.html")}
	if info, err := os.Lstat(f.file("report")); err == nil && info.IsDir() {
		entries, err := os.ReadDir(f.file("report"))
		if err != nil {
			return nil, Fault(err)
		}
		for _, e := range entries {
			paths = append(paths, filepath.Join(f.file("report"), e.Name()))
		}
	}
	return slices.DeleteFunc(paths, func(path string) bool { return CheckPage(path) != nil }), nil
}
