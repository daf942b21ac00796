package features

import (
	"slices"

	"descbench/eval/fact"
	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/files/importer"
)

// readImported reads the keypoints of an image, counted from 0, and their descriptors, if rows says
// of which type they are. It returns the path of their file. It shifts positions so that pixel centres are at
// integers. It sets the class of each keypoint to its row in the file, by which
// its descriptor and its matches are looked up later, and the size of a keypoint without one to
// the default, if there is any. A keypoint outside the image is an error, unless the run
// cropped the image.
func readImported(root string, scene *dataset.Scene, image int, from *config.Import, rows *config.File) (f *importer.Features, path string, err error) {
	if path, err = importedPath(from.Path, root, scene, image); err != nil {
		return nil, path, err
	}
	img := scene.Images[image]
	o := placing(img, from.Origin)
	if o.KeypointsOnly = rows == nil; rows != nil {
		o.Elements = rows.Elements
	}
	if f, err = importer.Read(path, img.Width, img.Height, o); err != nil {
		return nil, path, err
	}
	for row := range f.Keypoints.Keypoints {
		p := &f.Keypoints.Keypoints[row]
		p.ClassID = int32(row)
		if p.Size == 0 && from.DefaultSize != nil {
			p.Size = float32(*from.DefaultSize)
			if f.Moved {
				p.Size = float32(*from.DefaultSize * (o.Resized[0] + o.Resized[1]) / 2)
			}
		}
	}
	return f, path, nil
}

// cropped returns the keypoints of a file that are in the part of the image that the run keeps.
func cropped(f *importer.Features, img dataset.ImageFile) keypoints.Set {
	if !f.Moved {
		return f.Keypoints
	}
	return keypoints.Set{Keypoints: slices.DeleteFunc(slices.Clone(f.Keypoints.Keypoints), func(k keypoints.Keypoint) bool { return cutOff(img, k) })}
}

// cutOff reports whether a keypoint is outside of an image because the run cropped it: without
// the margin that is accepted at the edges of files.
func cutOff(img dataset.ImageFile, k keypoints.Keypoint) bool {
	area := keypoints.Border{}
	return crops(img) && !area.Contains(k.X+0.5, k.Y+0.5, img.Width, img.Height)
}

// crops reports whether the run leaves out a part of an image.
func crops(img dataset.ImageFile) bool {
	resized := img.Resized()
	return resized != nil && max(resized[2], resized[3]) > 0
}

// placed tells how positions were placed: half floats, those of the stored image, or with some that
// a crop left out.
func placed(half, moved, cut bool) (facts []fact.Fact) {
	if half {
		facts = append(facts, fact.New(fact.HalfFloats))
	}
	if moved {
		facts = append(facts, fact.New(fact.MovedPositions))
	}
	if cut {
		facts = append(facts, fact.New(fact.CutPositions))
	}
	return facts
}

// placing returns the options for positions in an image.
func placing(img dataset.ImageFile, origin importer.Origin) importer.Options {
	width, height := img.Stored()
	return importer.Options{Origin: origin, Stored: [2]int{width, height}, Resized: img.Resized()}
}

// importedPath returns the path of the imported file of an image, counted from 0.
func importedPath(template, root string, scene *dataset.Scene, image int) (string, error) {
	return importer.Find(template, root, scene.InFiles, scene.NameOf(image))
}
