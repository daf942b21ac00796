package patchnet_test

import (
	"testing"

	"descbench/descriptors/extract/patchnet"
	"descbench/eval/paired"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/keypoints/detect/detecttest"
)

// BenchmarkDescribeEach describes 1500 patches of 65×65 px, the size of a strip, by
// HardNet's architecture in batches of 64. Its peer is OpenCV's forward pass alone,
// on as many full batches.
func BenchmarkDescribeEach(b *testing.B) {
	const count = 1500
	img := detecttest.Textured(65, 65, 1).Image(b)
	kps := make([]keypoints.Keypoint, count)
	for i := range kps {
		kps[i] = at(32, 32, 65./6, -1)
	}
	for name, batch := range map[string]int{"dynamic": 0, "fixed": 64} {
		b.Run(name, func(b *testing.B) {
			n := mustLoad(b, hardNet(batch), patchnet.DefaultOptions())
			paired.Compare(b, paired.Here(func() {
				_, err := n.DescribeEach(count, func(int) (detect.Image, error) {
					return detect.NewImage(img.BGR.Clone())
				}, kps)
				if err != nil {
					b.Fatal(err)
				}
			}), paired.Here(func() {
				if err := n.Forward((count + 63) / 64); err != nil {
					b.Fatal(err)
				}
			}))
		})
	}
}
