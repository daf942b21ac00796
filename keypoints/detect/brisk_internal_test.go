package detect

import (
	"runtime"
	"testing"

	"descbench/keypoints"
)

func TestAnInstanceOfBRISKIsUsedAgainByOneCallerAtATime(t *testing.T) {
	first, other := newBRISK(complete("brisk", nil)), newBRISK(complete("brisk", nil))
	if first == other {
		t.Error("two callers have the same instance")
	}
	first.Close()
	wide := newBRISK(complete("brisk", keypoints.Params{"pattern_scale": 1.5}))
	if wide == first {
		t.Error("an instance of other parameters")
	}
	wide.Close()
	again := newBRISK(complete("brisk", nil))
	if again != first {
		t.Error("the idle instance was not used again")
	}
	again.Close()
	other.Close()
}

func TestIdleInstancesOfBRISKAreAsManyAsProcessors(t *testing.T) {
	var all []detector
	for range runtime.GOMAXPROCS(0) + 2 {
		all = append(all, newBRISK(complete("brisk", nil)))
	}
	for _, b := range all {
		b.Close()
	}
	if n := len(idleBRISK.idle); n != runtime.GOMAXPROCS(0) {
		t.Errorf("%d idle instances on %d processors", n, runtime.GOMAXPROCS(0))
	}
}
