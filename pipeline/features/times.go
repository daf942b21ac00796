package features

import (
	"sync"

	"descbench/keypoints"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// clock adds up the times of the stages of a scene that descriptors share.
type clock struct {
	mu             sync.Mutex
	decode, detect store.Timing
}

func (c *clock) decoded(seconds float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.decode.Seconds += seconds
	c.decode.Images++
}

// detected adds the detection of an image.
func (c *clock) detected(found keypoints.Set, seconds float64, cached bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.detect.Images++
	c.detect.Keypoints += found.Len()
	if cached {
		c.detect.Cached++
	}
	c.detect.Seconds += seconds
}

// writeTimes writes the times of the shared stages that were not skipped because their
// results existed.
func (w *Scene) writeTimes() error {
	w.clock.mu.Lock()
	defer w.clock.mu.Unlock()
	w.clock.decode.Stage, w.clock.detect.Stage = store.DecodeStage, store.DetectStage
	for _, t := range []store.Timing{w.clock.decode, w.clock.detect} {
		if t.Images == 0 {
			continue
		}
		t.Scene = w.Source.Name
		if err := w.Folder.WriteTimes(plan.SharedTimes(t.Stage), t.Scene, t); err != nil {
			return err
		}
	}
	return nil
}
