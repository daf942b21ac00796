package charts

import (
	"context"
	"math"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/report/figure"
)

// cost draws mAP against the time of extraction per keypoint.
func cost(_ context.Context, d *data, _ string) (drawing, error) {
	g := &figure.Graph{X: figure.Axis{Label: "extraction (µs per keypoint)", Log: true}, Y: figure.Share("mAP")}
	times, unknown := make(map[*fold.System]float64), []string(nil)
	for _, s := range d.systems {
		if times[s] = report.ExtractionTime(s); math.IsNaN(times[s]) {
			unknown = append(unknown, s.Name)
		}
	}
	said := []string{"Time to describe a keypoint, measured when the features were extracted. It includes the fixed cost of an image, so each keypoint takes longer in images with few keypoints. Built-in descriptors use one processor core; functions may use more, and are measured by elapsed time."}
	if unknown != nil {
		said = append(said, "Not known, because of features of other programs or lost files of times: "+report.Listed(unknown)+".")
	}
	const why = "no descriptor has times of extraction of all scenes: features came from other programs, or files of times are missing"
	return d.graph(g, said, intervals, why, func(s *fold.System) figure.Curve {
		return markAt(s, times[s], interval(s, scope.All, catalogue.MAP))
	})
}
