package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"

	"descbench/eval/scope"
	"descbench/pipeline/store"
)

// folderFormat is the version of the form of run folders. It is incremented when
// a program of another version could misread a folder.
const folderFormat = 2

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

// readFirst reads a file that complete writes. An error says how to recreate it.
func (f Folder) readFirst(path string, v any) error {
	err := ReadJSON(path, v)
	if errors.Is(err, store.ErrDamaged) {
		return Again(err, "remove the file and rerun descbench run with the config of this run to recreate it")
	} else if err != nil {
		return Recreate(err)
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

// complete writes the files that describe the run, other than its config, where they
// are missing, so that an interrupted start does not block it. This mixes nothing: the
// units tell from which config, data and software they are, and those of others are
// recomputed. It leaves the folder of another config alone.
func (f Folder) complete(plan *Plan, now Environment, log *slog.Logger) error {
	begun, err := f.config()
	if err != nil || begun.Identity() != plan.Config.Identity() {
		return err // check says what differs
	}
	used, err := f.hasUnits()
	if err != nil {
		return err
	}
	for _, file := range []struct {
		path    string
		content any
	}{{f.Scenes(), scenesRecord{folderFormat, plan.Scenes}}, {f.Environment(), now}} {
		if !Missing(file.path) {
			continue
		}
		b, err := jsonBytes(file.path, file.content)
		if err != nil {
			return err
		}
		if used {
			log.Warn("recreating a missing file of the run folder", "file", file.path)
		}
		if err := f.create(file.path, b); err != nil {
			return Faultf("cannot create the run folder: %w", err)
		}
	}
	return nil
}
