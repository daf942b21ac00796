package surf

import "testing"

// At this threshold the real image, of 800×640 pixels, has 2901 keypoints with
// windows of 32 million pixels in all, the synthetic one of the same size 1804.
func BenchmarkDetectAndDescribe(b *testing.B) {
	b.Run("real", func(b *testing.B) { benchmark(b, realImage(b, "v_graffiti", "1.png")) })
	b.Run("synthetic", func(b *testing.B) { benchmark(b, clouds(800, 640, 1)) })
}

func benchmark(b *testing.B, g *Gray) {
	p := defaults()
	p.HessianThreshold = 400
	b.ReportAllocs()
	keypoints := 0
	for b.Loop() {
		kps, _, err := DetectAndDescribe(g, p)
		if err != nil {
			b.Fatal(err)
		}
		keypoints = len(kps)
	}
	b.ReportMetric(float64(keypoints), "keypoints")
}
