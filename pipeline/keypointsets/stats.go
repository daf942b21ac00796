package keypointsets

import (
	"math"
	"slices"

	"descbench/keypoints"
	"descbench/pipeline/dataset"
)

// Stats holds statistics of the keypoints of one scene or of all scenes.
type Stats struct {
	Scene     string
	Images    int
	Keypoints int
	NoAngle   int         // see keypoints.Set.WithoutAngle
	PerImage  [3]float64  // minimum, median and maximum of the number of keypoints of an image
	Size      []float32   // px, at each of Quantiles; nil without keypoints
	Response  []float32   // in the detector's units, likewise
	Octaves   map[int]int // keypoints by octave, over all layers
	Inside    []float64   // the share of keypoints inside each of Borders; nil without keypoints
}

// Quantiles are those of a distribution that Stats has: quantile q is the smallest value v such
// that at least the share q of all values is at most v.
var Quantiles = []float64{0, .05, .25, .5, .75, .95, 1}

// Borders lists border widths common in experiments, in px. Keypoints are inside under the closed
// rule.
var Borders = []float64{0, 10, 20, 40, 80}

// Statistics gathers the values of images that statistics are computed from.
type Statistics struct {
	counts           []int // by image
	sizes, responses []float32
	octaves          map[int]int
	noAngle          int
	inside           []int // by border
}

// Add adds the sets of a scene, one per image.
func (g *Statistics) Add(scene *dataset.Scene, sets []keypoints.Set) {
	if g.counts == nil {
		g.octaves, g.inside = make(map[int]int), make([]int, len(Borders))
	}
	for i, img := range scene.Images {
		s := sets[i]
		g.counts = append(g.counts, s.Len())
		for _, k := range s.Keypoints {
			g.sizes = append(g.sizes, k.Size)
			g.responses = append(g.responses, k.Response)
			octave, _ := keypoints.UnpackOctave(k.Octave)
			g.octaves[octave]++
		}
		g.noAngle += s.WithoutAngle()
		for b, px := range Borders {
			g.inside[b] += len(s.RowsInsideBorder(img.Width, img.Height, keypoints.Border{Px: px}))
		}
	}
}

// Of returns the statistics of what was added, under the name of a scene. It sorts the gathered values in place.
func (g *Statistics) Of(scene string) Stats {
	n := len(g.sizes)
	s := Stats{Scene: scene, Images: len(g.counts), Keypoints: n, NoAngle: g.noAngle, Size: quantiles(g.sizes), Response: quantiles(g.responses), Octaves: g.octaves}
	if images := len(g.counts); images > 0 {
		slices.Sort(g.counts)
		s.PerImage = [3]float64{float64(g.counts[0]), float64(g.counts[(images-1)/2]+g.counts[images/2]) / 2, float64(g.counts[images-1])}
	}
	for _, inside := range g.inside {
		if n > 0 {
			s.Inside = append(s.Inside, float64(inside)/float64(n))
		}
	}
	return s
}

func quantiles(values []float32) (out []float32) {
	slices.Sort(values)
	for _, q := range Quantiles {
		if n := len(values); n > 0 {
			out = append(out, values[max(0, int(math.Ceil(q*float64(n)))-1)])
		}
	}
	return out
}
