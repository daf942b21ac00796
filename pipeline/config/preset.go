package config

import (
	"fmt"
	"slices"
	"strings"

	"descbench/eval/matching"
)

// The presets of papers. Their metrics are always computed; the presets set the
// scenes, the size of the images, and the estimators.
const (
	// gluefactory is the evaluation of Lindenberger, Sarlin, Pollefeys, LightGlue, ICCV
	// 2023, as gluefactory/eval/hpatches.py of cvg/glue-factory does it: 108 scenes,
	// short side 480 px, homographies by DLT and by a robust estimator with an inlier
	// threshold of 1 px by default.
	gluefactory = "gluefactory"
	// d2net is the evaluation of Dusmanu et al., D2-Net, CVPR 2019, as the notebook in
	// hpatches_sequences of mihaidusmanu/d2-net does it: 108 scenes, images as they are,
	// mutual nearest neighbours, mean over pairs of the share within 1 to 10 px.
	d2net = "d2net"
)

// PresetMetrics returns the metrics that the authors of the preset print, nil for
// those of rankings.
func (c *Config) PresetMetrics() []string {
	var names []string
	switch c.Evaluation.Preset {
	case gluefactory:
		for _, estimator := range c.Evaluation.Estimators {
			for _, px := range []int{1, 3, 5} {
				names = append(names, fmt.Sprintf("%s_homography_auc@%d", estimator, px))
			}
		}
		return append(names, "match_precision_median@1", "match_precision_median@3", "matches_per_pair")
	case d2net:
		for px := 1; px <= 10; px++ {
			names = append(names, fmt.Sprintf("mma@%d", px))
		}
		return append(names, "matches_per_pair")
	}
	return nil
}

// PresetDeviations says how an evaluation of n scenes of the 108 deviates from the one
// that the preset is named after; nil for presets of rankings.
func (c *Config) PresetDeviations(n int) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	preset, e := c.Evaluation.Preset, c.Evaluation
	if preset != gluefactory && preset != d2net {
		return nil
	}
	if n != 108 {
		add("%d scenes of the 108 (not 108)", n)
	}
	size, want := "as they are", "as they are"
	if c.Dataset.Resize != nil {
		size = c.Dataset.Resize.String()
	}
	if preset == gluefactory {
		want = "short side 480 px"
	}
	if size != want {
		add("images %s (not %s)", size, want)
	}
	var others []string
	for _, d := range c.Descriptors {
		if m := c.MatcherOf(d); d.Matches == nil && m != matching.Mutual {
			others = append(others, fmt.Sprintf("%s by %v", d.Name, m))
		}
	}
	if others != nil {
		add("matches of %s (not mutual nearest neighbours)", strings.Join(others, ", "))
	}
	if preset == d2net {
		return out
	}
	if slices.Contains(e.Estimators, matching.DLT) {
		add("DLT without weights (glue-factory weights matches by their scores)")
	} else {
		add("no DLT (evaluation.estimators)")
	}
	robust := slices.DeleteFunc(slices.Clone(e.Estimators), func(name string) bool { return name == matching.DLT })
	switch len(robust) {
	case 0:
		add("no robust estimator (evaluation.estimators)")
	default:
		add("robust estimator %s of OpenCV (glue-factory: PoseLib or OpenCV, at 1 px, or with ransac_th -1 at the best of 0.5 to 3 px)", strings.Join(robust, ", "))
	}
	add("precision by the error in image k (glue-factory: the mean of the errors in both images); number of matches as mean (glue-factory: median)")
	add("images resized by OpenCV's area interpolation to rounded sizes (glue-factory: bilinear with antialiasing, sizes rounded down)")
	add("corners at the centres of pixels, and homographies resized with the edges of images (glue-factory: the corners (0, 0) to (w, h), and no half pixel)")
	return out
}
