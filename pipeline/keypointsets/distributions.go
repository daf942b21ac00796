package keypointsets

import (
	"context"
	"slices"

	"descbench/keypoints"
	"descbench/pipeline/masks"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// Distributions returns the distributions of the keypoints of a stored set over all
// images, and where in the images they are. name names the set in figures. Keypoints that
// masks leave out do not count.
func Distributions(ctx context.Context, f *store.KeypointFile, name string, masked *masks.Folder) ([]report.Distribution, *report.Map, error) {
	values := []report.Distribution{
		{Name: "response", Label: "response", Log: true},
		{Name: "size", Label: "size (px)", Log: true},
		{Name: "octave", Label: "octave", Whole: true},
		{Name: "angle", Label: "angle (degrees)"},
		{Name: "nearest_keypoint", Label: "distance to the nearest keypoint (px)", Log: true},
		{Name: "keypoints_per_image", Label: "keypoints per image"},
	}
	for i := range values {
		values[i].Series = []report.Series{{Name: name}}
	}
	add := func(i int, v float64) {
		if v-v == 0 { // finite
			values[i].Series[0].Values = append(values[i].Series[0].Values, v)
		}
	}
	positions := report.NewMap("positions", "keypoints")
	for i, scene := range f.Scenes {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		sets, err := f.Read(i)
		if err != nil {
			return nil, nil, plan.Fault(err)
		}
		for j, img := range scene.Images {
			mask, err := masked.Of(scene.Name, j+1, img.Width, img.Height)
			if err != nil {
				return nil, nil, err
			}
			set := keypoints.Set{Keypoints: slices.DeleteFunc(slices.Clone(sets[j].Keypoints), func(k keypoints.Keypoint) bool { return !mask.Keeps(k.X, k.Y) })}
			add(5, float64(set.Len()))
			for row, d := range set.NeighbourDistances() {
				k := set.Keypoints[row]
				octave, _ := keypoints.UnpackOctave(k.Octave)
				add(0, float64(k.Response))
				add(1, float64(k.Size))
				add(2, float64(octave))
				if k.Angle >= 0 {
					add(3, float64(k.Angle))
				}
				add(4, d)
				if k.Finite() && img.Width > 0 && img.Height > 0 {
					positions.Add(float64(k.X)/float64(img.Width), float64(k.Y)/float64(img.Height))
				}
			}
		}
	}
	return values, positions, nil
}
