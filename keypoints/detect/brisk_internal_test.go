package detect

import (
	"runtime"
	"testing"

	"descbench/keypoints"
)

func TestAnInstanceOfBRISKIsUsedAgainByOneCallerAtATime(t *testing.T) {
	wide := keypoints.Params{"pattern_scale": 1.5}
	first, done := BRISK(nil)
	other, otherDone := BRISK(nil)
	if first == other {
		t.Error("two callers have the same instance")
	}
	done()
	if b, done := BRISK(wide); b == first {
		t.Error("an instance of other parameters")
	} else {
		done()
	}
	again, done := BRISK(nil)
	if again != first {
		t.Error("the idle instance was not used again")
	}
	done()
	otherDone()
}

func TestIdleInstancesOfBRISKAreAsManyAsProcessors(t *testing.T) {
	var all []func()
	for range runtime.GOMAXPROCS(0) + 2 {
		_, done := BRISK(nil)
		all = append(all, done)
	}
	for _, done := range all {
		done()
	}
	if n := len(idleBRISK.idle); n != runtime.GOMAXPROCS(0) {
		t.Errorf("%d idle instances on %d processors", n, runtime.GOMAXPROCS(0))
	}
}
