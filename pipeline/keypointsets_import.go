package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"descbench/descriptors/importer"
	"descbench/keypoints"
	"descbench/keypoints/keypointio"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
)

// An ImportedFile is what was found in the file of one image.
type ImportedFile struct {
	Scene     string   `json:"scene"`
	Image     int      `json:"image"` // from 1
	Path      string   `json:"path,omitempty"`
	Keypoints int      `json:"keypoints"`
	Ignored   []string `json:"ignored,omitempty"` // arrays or columns that are none of keypoints
	Fault     string   `json:"fault,omitempty"`
}

// Import checks the files of the set name, which must begin with an import and
// have no other step, reports what is in each, in order, and stores the set if
// all are sound. It returns the number of those that are not.
func (k *KeypointSets) Import(ctx context.Context, name string, report func(ImportedFile) error) (faults int, err error) {
	set, _ := k.plan(name).resolve(name)
	for _, scene := range k.scenes {
		for i := range scene.Images {
			if err := ctx.Err(); err != nil {
				return faults, err
			}
			found, err := readImported(k.config.Dataset.Root, scene, i, set.Import)
			file := ImportedFile{Scene: scene.Name, Image: i + 1, Path: found.path, Keypoints: found.set.Len(), Ignored: found.ignored}
			if err != nil {
				faults++
				file.Fault = err.Error()
			}
			if err := report(file); err != nil {
				return faults, err
			}
		}
	}
	if faults > 0 {
		return faults, nil
	}
	return 0, k.store(ctx, name, func(scene int) ([]keypoints.Set, error) {
		sets := make([]keypoints.Set, images)
		for i := range sets {
			found, err := readImported(k.config.Dataset.Root, k.scenes[scene], i, set.Import)
			if err != nil {
				return nil, err
			}
			sets[i] = found.set
		}
		return sets, nil
	})
}

type importedSet struct {
	path    string
	set     keypoints.Set
	ignored []string
}

// readImported reads the keypoints of an image, counted from 0, from a file that
// may hold descriptors or not. Positions are moved such that pixel centres are
// at integers. The class of a keypoint becomes its row in the file, by which a
// descriptor is found again. A keypoint outside the image is an error.
func readImported(root string, scene *dataset.Scene, image int, from *config.Import) (found importedSet, err error) {
	if found.path, err = importedPath(root, scene, image, from); err != nil {
		return found, err
	}
	if found.set, found.ignored, err = keypointio.ReadFile(found.path); err != nil {
		return found, err
	}
	img := scene.Images[image]
	outside, first := 0, -1
	for row := range found.set.Keypoints {
		p := &found.set.Keypoints[row]
		p.ClassID = int32(row)
		if from.Origin == string(importer.Corner) {
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
		p := found.set.Keypoints[first]
		return found, fmt.Errorf("%s: row %d is at (%v, %v), want it within the image of %d×%d px (pixel centres at integers); so with %d of %d rows",
			found.path, first, p.X, p.Y, img.Width, img.Height, outside, found.set.Len())
	}
	return found, nil
}

// inImage reports whether a coordinate is in the area of pixels whose centres
// are at 0 to size-1.
func inImage(v float32, size int) bool { return v >= -0.5 && float64(v) <= float64(size)-0.5 }

func importedPath(root string, scene *dataset.Scene, image int, from *config.Import) (string, error) {
	return importer.Template(from.Path).Find(importer.Names{Root: root, Scene: scene.Name, Image: scene.Images[image].File})
}

// importedDigests returns the digest of the content of every image's file.
func (k *KeypointSets) importedDigests(from *config.Import) ([]string, error) {
	var digests []string
	for _, scene := range k.scenes {
		for image := range scene.Images {
			path, err := importedPath(k.config.Dataset.Root, scene, image, from)
			if err != nil {
				return nil, &DataError{err}
			}
			d, err := fileDigest(path)
			if err != nil {
				return nil, &DataError{err}
			}
			digests = append(digests, d)
		}
	}
	return digests, nil
}

func fileDigest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		if at := (*fs.PathError)(nil); errors.As(err, &at) {
			return "", err
		}
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
