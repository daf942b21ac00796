package pipeline

import (
	"descbench/pipeline/config"
	"descbench/pipeline/store"
	"fmt"
	"slices"
	"strings"
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
