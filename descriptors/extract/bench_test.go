package extract_test

import (
	"testing"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/eval/must"
	"descbench/eval/paired"
	"descbench/keypoints"
	"descbench/keypoints/detect/detecttest"
)

// BenchmarkSURFAndSIFT detects and describes an image by SURF, and in turn by
// OpenCV's SIFT, both by defaults.
func BenchmarkSURFAndSIFT(b *testing.B) {
	img := detecttest.Real(b, "v_graffiti", "1.png")
	keypointsOf := map[string]int{}
	work := func(name string) paired.Work {
		kind, _ := descriptors.FindKind(name)
		detector, _ := keypoints.FindDetector(name)
		return paired.Here(func() {
			set, _, err := extract.DetectAndDescribe(img, name, keypoints.Defaults(detector.Params), name, keypoints.Defaults(kind.Params))
			must.Do(b, err)
			keypointsOf[name] = set.Len()
		})
	}
	paired.Compare(b, work("surf"), work("sift"))
	b.ReportMetric(float64(keypointsOf["surf"]), "keypoints")
	b.ReportMetric(float64(keypointsOf["sift"]), "peer-keypoints")
}
