package plan

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"descbench/keypoints/openfile"
	"descbench/pipeline/config"
	"descbench/pipeline/store"
)

// folderFormat is the version of the form of run folders. It is incremented when
// an older program could misread a folder, or this one an older folder. Format 1
// had no checksums of its small files, and no identities in its units.
const folderFormat = 2

// A scenesRecord is the content of scenes.json.
type scenesRecord struct {
	Format int      `json:"format"`
	Scenes []string `json:"scenes"`
}

func writeScenes(f Folder, scenes []string) error {
	return WriteJSON(f.Scenes(), scenesRecord{folderFormat, scenes})
}

// readScenes returns the scenes of the run. It returns an error if the folder has
// another format.
func (f Folder) readScenes() ([]string, error) {
	var record scenesRecord
	err := ReadJSON(f.Scenes(), &record)
	switch {
	case errors.Is(err, store.ErrDamaged) && f.isFormat1():
		return nil, Faultf("%s: run folder of format 1, written by an older descbench, this one reads format %d; replace it with descbench run CONFIG --overwrite, or use the descbench that wrote it (see program in environment.json)",
			string(f), folderFormat)
	case err != nil:
		return nil, Recreate(err)
	case record.Format != folderFormat:
		return nil, Faultf("%s: run folder of format %d, written by a newer descbench, this one reads format %d; use a descbench at least as new as the one that wrote it (see program in environment.json)",
			string(f), record.Format, folderFormat)
	}
	return record.Scenes, nil
}

// isFormat1 reports whether scenes.json is a list, as in format 1.
func (f Folder) isFormat1() bool {
	b, err := openfile.Read(f.Scenes(), maxSealed)
	var scenes []string
	return err == nil && json.Unmarshal(b, &scenes) == nil
}

// Recreate adds to an error about a file that describes the run what the user can
// do about it.
func Recreate(err error) error {
	return Faultf("%w; run descbench run again with the config of this run to recreate it", err)
}

// repair rewrites damaged and missing files that describe the run, so that they
// do not block it. This mixes nothing: the units tell from which config, data and
// software they are, and those of others are recomputed.
func (f Folder) repair(plan *Plan, now Environment, log *slog.Logger) error {
	recreate := func(found error, write func() error) error {
		if !errors.Is(found, store.ErrDamaged) && !errors.Is(found, fs.ErrNotExist) {
			return nil
		}
		log.Warn("recreating a file of the run folder", "reason", found)
		return write()
	}
	var scenes scenesRecord
	err := ReadJSON(f.Scenes(), &scenes)
	if err != nil && f.isFormat1() {
		return nil // Check says what to do
	}
	if err := recreate(err, func() error {
		if err := f.coveredBy(plan, err); err != nil {
			return err
		}
		return writeScenes(f, plan.Scenes)
	}); err != nil {
		return err
	}
	var was Environment
	if err := recreate(ReadJSON(f.Environment(), &was), func() error { return WriteJSON(f.Environment(), now) }); err != nil {
		return err
	}
	_, err = yamlSeal.read(f.Config())
	return recreate(err, func() error {
		begun, loadErr := config.Load(f.Config(), config.Overrides{})
		if loadErr != nil || begun.Identity() != plan.Config.Identity() {
			return Faultf("%w; restore the file, or use --overwrite to start over", err)
		}
		return yamlSeal.write(f.Config(), plan.Config.YAML())
	})
}

// coveredBy returns an error if the run has worked on scenes that the plan does
// not select, so that the plan's list of scenes cannot replace a damaged one.
func (f Folder) coveredBy(plan *Plan, reason error) error {
	records, err := filepath.Glob(f.Scene("*"))
	if err != nil {
		return Fault(err)
	}
	for _, path := range records {
		scene := strings.TrimSuffix(filepath.Base(path), ".json")
		if !slices.Contains(plan.Scenes, scene) {
			return Faultf("%w, but the config no longer selects %s; use --overwrite to start over", reason, scene)
		}
	}
	return nil
}
