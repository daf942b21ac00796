package plan

import (
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"descbench/eval/spelling"
	"descbench/pipeline/store"
)

// replaced is the run that --overwrite has replaced, until the folder has results again.
func (f Folder) replaced() Folder { return Folder(f.file(".replaced")) }

// setAside moves a run that has results to the folder replaced. If it was killed before,
// it goes on: the summary moves last.
func (f Folder) setAside(log *slog.Logger) error {
	summary, err := store.ReadSummary(f.Summary())
	if err != nil || !summary.HasResults() || summary.WithoutQueries() > 0 {
		return nil // nothing to keep
	}
	owner := store.OfOther(f.Config())
	config, err := os.ReadFile(f.Config())
	if err == nil && !Missing(f.replaced().Summary()) {
		err = f.ForgetReplaced()
	}
	if err == nil {
		err = f.write(f.file(filepath.Join(".replaced", filepath.Base(f.Config()))), config)
	}
	for _, path := range slices.Concat([]string{f.reevaluation(), f.joined()}, f.written()) {
		err = cmp.Or(err, f.root().Move(path, string(f.replaced())))
	}
	if err != nil {
		return Faultf("--overwrite: %w", err)
	}
	log.Info("--overwrite: the replaced run"+owner+" is kept until there are new results", "run", string(f.replaced()))
	return nil
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
func (f Folder) ForgetReplaced() error { return Fault(f.root().RemoveAll(string(f.replaced()))) }
