package store

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"descbench/pipeline/files"
)

// maxLinked limits a file of a run that must be copied, in bytes.
const maxLinked = 1 << 40

// LinkTree gives the files in the folder from, and below, the same names in the
// folder to, by hard links, or by copies where the file system has none. from may
// also be a single file. A missing from is empty; unfinished files are left out.
// Since files of a run are replaced and never altered, a link keeps its content.
func LinkTree(from, to string) error {
	return WalkFiles(from, func(path string, info fs.FileInfo) error {
		if IsTemporary(info.Name()) {
			return nil
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		return link(path, filepath.Join(to, below))
	})
}

func link(from, to string) error {
	if err := MakeFolder(filepath.Dir(to)); err != nil {
		return err
	}
	if os.Link(from, to) == nil {
		return nil
	}
	f, err := files.Open(from, maxLinked)
	if err != nil {
		return err
	}
	defer f.Close()
	return WriteFile(to, func(w io.Writer) error {
		_, err := io.Copy(w, f)
		return err
	})
}
