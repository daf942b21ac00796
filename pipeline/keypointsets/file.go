package keypointsets

import (
	"context"

	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Of returns a Sets for the scenes of a stored set, without its config. Only
// FindScene, FindImage and Draw can be used. Draw reads the images from the
// folder root.
func Of(f *store.KeypointFile, root string) *Sets {
	k := &Sets{config: new(config.Config), file: f.Path()}
	k.config.Dataset.Root = root
	for _, s := range f.Scenes {
		k.scenes = append(k.scenes, sceneOf(s))
	}
	return k
}

// Root returns the folder of the scenes.
func (k *Sets) Root() string { return k.config.Dataset.Root }

// sceneOf returns a scene as described in a stored set, without homographies.
func sceneOf(s store.KeypointScene) *dataset.Scene {
	out := &dataset.Scene{Name: s.Name, Digest: s.Digest}
	for _, img := range s.Images {
		out.Images = append(out.Images, dataset.ImageFile{File: img.File, Width: img.Width, Height: img.Height})
	}
	return out
}

// openSameScene reads a scene from the folder root. It returns an error if the
// scene is not the one in the stored set.
func openSameScene(ctx context.Context, root, path string, s *dataset.Scene) (*dataset.Scene, error) {
	// The limit of the config applied when the set was made.
	scene, err := dataset.Open(ctx, root, s.Name, config.MaxMegapixels)
	if err != nil {
		return nil, err
	}
	if scene.Digest != s.Digest {
		return nil, plan.Faultf("%s: its images or homographies in %s differ from those of the set %s", s.Name, root, path)
	}
	return scene, nil
}

// OpenScene reads scene i of a stored set from the folder root, without decoding
// images. It returns an error if the scene differs from the one in the set.
func OpenScene(ctx context.Context, root string, f *store.KeypointFile, i int) (*dataset.Scene, error) {
	return openSameScene(ctx, root, f.Path(), sceneOf(f.Scenes[i]))
}
