package detect

import (
	"runtime"
	"sync"

	"gocv.io/x/gocv"

	"descbench/keypoints"
)

// BRISK returns OpenCV's BRISK with the parameters of the brisk detector, the
// descriptor or both; parameters missing from p get their defaults. It is the
// caller's alone until the caller calls done.
//
// An instance holds 47 MB of sampling patterns, which take 50 ms to compute: about
// as long as it takes to describe 1000 patches. done therefore keeps as many
// instances as there are processors, whatever their parameters. They have no other
// state.
func BRISK(p keypoints.Params) (b *gocv.BRISK, done func()) {
	p = Complete("brisk", nil, p)
	key := briskKey{p.Int("thresh"), p.Int("octaves"), float32(p.Float("pattern_scale"))}
	b = idleBRISK.take(key)
	if b == nil {
		made := gocv.NewBRISKWithParams(key.thresh, key.octaves, key.patternScale)
		b = &made
	}
	return b, func() { idleBRISK.put(key, b) }
}

type briskKey struct {
	thresh, octaves int
	patternScale    float32
}

// A briskPool holds instances that are not in use, the longest unused first.
type briskPool struct {
	mu   sync.Mutex
	idle []idleInstance
}

type idleInstance struct {
	key   briskKey
	brisk *gocv.BRISK
}

var idleBRISK briskPool

// take removes and returns an instance, or nil if there is none with this key.
func (p *briskPool) take(key briskKey) *gocv.BRISK {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, idle := range p.idle {
		if idle.key == key {
			p.idle = append(p.idle[:i], p.idle[i+1:]...)
			return idle.brisk
		}
	}
	return nil
}

func (p *briskPool) put(key briskKey, b *gocv.BRISK) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, idleInstance{key, b})
	if len(p.idle) > runtime.GOMAXPROCS(0) {
		p.idle[0].brisk.Close()
		p.idle = p.idle[1:]
	}
}

// detectBRISK finds BRISK keypoints with room for the descriptor's pattern in
// the grey image, layer by layer. The octave of a keypoint is the number of its
// layer, two per octave.
func detectBRISK(img Image, p keypoints.Params) ([]keypoints.Keypoint, error) {
	brisk, done := BRISK(p)
	defer done()
	return find(brisk, img.Gray)
}
