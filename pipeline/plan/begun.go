package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"descbench/eval/scope"
)

// folderFormat is the version of the form of run folders. It is incremented when
// a program of another version could misread a folder.
const folderFormat = 3

// A scenesRecord is the content of scenes.json.
type scenesRecord struct {
	Format int      `json:"format"`
	Scenes []string `json:"scenes"`
}

// readScenes returns the scenes of the run. It returns an error if the folder has
// another format. That of a missing file matches fs.ErrNotExist.
func (f Folder) readScenes() ([]string, error) {
	var record scenesRecord
	if err := f.readFirst(f.Scenes(), &record); err != nil {
		return nil, err
	}
	if record.Format != folderFormat {
		return nil, Faultf("%s: written by another version of descbench (run folder of format %d, this one reads format %d); replace it with descbench run CONFIG --overwrite, or use the descbench that wrote it (see program in environment.json)",
			string(f), record.Format, folderFormat)
	}
	for i, name := range record.Scenes {
		err := scope.CheckSceneName(name)
		if slices.Contains(record.Scenes[:i], name) {
			err = fmt.Errorf("scene %q is listed twice", name)
		}
		if err != nil {
			return nil, Faultf("%s: %w; restore the file, or start over: descbench run --overwrite", f.Scenes(), err)
		}
	}
	return record.Scenes, nil
}

// ReadEnvironment returns the environment that the run was started in. The error for
// a missing file matches fs.ErrNotExist.
func (f Folder) ReadEnvironment() (e Environment, err error) {
	err = f.readFirst(f.Environment(), &e)
	return e, err
}

// startOver is the cure for a lost or damaged file that begin wrote.
const startOver = "put back what was written, or rerun descbench run with --overwrite to start over"

// readFirst reads a file that begin wrote.
func (f Folder) readFirst(path string, v any) error {
	if err := ReadJSON(path, v); err != nil {
		return Again(err, startOver)
	}
	return nil
}

// Recreate adds to an error about a file that descbench run writes, and replaces if it
// is damaged, what the user can do about it.
func Recreate(err error) error {
	return Again(err, "rerun descbench run with the config of this run to recreate it")
}

// Again adds to an error about a file of a run what the user can do about it: cure, unless
// the folder is from somebody else, whose results it would replace. A file that may not be read
// is not to be replaced.
func Again(err error, cure string) error {
	if errors.Is(err, fs.ErrPermission) {
		return Fault(err)
	}
	return Faultf("%w; ask for a received folder again; in a run of your own, %s", err, cure)
}
