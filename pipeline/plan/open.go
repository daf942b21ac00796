package plan

import (
	"context"

	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
)

// OpenScene opens a scene of a data set and resizes its images if the config says so.
func OpenScene(ctx context.Context, d config.Dataset, name string) (*dataset.Scene, error) {
	scene, err := Source(d).Open(ctx, name, d.MaxMegapixels)
	if err == nil && d.Resize != nil {
		err = scene.Resize(resizing(*d.Resize))
	}
	return scene, err
}

// Source returns where a config's scenes are.
func Source(d config.Dataset) dataset.Source {
	return dataset.Source{Root: d.Root, Pairs: d.Pairs, Corner: d.Corner}
}

func resizing(r config.Resize) dataset.Resizing {
	rule := dataset.Resizing{Size: r.Size, Interpolation: dataset.Interpolation(r.Interpolation), Scaled: r.Scaled}
	if r.Crop {
		rule.Crop = [2]int{r.Width, r.Height}
	}
	return rule
}
