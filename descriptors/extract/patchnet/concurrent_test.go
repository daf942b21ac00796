package patchnet_test

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"

	"descbench/descriptors"
	"descbench/descriptors/extract/patchnet"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// manyAtATime describes the same keypoints in many goroutines.
func manyAtATime(t *testing.T, n *patchnet.Net, img detect.Image, kps []keypoints.Keypoint, want *descriptors.Matrix) {
	t.Helper()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 3 {
				if got, err := n.Describe(img, kps); err != nil || !equal(got, want) {
					t.Errorf("other rows than alone, or error %v", err)
				}
			}
		})
	}
	wg.Wait()
}

func TestDescriptorsAreTheSameFromManyGoroutines(t *testing.T) {
	img := detecttest.Textured(160, 120, 1).Image(t)
	s := newSmall(3, 16, 8, 32)
	o := patchnet.DefaultOptions()
	o.InputSize, o.Channels = s.side, "bgr"
	n := mustLoad(t, s.model(0), o)
	kps := scattered(100, 160, 120)
	manyAtATime(t, n, img, kps, mustDescribe(t, n, img, kps...))
}

// resident returns the memory, in bytes, that the process has.
func resident(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skipf("no way to tell the memory in use: %v", err)
	}
	var total, pages int
	if _, err := fmt.Sscan(string(text), &total, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

func TestNothingIsLeftOfNetworks(t *testing.T) {
	img := detecttest.Textured(60, 50, 1).Image(t)
	big := newSmall(1, 32, 8, 128) // 3.7 MB
	o := patchnet.DefaultOptions()
	good, colour := big.model(0), newSmall(3, 32, 8, 128).model(0)
	broken := good[:len(good)/2]
	o.Batch = 4
	use := func() {
		n, err := patchnet.Load("model", good, o)
		if err != nil {
			t.Fatal(err)
		}
		defer n.Close()
		mustDescribe(t, n, img, scattered(9, 60, 50)...)
		if _, err := patchnet.Load("model", colour, o); err == nil {
			t.Fatal("a network for grey patches takes colour")
		}
		if _, err := patchnet.Load("model", broken, o); err == nil {
			t.Fatal("a broken model is no error")
		}
	}
	for range 5 {
		use()
	}
	runtime.GC()
	before := resident(t)
	const times = 40
	for range times {
		use()
	}
	runtime.GC()
	if grown := resident(t) - before; grown > times*len(good)/2 {
		t.Errorf("%d uses of models of %d bytes left %d", times, len(good), grown)
	}
}
