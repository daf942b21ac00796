package charts

import (
	"context"
	"fmt"
	"strings"

	"descbench/eval"
	"descbench/eval/scope"
	"descbench/pipeline/fold"
	"descbench/pipeline/report/figure"
	"descbench/pipeline/store"
)

// cost draws mAP against the time of extraction per keypoint.
func cost(_ context.Context, d *data) (figure.Drawing, string, error) {
	g := &figure.Graph{X: figure.Axis{Label: "extraction (µs per keypoint)", Log: true}, Y: figure.Share(mapLabel)}
	var untimed []string
	for _, s := range d.systems {
		us, ok := extraction(s)
		if !ok {
			untimed = append(untimed, s.Name)
			continue
		}
		g.Curves = addMark(g.Curves, s, us, interval(s, scope.All, eval.MAP))
	}
	if g.Curves == nil {
		return nil, "", missing("the time of no extraction is known: all features came from other programs")
	}
	said := []string{"Time to describe a keypoint on one processor core, when the features were extracted. It includes the fixed cost per image, such as scaling it, so that each keypoint costs more if there are few. Other work on the machine lengthens it.", intervals}
	if untimed != nil {
		said = append(said, fmt.Sprintf("Without a time, because features came from another program: %s.", strings.Join(untimed, ", ")))
	}
	return g, d.caption(scope.All, said...), nil
}

// extraction returns the time of extraction in µs per keypoint. ok is false if no
// scene has a known time.
func extraction(s *fold.System) (us float64, ok bool) {
	seconds, keypoints := 0.0, 0
	for _, t := range s.Run.Timings {
		// Otherwise the time does not cover all of the scene's keypoints.
		if t.Descriptor == s.Descriptor && t.Stage == store.DescribeStage && t.OfAllWork() && t.Seconds > 0 {
			seconds += t.Seconds
			keypoints += t.Keypoints
		}
	}
	return 1e6 * seconds / float64(max(keypoints, 1)), keypoints > 0
}
