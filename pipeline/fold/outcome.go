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

// An Outcome holds the results of a run.
type Outcome struct {
	Folder   string
	Config   *config.Config
	Summary  *store.Summary // nil for a shard, which does not fold
	Timings  []store.Timing // of all units, including those of earlier processes
	Database string         // that the run was entered into; "": none
	Replaced []string       // results that were there and that the units gave otherwise
	Share    Share          // work done by this process
	Unstored bool           // recomputed with other settings; Folder keeps the former results

	shown    map[string]string         // names of descriptors by those in the files, if Renamed
	computed map[string][]scope.Metric // by Compute, by descriptor as in the files
}

// Stored returns the results of a folded run as they are in its folder.
func Stored(ctx context.Context, f plan.Folder) (*Outcome, error) {
	run, err := Read(string(f))
	if err != nil {
		return nil, err
	}
	if _, err := store.ReadResults(ctx, f.Database(), ""); err != nil { // undamaged, of this schema
		return nil, plan.Fault(err)
	}
	return run.Outcome, run.Failure()
}

// Enter enters the run into a shared database, unless it is "".
func (o *Outcome) Enter(ctx context.Context, database string, log *slog.Logger) error {
	if database == "" {
		return nil
	}
	rival, err := store.CopyShared(ctx, database, plan.Folder(o.Folder).Database(), func() {
		log.Info("waiting for another program that uses the database", "database", database)
	})
	if err != nil {
		return plan.Faultf("%w; the results are complete, only the database lacks them: %s", err, Command(o.Folder, database))
	}
	if rival != "" {
		log.Warn("the database has another run of this name, too; in its views, only the newer one has newest = 1", "run", rival)
	}
	o.Database = database
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
