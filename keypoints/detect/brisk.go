package detect

import (
	"runtime"
	"slices"
	"sync"

	"gocv.io/x/gocv"

	"descbench/keypoints"
)

// newBRISK returns OpenCV's BRISK, which finds keypoints with room for the descriptor's
// pattern, layer by layer. The octave of a keypoint is the number of its layer, two per
// octave.
func newBRISK(p keypoints.Params) detector {
	key := briskKey{p.Int("thresh"), p.Int("octaves"), float32(p.Float("pattern_scale"))}
	idleBRISK.Lock()
	defer idleBRISK.Unlock()
	if i := slices.IndexFunc(idleBRISK.idle, func(b pooledBRISK) bool { return b.key == key }); i >= 0 {
		found := idleBRISK.idle[i]
		idleBRISK.idle = slices.Delete(idleBRISK.idle, i, i+1)
		return found
	}
	made := gocv.NewBRISKWithParams(key.thresh, key.octaves, key.patternScale)
	return pooledBRISK{&made, key}
}

// A pooledBRISK is an instance that is the caller's alone until the caller closes it.
//
// An instance holds 47 MB of sampling patterns, which take 50 ms to compute: about
// as long as it takes to describe 1000 patches. Close therefore keeps as many
// instances as there are processors, whatever their parameters. They have no other
// state.
type pooledBRISK struct {
	*gocv.BRISK
	key briskKey
}

type briskKey struct {
	thresh, octaves int
	patternScale    float32
}

// idleBRISK holds instances that are not in use, the longest unused first.
var idleBRISK struct {
	sync.Mutex
	idle []pooledBRISK
}

// Close leaves the instance to later callers.
func (b pooledBRISK) Close() error {
	p := &idleBRISK
	p.Lock()
	defer p.Unlock()
	p.idle = append(p.idle, b)
	if len(p.idle) > runtime.GOMAXPROCS(0) {
		p.idle[0].BRISK.Close()
		p.idle = slices.Delete(p.idle, 0, 1)
	}
	return nil
}
