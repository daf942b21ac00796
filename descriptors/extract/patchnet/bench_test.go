package patchnet_test

import (
	"testing"

	"descbench/descriptors/extract/patchnet"
	"descbench/keypoints/detect/detecttest"
)

// BenchmarkDescribe describes 1000 keypoints of 1 to 11 px in an image of
// 640×480 px. The network that only looks costs hardly more than the patches
// do; the other has 32 filters of 3×3 and one layer behind them.
func BenchmarkDescribe(b *testing.B) {
	img := detecttest.Textured(640, 480, 1).Image(b)
	kps := scattered(1000, 640, 480)
	for name, model := range map[string][]byte{"looking": looking(0, 1, 32), "small": newSmall(1, 32, 32, 128).model(0)} {
		b.Run(name, func(b *testing.B) {
			n := mustLoad(b, model, patchnet.DefaultOptions())
			for b.Loop() {
				mustDescribe(b, n, img, kps...)
			}
		})
	}
}
