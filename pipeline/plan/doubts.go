package plan

import (
	"errors"
	"io/fs"
)

// Doubts returns the warnings about a scene's data that were found when the scene
// was opened for the first time in this run.
func (f Folder) Doubts(scene string) ([]string, error) {
	var unit struct {
		Warnings []string `json:"warnings"`
	}
	if err := ReadJSON(f.Scene(scene), &unit); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return unit.Warnings, nil
}
