package detect

import (
	"runtime"
	"testing"

	"descbench/keypoints"
)

func TestAnInstanceOfBRISKIsUsedAgainByOneCallerAtATime(t *testing.T) {
	first, other := newBRISK(Complete("brisk", nil)), newBRISK(Complete("brisk", nil))
	if first == other {
		t.Error("two callers have the same instance")
	}
	first.Close()
	wide := newBRISK(Complete("brisk", keypoints.Params{"pattern_scale": 1.5}))
	if wide == first {
		t.Error("an instance of other parameters")
	}
	wide.Close()
	again := newBRISK(Complete("brisk", nil))
	if again != first {
		t.Error("the idle instance was not used again")
	}
	again.Close()
	other.Close()
}

func TestIdleInstancesOfBRISKAreAsManyAsProcessors(t *testing.T) {
	var all []detector
	for range runtime.GOMAXPROCS(0) + 2 {
		all = append(all, newBRISK(Complete("brisk", nil)))
	}
	for _, b := range all {
		b.Close()
	}
	if n := len(idleBRISK.idle); n != runtime.GOMAXPROCS(0) {
		t.Errorf("%d idle instances on %d processors", n, runtime.GOMAXPROCS(0))
	}
}
