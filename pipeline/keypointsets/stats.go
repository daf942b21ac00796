package keypointsets

import (
	"maps"
	"math"
	"slices"

	"descbench/keypoints"
	"descbench/pipeline/dataset"
)

// Stats holds statistics of the keypoints of one scene or of all scenes.
type Stats struct {
	Scene     string // "" for all scenes
	Images    int
	Keypoints int
	PerImage  PerImage
	Size      *Quantiles // nil without keypoints
	Response  *Quantiles
	Octaves   []OctaveCount // ascending
	NoAngle   int           // see keypoints.Set.WithoutAngle
	Inside    []BorderShare // empty without keypoints
}

// PerImage summarises the number of keypoints per image.
type PerImage struct {
	Min    int
	Median float64
	Max    int
}

// Quantiles holds quantiles of a distribution: quantile q is the smallest value v
// such that at least the share q of all values is at most v.
type Quantiles struct {
	Min    float32
	Q05    float32
	Q25    float32
	Median float32
	Q75    float32
	Q95    float32
	Max    float32
}

// An OctaveCount is the number of keypoints in an octave, over all layers.
type OctaveCount struct {
	Octave    int
	Keypoints int
}

// A BorderShare is the share of keypoints that are inside a border under the
// closed rule.
type BorderShare struct {
	Px    float64
	Share float64
}

// statsBorders lists border widths common in experiments, in px.
var statsBorders = []float64{0, 10, 20, 40, 80}

// Statistics are gathered scene by scene.
type Statistics struct {
	all    *gathered
	scenes []Stats
}

// NewStatistics returns the statistics of no scenes.
func NewStatistics() *Statistics { return &Statistics{all: newGathered()} }

// Add adds the sets of a scene, one per image.
func (s *Statistics) Add(scene *dataset.Scene, sets []keypoints.Set) {
	one := newGathered()
	for i, img := range scene.Images {
		s.all.add(img, sets[i])
		one.add(img, sets[i])
	}
	stats := one.stats()
	stats.Scene = scene.Name
	s.scenes = append(s.scenes, stats)
}

// Get returns the statistics of all scenes together and of each scene.
func (s *Statistics) Get() (all Stats, scenes []Stats) { return s.all.stats(), s.scenes }

// gathered collects the values that statistics are computed from.
type gathered struct {
	counts           []int // by image
	sizes, responses []float32
	octaves          map[int]int
	noAngle          int
	inside           []int // by border
}

func newGathered() *gathered {
	return &gathered{octaves: make(map[int]int), inside: make([]int, len(statsBorders))}
}

func (g *gathered) add(img dataset.ImageFile, s keypoints.Set) {
	g.counts = append(g.counts, s.Len())
	for _, k := range s.Keypoints {
		g.sizes = append(g.sizes, k.Size)
		g.responses = append(g.responses, k.Response)
		octave, _ := keypoints.UnpackOctave(k.Octave)
		g.octaves[octave]++
	}
	g.noAngle += s.WithoutAngle()
	for i, px := range statsBorders {
		g.inside[i] += len(s.RowsInsideBorder(img.Width, img.Height, keypoints.Border{Px: px}))
	}
}

// stats computes the statistics. It sorts the collected values in place.
func (g *gathered) stats() Stats {
	n := len(g.sizes)
	s := Stats{
		Images: len(g.counts), Keypoints: n, PerImage: perImage(g.counts), NoAngle: g.noAngle,
		Size: quantiles(g.sizes), Response: quantiles(g.responses),
		Octaves: []OctaveCount{}, Inside: []BorderShare{},
	}
	for _, o := range slices.Sorted(maps.Keys(g.octaves)) {
		s.Octaves = append(s.Octaves, OctaveCount{o, g.octaves[o]})
	}
	for i, px := range statsBorders {
		if n > 0 {
			s.Inside = append(s.Inside, BorderShare{px, float64(g.inside[i]) / float64(n)})
		}
	}
	return s
}

func perImage(counts []int) PerImage {
	if len(counts) == 0 {
		return PerImage{}
	}
	slices.Sort(counts)
	n := len(counts)
	return PerImage{Min: counts[0], Median: float64(counts[(n-1)/2]+counts[n/2]) / 2, Max: counts[n-1]}
}

func quantiles(values []float32) *Quantiles {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	// The smallest value such that at least the share q of all values is at most it.
	at := func(q float64) float32 { return values[max(0, int(math.Ceil(q*float64(len(values))))-1)] }
	return &Quantiles{at(0), at(.05), at(.25), at(.5), at(.75), at(.95), at(1)}
}
