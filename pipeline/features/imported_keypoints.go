package features

import (
	"fmt"

	"descbench/descriptors/importer"
	"descbench/keypoints"
	"descbench/keypoints/keypointio"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
)

type importedSet struct {
	Path    string
	Set     keypoints.Set
	Ignored []string
}

// ReadImported reads the keypoints of an image, counted from 0, from a file with
// or without descriptors. It shifts positions so that pixel centres are at
// integers. It sets the class of each keypoint to its row in the file, by which
// its descriptor is looked up later, and the size of a keypoint without one to
// the default, if there is any. A keypoint outside the image is an error.
func ReadImported(root string, scene *dataset.Scene, image int, from *config.Import) (found importedSet, err error) {
	if found.Path, err = importedPath(from.Path, root, scene, image); err != nil {
		return found, err
	}
	if found.Set, found.Ignored, err = keypointio.ReadFile(found.Path); err != nil {
		return found, err
	}
	img := scene.Images[image]
	outside, first := 0, -1
	for row := range found.Set.Keypoints {
		p := &found.Set.Keypoints[row]
		p.ClassID = int32(row)
		if p.Size == 0 && from.DefaultSize != nil {
			p.Size = float32(*from.DefaultSize)
		}
		if from.Origin == importer.Corner {
			p.X -= 0.5
			p.Y -= 0.5
		}
		if !inImage(p.X, img.Width) || !inImage(p.Y, img.Height) {
			if outside++; first < 0 {
				first = row
			}
		}
	}
	if outside > 0 {
		p := found.Set.Keypoints[first]
		return found, fmt.Errorf("%s: row %d is at (%v, %v), want a position inside the image of %d×%d px (pixel centres at integers); %d of %d rows are outside",
			found.Path, first, p.X, p.Y, img.Width, img.Height, outside, found.Set.Len())
	}
	return found, nil
}

// inImage reports whether a coordinate is inside the pixels with centres at 0 to
// size-1.
func inImage(v float32, size int) bool { return v >= -0.5 && float64(v) <= float64(size)-0.5 }

// importedPath returns the path of the imported file of an image, counted from 0.
func importedPath(template, root string, scene *dataset.Scene, image int) (string, error) {
	return importer.Find(template, root, scene.Name, scene.Images[image].File)
}
