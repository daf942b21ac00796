package extract_test

import (
	"testing"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/eval/paired"
	"descbench/keypoints"
	"descbench/keypoints/detect/detecttest"
)

// What one pass saves, for every kind that shares a scale space with its
// detector, by defaults on an image of 800×640 px.
func BenchmarkDetectAndDescribe(b *testing.B) {
	img := detecttest.Real(b, "v_graffiti", "1.png")
	for _, d := range keypoints.Detectors() {
		for _, k := range descriptors.Kinds() {
			dp, kp := keypoints.Defaults(d.Params), keypoints.Defaults(k.Params)
			if !extract.CanShare(d.Name, dp, k.Name, kp) {
				continue
			}
			b.Run(d.Name+"/two", func(b *testing.B) {
				for b.Loop() {
					set, err := extract.Detect(img, d.Name, dp)
					if err != nil {
						b.Fatal(err)
					}
					if _, err := extract.Extract(img, set.Keypoints, k.Name, kp); err != nil {
						b.Fatal(err)
					}
				}
			})
			b.Run(d.Name+"/one", func(b *testing.B) {
				for b.Loop() {
					if _, _, err := extract.DetectAndDescribe(img, d.Name, dp, k.Name, kp); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkSURFAndSIFT detects and describes an image by SURF, and in turn by
// OpenCV's SIFT, both by defaults.
func BenchmarkSURFAndSIFT(b *testing.B) {
	img := detecttest.Real(b, "v_graffiti", "1.png")
	keypointsOf := map[string]int{}
	work := func(name string) paired.Work {
		kind, _ := descriptors.FindKind(name)
		var dp keypoints.Params
		for _, d := range keypoints.Detectors() {
			if d.Name == name {
				dp = keypoints.Defaults(d.Params)
			}
		}
		return paired.Here(func() {
			set, _, err := extract.DetectAndDescribe(img, name, dp, name, keypoints.Defaults(kind.Params))
			if err != nil {
				b.Fatal(err)
			}
			keypointsOf[name] = set.Len()
		})
	}
	paired.Compare(b, work("surf"), work("sift"))
	b.ReportMetric(float64(keypointsOf["surf"]), "keypoints")
	b.ReportMetric(float64(keypointsOf["sift"]), "peer-keypoints")
}
