package plan

import "log/slog"

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
