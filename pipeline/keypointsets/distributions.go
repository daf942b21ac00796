package keypointsets

import (
	"descbench/eval/stats"
	"descbench/keypoints"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
)

// Distributions are those of the keypoints of a set over all images, gathered scene
// by scene, and where in the images they are.
type Distributions struct {
	values    []stats.Distribution
	positions *stats.Positions
}

// NewDistributions returns the distributions of no scenes. name names the set in
// figures.
func NewDistributions(name string) *Distributions {
	d := &Distributions{
		values: []stats.Distribution{
			{Name: "response", Label: "response", Log: true},
			{Name: "size", Label: "size (px)", Log: true},
			{Name: "octave", Label: "octave", Whole: true},
			{Name: "angle", Label: "angle (degrees)"},
			{Name: "nearest_keypoint", Label: "distance to the nearest keypoint (px)", Log: true},
			{Name: "keypoints_per_image", Label: "keypoints per image"},
		},
		positions: stats.NewPositions("positions", "keypoints"),
	}
	for i := range d.values {
		d.values[i].Series = []stats.Series{{Name: name}}
	}
	return d
}

// Add adds the sets of a scene, one per image.
func (d *Distributions) Add(scene *dataset.Scene, sets []keypoints.Set) {
	for i, img := range scene.Images {
		set := sets[i]
		d.add(5, float64(set.Len()))
		for row, distance := range set.NeighbourDistances() {
			k := set.Keypoints[row]
			octave, _ := keypoints.UnpackOctave(k.Octave)
			d.add(0, float64(k.Response))
			d.add(1, float64(k.Size))
			d.add(2, float64(octave))
			if k.Angle >= 0 {
				d.add(3, float64(k.Angle))
			}
			d.add(4, distance)
			if k.Finite() && img.Width > 0 && img.Height > 0 {
				d.positions.Add(float64(k.X)/float64(img.Width), float64(k.Y)/float64(img.Height))
			}
		}
	}
}

// add adds a value to distribution i, unless it is not finite.
func (d *Distributions) add(i int, v float64) {
	if v-v == 0 {
		d.values[i].Series[0].Values = append(d.values[i].Series[0].Values, v)
	}
}

// Write writes every distribution as CSV and SVG to the folder dir and returns the
// names of the files.
func (d *Distributions) Write(dir string) ([]string, error) {
	files, err := report.WriteDistributions(dir, []string{"svg"}, d.values, []*stats.Positions{d.positions})
	return files, plan.Fault(err)
}
