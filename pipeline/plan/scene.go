package plan

import (
	"context"
	"errors"
	"io/fs"
	"reflect"
	"slices"

	"descbench/eval/fact"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
)

// A SceneRecord is the scene unit. It describes the data from which the scene's
// other units were computed.
type SceneRecord struct {
	Name     string              `json:"name"`
	Category string              `json:"category"`
	Digest   string              `json:"digest"` // of the images and homographies
	Images   []dataset.ImageFile `json:"images"`
	Facts    []fact.Fact         `json:"facts,omitempty"` // what is doubtful about the data
	// Imported maps the use of each imported file (keypoint set and image) to the
	// file's digest.
	Imported map[string]string `json:"imported,omitempty"`
}

// ReadScene reads the scene unit. The error for a missing one matches
// fs.ErrNotExist.
func (f Folder) ReadScene(scene string) (record SceneRecord, err error) {
	err = ReadJSON(f.Scene(scene), &record)
	return record, err
}

// OpenedScene is ReadScene without an error if the scene has not been opened.
func (f Folder) OpenedScene(scene string) (SceneRecord, error) {
	record, err := f.ReadScene(scene)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return record, Recreate(err)
	}
	return record, nil
}

// Doubt records what is doubtful about a scene that is evaluated. The first contradiction of its
// images stays: that of a resumed run may be about the rows of other descriptors.
func (f Folder) Doubt(scene string, doubts []fact.Fact) error {
	record, err := f.ReadScene(scene)
	if err != nil {
		return Recreate(err)
	}
	trusted := slices.ContainsFunc(record.Facts, func(f fact.Fact) bool { return f.Kind == fact.TrustedScene })
	for _, d := range doubts {
		known := slices.ContainsFunc(record.Facts, func(f fact.Fact) bool { return reflect.DeepEqual(f, d) })
		if !known && !(trusted && d.Kind == fact.TrustedScene) {
			record.Facts = append(record.Facts, d)
		}
	}
	return f.WriteJSON(f.Scene(scene), record)
}

// SceneDigest returns the digest of a scene's images and homographies.
func (f Folder) SceneDigest(scene string) (string, error) {
	record, err := f.ReadScene(scene)
	return record.Digest, err
}

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
	return dataset.Source{Root: d.Root, Pairs: d.Pairs, Groups: d.Groups, Corner: d.Corner, DepthTolerance: d.DepthTolerance}
}

func resizing(r config.Resize) dataset.Resizing {
	rule := dataset.Resizing{Size: r.Size, Interpolation: dataset.Interpolation(r.Interpolation), Scaled: r.Scaled}
	if r.Crop {
		rule.Crop = [2]int{r.Width, r.Height}
	}
	return rule
}
