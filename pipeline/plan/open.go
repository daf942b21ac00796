package plan

import (
	"context"

	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
)

// OpenScene opens a scene of a data set and resizes its images if the config says so.
func OpenScene(ctx context.Context, d config.Dataset, name string) (*dataset.Scene, error) {
	scene, err := dataset.Open(ctx, d.Root, name, d.MaxMegapixels)
	if err == nil && d.Resize != nil {
		err = scene.Resize(d.Resize.Size)
	}
	return scene, err
}
