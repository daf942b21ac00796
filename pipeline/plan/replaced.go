package plan

import (
	"cmp"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"

	"descbench/eval/spelling"
	"descbench/pipeline/store"
)

// replaced is the run that --overwrite has replaced, until the folder has results again. It
// is whole if it has a summary, which comes last and goes first; else it means nothing.
func (f Folder) replaced() Folder { return Folder(f.file(".replaced")) }

// setAside gives the files of a run that has results further names, in the folder replaced.
// The run itself stays whole until that is done.
func (f Folder) setAside(log *slog.Logger) error {
	summary, err := store.ReadSummary(f.Summary())
	if err != nil || !summary.HasResults() || summary.WithoutQueries() > 0 {
		return nil // nothing to keep
	}
	if f.isSetAside() {
		return nil // what is left of it here was being removed
	}
	paths, err := f.written(f.Config(), f.reevaluation(), f.joined())
	if err == nil {
		err = f.ForgetReplaced()
	}
	for _, path := range paths {
		if err == nil && !store.IsTemporary(filepath.Base(path)) {
			err = f.root().Link(path, f.replaced().file(f.below(path)))
		}
	}
	if err != nil {
		return Faultf("--overwrite: %w", err)
	}
	log.Info("--overwrite: the replaced run"+store.OfOther(f.Config())+" is kept until there are new results", "run", string(f.replaced()))
	return nil
}

// isSetAside reports whether the run is that in the folder replaced.
func (f Folder) isSetAside() bool {
	here, err := store.FileDigest(f.Summary(), math.MaxInt64)
	kept, none := store.FileDigest(f.replaced().Summary(), math.MaxInt64)
	return cmp.Or(err, none) == nil && here == kept
}

// ReplacedHint says where the run is that --overwrite has set aside, "" if there is none.
func (f Folder) ReplacedHint() string {
	if _, err := os.Stat(f.replaced().Summary()); err != nil {
		return ""
	}
	name := spelling.Shell(string(f))
	return fmt.Sprintf("; the run that --overwrite replaced is kept in %s; to have it back: mv %s %s.new && mv %s.new/.replaced %s", f.replaced(), name, name, name, name)
}

// replacing reports whether the folder's run has the setup of the plan and has begun to
// replace another one, so that --overwrite resumes it.
func (f Folder) replacing(plan *Plan, now Environment) bool {
	return f.ReplacedHint() != "" && Missing(f.Summary()) && f.check(plan, now) == nil
}

// ForgetReplaced removes the run that --overwrite has replaced, if there is one.
func (f Folder) ForgetReplaced() error {
	r := f.replaced()
	paths, err := r.written(r.Summary(), r.Config(), r.reevaluation(), r.joined())
	if err == nil {
		err = Fault(f.root().RemoveFiles(paths...))
	}
	f.root().RemoveEmpty(string(r))
	return err
}
