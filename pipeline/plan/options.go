package plan

import (
	"log/slog"

	"descbench/pipeline/child"
)

// Options control how a run is executed. They never change its results.
type Options struct {
	Jobs      int    // processor cores to use, at least 1
	CacheDir  string // folder of cached detections, features and estimates
	Shard     Shard  // part of the scenes to work on
	Wait      bool   // wait for the units of other shards that the share needs, or compute them
	Overwrite bool   // replace a run folder that has a different config or different data
	Data      string // folder of the scenes, if not that of the run; ""
	Version   string // program version for environment.json

	// Functions are what the programs of the config say of themselves, by their keys; nil
	// if they have not been started.
	Functions map[string]child.Function

	Progress func(Event)  // called from one goroutine at a time; may be nil
	Log      *slog.Logger // messages that do not stop the run; may be nil
}

// Logger returns Log, or a logger that discards everything.
func (o Options) Logger() *slog.Logger {
	if o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return o.Log
}

// An Event reports that a unit is done, or at the start that some are.
type Event struct {
	Scene      string // "" for the start of a run with units that already exist
	Descriptor string // "" if the event concerns the whole scene
	// Failed is the reason, if the unit could not be computed and the reason is not
	// that of an earlier unit of the scene.
	Failed  string
	Resumed bool // the unit already existed
	Done    int  // units done, including this one and those that existed at the start
	Total   int  // units in this process's share
	// Running holds the current micro mAP of every descriptor of the plan, over
	// the Scenes that this process has computed for all descriptors; NaN without any.
	Running []RunningMAP
	Scenes  int
}

// A RunningMAP is the current micro mAP of one descriptor.
type RunningMAP struct {
	Descriptor string
	MAP        float64
}
