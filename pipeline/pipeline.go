// Package pipeline runs an experiment: it turns a config into query records,
// unit by unit, and folds the records into results.
//
// The data's way:
//
//	config ─► Plan                     which scenes, sets and descriptors
//	scene  ─► set units                the keypoints of its images
//	scene × descriptor ─► eval units   features (cached by content), ranks, records
//	units  ─► Fold                     queries.parquet, metrics.csv, summary.json, results.sqlite
//
// Units are written once and in any order, by any number of processes; Fold
// reads them in the order of the plan. So the results do not depend on who
// computed what when.
package pipeline

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"descbench/pipeline/config"
	"descbench/pipeline/store"
)

// Options say how a run is carried out. They never change its results.
type Options struct {
	Jobs      int    // processor cores to use, at least 1
	CacheDir  string // folder of cached detections and features
	Shard     Shard  // the part of the scenes to work on
	Overwrite bool   // replace a run folder of another config or of other data
	Version   string // of the program, for environment.json

	Progress func(Event)  // called from one goroutine at a time; nil for none
	Log      *slog.Logger // facts that do not stop the run
}

// An Event tells that a unit is done.
type Event struct {
	Scene      string
	Descriptor string
	Failed     string // the reason, if the unit could not be computed
	Resumed    bool   // the unit was there already
	Done       int    // units done, this one included
	Total      int    // units of this process's share
	// Running is the micro mAP so far of every descriptor of the plan, over
	// the units computed by this process; NaN before the first.
	Running []RunningMAP
}

// A RunningMAP is one descriptor's micro mAP so far.
type RunningMAP struct {
	Descriptor string
	MAP        float64
}

// An Outcome is a finished run.
type Outcome struct {
	Folder  string
	Config  *config.Config
	Summary *store.Summary // nil for a shard, which does not fold
	Timings []store.Timing // of the units, also those of earlier processes
	Share   Share          // of this process
}

// A Share counts what one process did.
type Share struct {
	Units, Resumed, Failed int // scene × descriptor
	CachedImages           int // images whose features came from the cache
	ExtractedImages        int // images whose features were extracted
}

// A DataError is a fault of the data set or of the place where results go, as
// opposed to one of the user's input or of the program.
type DataError struct{ Err error }

func (e *DataError) Error() string { return e.Err.Error() }
func (e *DataError) Unwrap() error { return e.Err }

func dataErrorf(format string, args ...any) error {
	return &DataError{fmt.Errorf(format, args...)}
}

// A FailedScenesError tells that the run finished, but that its results do not
// cover every scene asked for.
type FailedScenesError struct {
	Requested int
	Failed    map[string]string // scene: reason
}

func (e *FailedScenesError) Error() string {
	names := make([]string, 0, len(e.Failed))
	for name := range e.Failed {
		names = append(names, name)
	}
	slices.Sort(names)
	return fmt.Sprintf("%d of %d scenes failed: %s", len(names), e.Requested, strings.Join(names, ", "))
}

// All reports whether not a single scene was evaluated.
func (e *FailedScenesError) All() bool { return len(e.Failed) == e.Requested }
