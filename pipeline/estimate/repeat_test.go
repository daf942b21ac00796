package estimate_test

import (
	"runtime"
	"sync"
	"testing"

	"gocv.io/x/gocv"

	"descbench/keypoints"
	"descbench/pipeline/estimate"
)

type result struct {
	H  keypoints.Homography
	OK bool
}

type problem struct {
	src, dst  []estimate.Point
	estimator string
	want      result // when estimated first, alone
}

func (p problem) solve(t *testing.T) result {
	h, ok, err := homography(p.src, p.dst, p.estimator)
	if err != nil {
		t.Error(err)
	}
	return result{h, ok}
}

// problems are easy and hopeless ones, of several sizes. In the hopeless ones
// it is chance which of many bad homographies is found.
func problems(t *testing.T) []problem {
	var all []problem
	for _, n := range []int{4, 6, 50, 700} {
		for _, outliers := range []float64{0, 0.6, 1} {
			src, dst := matches(truths["tilt"], n, outliers, 0.7, uint64(n))
			for _, estimator := range names() {
				p := problem{src: src, dst: dst, estimator: estimator}
				p.want = p.solve(t)
				all = append(all, p)
			}
		}
	}
	return all
}

// OpenCV has a random number generator per thread, which whatever runs there
// advances, and goroutines wander from thread to thread.
func TestEstimatesAreTheSameFromManyGoroutinesWhateverTheirThreadsRandomNumbers(t *testing.T) {
	all := problems(t)
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			runtime.LockOSThread() // and ends with it
			gocv.SetRNGSeed(1000 * worker)
			for i := range all {
				p := all[(i*5+worker*7)%len(all)]
				if got := p.solve(t); got != p.want {
					t.Errorf("seed %d, %s, %d matches: %v, alone %v", worker, p.estimator, len(p.src), got.H, p.want.H)
				}
			}
		})
	}
	wg.Wait()
}
