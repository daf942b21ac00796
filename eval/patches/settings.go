package patches

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"descbench/files"
)

// SettingsFile is the file in which `patches describe` records, in a folder of
// descriptors, what it did.
const SettingsFile = "settings.json"

// maxSettings is the largest SettingsFile, in bytes, that is read.
const maxSettings = 1 << 20

// in returns the options for the files in a folder. `patches describe` records in
// settings.json whether its rows of bits are packed, so that nobody has to repeat
// it: packed bits that are read as numbers are compared by another distance.
func (opt CSV) in(dir string) (CSV, error) {
	path := filepath.Join(dir, SettingsFile)
	text, err := files.Read(path, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return opt, nil
	} else if err != nil {
		return opt, err
	}
	var settings struct{ Packed *bool }
	if err := json.Unmarshal(text, &settings); err != nil {
		return opt, &Fault{File: path, Reason: fmt.Sprintf("not the settings of a folder of descriptors: %v; correct or remove the file", err)}
	}
	switch {
	case settings.Packed == nil || *settings.Packed == opt.Packed:
	case opt.Packed:
		return opt, &Fault{File: path, Reason: "these descriptors are not packed; leave out --packed"}
	default:
		opt.Packed = true
	}
	return opt, nil
}
