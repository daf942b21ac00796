package plan

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"

	"descbench/pipeline/dataset"
)

// A SceneRecord is the scene unit. It describes the data from which the scene's
// other units were computed.
type SceneRecord struct {
	Name     string              `json:"name"`
	Category string              `json:"category"`
	Digest   string              `json:"digest"` // of the images and homographies
	Images   []dataset.ImageFile `json:"images"`
	Warnings []string            `json:"warnings,omitempty"` // what is doubtful about the data
	Trusted  string              `json:"trusted,omitempty"`  // how the images contradict the homographies, with which dataset.trust evaluates the scene
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

// Doubt records that a scene is evaluated although its images contradict its homographies,
// "" if not, or with doubts. The first contradiction stays: that of a resumed run may be
// about the rows of other descriptors.
func (f Folder) Doubt(scene, contradiction string, doubts []string) error {
	record, err := f.ReadScene(scene)
	if err != nil {
		return Recreate(err)
	}
	record.Trusted = cmp.Or(record.Trusted, contradiction)
	for _, text := range doubts {
		if !slices.Contains(record.Warnings, text) {
			record.Warnings = append(record.Warnings, text)
		}
	}
	return f.WriteJSON(f.Scene(scene), record)
}

// SceneDigest returns the digest of a scene's images and homographies.
func (f Folder) SceneDigest(scene string) (string, error) {
	record, err := f.ReadScene(scene)
	return record.Digest, err
}
