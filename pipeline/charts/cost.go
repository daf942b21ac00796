package charts

import (
	"context"
	"fmt"
	"math"
	"strings"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/fold"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/store"
)

// cost draws mAP against the time of extraction per keypoint.
func cost(_ context.Context, d *data, _ string) (drawing, error) {
	g := &figure.Graph{X: figure.Axis{Label: "extraction (µs per keypoint)", Log: true}, Y: figure.Share("mAP")}
	var partly []string
	for _, s := range d.systems {
		if _, scenes := extraction(s); scenes < len(s.Summary.Scenes) {
			partly = append(partly, fmt.Sprintf("%s, %d of %d", s.Name, scenes, len(s.Summary.Scenes)))
		}
	}
	said := []string{"Time to describe a keypoint, measured when the features were extracted. It includes the fixed cost of an image, so each keypoint takes longer in images with few keypoints. Built-in descriptors use one processor core; functions may use more, and are measured by elapsed time."}
	if partly != nil {
		said = append(said, fmt.Sprintf("Over the scenes without features of other programs or lost files of times: %s.", strings.Join(partly, "; ")))
	}
	const why = "no time of extraction is known: all features came from other programs, or the run was shared without times"
	return d.graph(g, said, intervals, why, func(s *fold.System) figure.Curve {
		v, _ := extraction(s)
		return markAt(s, v, interval(s, scope.All, catalogue.MAP))
	})
}

// extraction returns the time of extraction in µs per keypoint, or NaN if no scene has
// a known time, and the number of scenes that have one.
func extraction(s *fold.System) (us float64, scenes int) {
	seconds, keypoints := 0.0, 0
	for _, t := range s.Run.Timings {
		// Otherwise the time does not cover all of the scene's keypoints.
		if t.Descriptor == s.Descriptor && t.Stage == store.DescribeStage && t.OfAllWork() && t.Seconds > 0 {
			seconds += t.Seconds
			keypoints += t.Keypoints
			scenes++
		}
	}
	if keypoints == 0 {
		return math.NaN(), 0
	}
	return 1e6 * seconds / float64(keypoints), scenes
}
