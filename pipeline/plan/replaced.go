package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/store"
)

// begin creates the folder of a run with what fill writes and the config, which makes it one. It
// appears when all of that is there. If it exists by then, it stays, and the error matches
// fs.ErrExist.
func (f Folder) begin(cfg *config.Config, fill func(Folder) error) error {
	if !f.IsRun() {
		_ = f.root().RemoveFolder(filepath.Dir(f.Claim("any"))) // of processes whose folder was moved
	}
	return Fault(f.parent().CreateFolder(string(f), func(dir string) error {
		if err := fill(Folder(dir)); err != nil {
			return err
		}
		return Folder(dir).write(Folder(dir).Config(), yamlSeal.seal(cfg.YAML()))
	}))
}

// parent is the folder in which the run folder is.
func (f Folder) parent() store.Root { return store.Root(filepath.Dir(filepath.Clean(string(f)))) }

// replaced is the run that another one replaces, until that has results.
func (f Folder) replaced() Folder {
	dir, name := filepath.Split(filepath.Clean(string(f)))
	return Folder(dir + "." + name + ".replaced")
}

// replacing reports whether there is a run that the one in the folder replaces.
func (f Folder) replacing() bool { return !Missing(string(f.replaced())) }

// retire gives a run another name, under which it stays until the one that replaces it has results. A
// run that itself was to replace another one, and has none, goes.
func (f Folder) retire() error {
	if err := f.notInUse(); err != nil {
		return err
	}
	if info, err := os.Lstat(string(f)); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return Faultf("%s: is a link to a run folder, which --overwrite does not replace; remove the link or that folder", string(f))
	}
	if err := f.ForgetReplaced(); err != nil {
		return err
	}
	if f.replacing() {
		return f.remove(f.replaced())
	}
	return Fault(os.Rename(string(f), string(f.replaced())))
}

// ReplacedHint says where the run is that --overwrite has replaced, "" if there is none.
func (f Folder) ReplacedHint() string {
	if !f.replacing() {
		return ""
	}
	name, kept, first := spelling.Shell(string(f)), spelling.Shell(string(f.replaced())), ""
	if !Missing(string(f)) {
		first = fmt.Sprintf("mv %s %s.new && ", name, name)
	}
	return fmt.Sprintf("; the run that --overwrite replaced is kept in %s; to have it back: %smv %s %s", f.replaced(), first, kept, name)
}

// ForgetReplaced removes the run that was replaced, once no more scenes have failed than in that.
func (f Folder) ForgetReplaced() error {
	if !f.replacing() {
		return nil
	}
	now, err := store.ReadSummary(f.Summary())
	if err != nil || !now.HasResults() || now.WithoutQueries() > 0 {
		return nil // no results yet
	}
	if was, err := store.ReadSummary(f.replaced().Summary()); err == nil && len(was.FailedScenes) < len(now.FailedScenes) {
		return nil
	}
	return f.replaced().remove(f)
}

// remove removes a run. Files of the user, such as notes and pages in the report, go to another folder.
func (f Folder) remove(to Folder) error {
	err := filepath.WalkDir(string(f), func(path string, e fs.DirEntry, err error) error {
		name := f.below(path)
		switch {
		case err != nil:
			return err
		case e.IsDir() && name == filepath.Base(filepath.Dir(f.Claim("any"))):
			return fs.SkipDir
		case e.IsDir() || f.wrote(name):
			return nil
		}
		if err = f.parent().Move(path, to.file(name)); errors.Is(err, fs.ErrExist) {
			err = Faultf("%s: would be lost, because %s is another file; move one of them, then rerun the same command", path, to.file(name))
		}
		return err
	})
	if err == nil {
		err = f.parent().RemoveFolder(string(f))
	}
	return Fault(err)
}

// ofUnits matches the files that a run writes below units and times, by their paths in its
// folder, and links in place of the two.
var ofUnits = regexp.MustCompile(`^(units/scenes\.json|units/[0-9]+/.+\.zip|times/.+\.json|units|times)$`)

// wrote reports whether a file of the folder is as a run, a re-evaluation or a report has written it.
func (f Folder) wrote(name string) bool {
	page := name == "report.html" || filepath.Dir(name) == "report"
	return ofUnits.MatchString(filepath.ToSlash(name)) || store.IsTemporary(filepath.Base(name)) || page && CheckPage(f.file(name)) == nil ||
		slices.Contains(append(f.results(), store.SumsFile, f.below(f.reevaluation())), name)
}
