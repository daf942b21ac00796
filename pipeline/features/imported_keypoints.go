package features

import (
	"errors"
	"fmt"

	"descbench/descriptors/importer"
	"descbench/keypoints/keypointio"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
)

// readImported reads the keypoints of an image, counted from 0, from a file with
// or without descriptors. It shifts positions so that pixel centres are at
// integers. It sets the class of each keypoint to its row in the file, by which
// its descriptor is looked up later, and the size of a keypoint without one to
// the default, if there is any. A keypoint outside the image is an error.
func readImported(root string, scene *dataset.Scene, image int, from *config.Import) (f importer.Features, err error) {
	path, err := importedPath(from.Path, root, scene, image)
	if err != nil {
		return f, err
	}
	if f.Keypoints, f.Ignored, err = keypointio.ReadFile(path); err != nil {
		return f, err
	}
	img := scene.Images[image]
	for row := range f.Keypoints.Keypoints {
		p := &f.Keypoints.Keypoints[row]
		p.ClassID = int32(row)
		if p.Size == 0 && from.DefaultSize != nil {
			p.Size = float32(*from.DefaultSize)
		}
	}
	if err := importer.Place(f.Keypoints.Keypoints, img.Width, img.Height, from.Origin); err != nil {
		return f, fmt.Errorf("%s: %w", path, ofResized(img, err))
	}
	return f, nil
}

var errOfStored = errors.New("positions outside the resized image, but inside the stored one: want coordinates of the resized image, or set dataset.resize: null")

// ofResized replaces an error about positions that are those of the stored image.
func ofResized(img dataset.ImageFile, err error) error {
	if outside := (*importer.OutsideError)(nil); errors.As(err, &outside) && outside.FitIn(img.Stored()) {
		return errOfStored
	}
	return err
}

// importedPath returns the path of the imported file of an image, counted from 0.
func importedPath(template, root string, scene *dataset.Scene, image int) (string, error) {
	return importer.Find(template, root, scene.Name, scene.NameOf(image))
}
