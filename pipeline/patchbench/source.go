package patchbench

import (
	"os"
	"path/filepath"

	"descbench/eval/patches"
)

// A Source provides the descriptors of patches from the files of a folder.
type Source struct {
	Name string // of the descriptor
	load patches.Loader
}

// NewFolder returns a source that reads the files <dir>/<sequence>/<image>.csv.
func NewFolder(dir string, jobs int) (*Source, error) {
	dir, err := patches.NamedFolder(dir)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, patches.Missing(err, dir, "a folder of descriptors: <sequence>/<image>.csv")
	}
	return &Source{filepath.Base(dir), patches.Folder(dir, jobs)}, nil
}
