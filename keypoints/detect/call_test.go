package detect_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"gocv.io/x/gocv"

	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// refused asks SIFT for a row of an octave and layer that are not in the
// pyramid of a 64×64 image, so that it throws: there are three layers, and
// octave 7 would be half a pixel wide. It reports whether there is a row.
func refused(img detect.Image, octave int) func() bool {
	return func() bool {
		sift := gocv.NewSIFT()
		defer sift.Close()
		_, rows := sift.Compute(img.Gray, gocv.Mat{}, []gocv.KeyPoint{{X: 20, Y: 20, Size: 8, Octave: octave}})
		defer rows.Close()
		return rows.Rows() == 1
	}
}

const layerNine, octaveSeven = 9 << 8, 1<<8 | 7

func TestCallTellsInOneLineWhyOpenCVRefused(t *testing.T) {
	img := detecttest.Textured(64, 64, 1).Image(t)
	err := detect.Call(refused(img, layerNine))
	if err == nil || !strings.Contains(err.Error(), "actualNLayers <= nOctaveLayers") {
		t.Fatalf("error %v, want OpenCV's assertion", err)
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("more than one line: %q", err)
	}
}

func TestCallTakesNoOldExceptionForAReason(t *testing.T) {
	img := detecttest.Textured(64, 64, 1).Image(t)
	refused(img, layerNine)()
	if err := detect.Call(func() bool { return false }); err != nil {
		t.Errorf("error %v of an earlier call", err)
	}
}

func TestCallRunsASuccessOnceAndAFailureTwice(t *testing.T) {
	for succeeds, want := range map[int]int{1: 1, 2: 2, 3: 2} { // number of the run that succeeds
		runs := 0
		if err := detect.Call(func() bool { runs++; return runs == succeeds }); err != nil || runs != want {
			t.Errorf("%d runs, error %v; want %d", runs, err, want)
		}
	}
}

// The repetition must see no other call's exception: calls that fail for one
// of two reasons, and images without keypoints, are run against each other.
func TestCallGivesEachGoroutineItsOwnReason(t *testing.T) {
	img := detecttest.Textured(64, 64, 1).Image(t)
	flat := detecttest.Grey(64, 64, func(int, int) float64 { return 9 }).Image(t)
	sift := defaults(t, "sift")
	var wrong atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 25 {
				if err := detect.Call(refused(img, layerNine)); err == nil || !strings.Contains(err.Error(), "actualNLayers") {
					wrong.Add(1)
				}
				if err := detect.Call(refused(img, octaveSeven)); err == nil || !strings.Contains(err.Error(), "resize") {
					wrong.Add(1)
				}
				if _, err := detect.Detect(flat, "sift", sift); err != nil {
					wrong.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if n := wrong.Load(); n != 0 {
		t.Errorf("%d calls got another's reason or none", n)
	}
}

func TestAPanicInACallLocksNothing(t *testing.T) {
	for _, failFirst := range []bool{false, true} {
		func() {
			defer func() { _ = recover() }()
			runs := 0
			_ = detect.Call(func() bool {
				if runs++; failFirst && runs == 1 {
					return false
				}
				panic("as gocv's Compute for an empty list")
			})
		}()
	}
	if err := detect.Call(func() bool { return false }); err != nil { // would wait for ever
		t.Error(err)
	}
}
