package fold

import (
	"context"
	"log/slog"

	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A Run is a folded run that is open: its results, and whatever is read of its folder.
type Run struct {
	Folder   string
	Label    string // names it among the runs that are open with it
	Config   *config.Config
	Summary  *store.Summary // nil for a shard, which does not fold
	Systems  []*System
	Timings  []store.Timing // of all units; after ReadTimings
	Unstored bool           // recomputed with other settings; Folder keeps the former results

	// What the process that folded the run did.
	Database string   // that the run was entered into; "": none
	Replaced []string // results that were there and that the units gave otherwise
	Share    Share    // work done

	Units func() (*plan.Units, error) // of the folder

	plan     *plan.Plan
	computed map[string][]scope.Metric // by Compute, by descriptor
}

// Stored returns the results of a folded run as they are in its folder.
func Stored(ctx context.Context, f plan.Folder) (*Run, error) {
	run, err := open(string(f))
	if err != nil {
		return nil, err
	}
	run.ReadTimings()
	if _, err := store.ReadResults(ctx, f.Database(), ""); err != nil { // undamaged, of this schema
		return nil, plan.Fault(err)
	}
	return run, run.Failure()
}

// Enter enters the run into a shared database, unless it is "".
func (r *Run) Enter(ctx context.Context, database string, log *slog.Logger) error {
	if database == "" {
		return nil
	}
	err := store.CopyShared(ctx, database, r.RunFolder().Database(), func() {
		log.Info("waiting for another program that uses the database", "database", database)
	})
	if err != nil {
		return plan.Faultf("%w; the results are complete, only the database lacks them: %s", err, Command(r.Folder, database))
	}
	r.Database = database
	return nil
}

// Command returns the command that folds a run and enters it into a database, unless that is "".
func Command(folder, database string) string {
	command := "descbench fold " + spelling.Shell(folder)
	if database != "" {
		command += " --database " + spelling.Shell(database)
	}
	return command
}

// A Share counts the work done by one process.
type Share struct {
	Units, Resumed, Failed int // scene × descriptor
	CachedImages           int // images whose features came from the cache
	ExtractedImages        int // images whose features were extracted
	ImportedImages         int // images whose features were read from files of other programs
	// Digests is the folder that keeps the digests of files that this process has used
	// for the first time; "" if there are none.
	Digests string
}
