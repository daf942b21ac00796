package fold

import (
	"descbench/pipeline/config"
	"descbench/pipeline/store"
)

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
