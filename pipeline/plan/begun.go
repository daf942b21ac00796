package plan

import (
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/scope"
	"descbench/keypoints/openfile"
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

// readScenes returns the scenes of the run. It returns an error if the folder has
// another format. That of a missing file matches fs.ErrNotExist.
func (f Folder) readScenes() ([]string, error) {
	var record scenesRecord
	err := ReadJSON(f.Scenes(), &record)
	switch {
	case errors.Is(err, store.ErrDamaged) && f.isFormat1():
		return nil, Faultf("%s: written by an older descbench (run folder of format 1, this one reads format %d); replace it with descbench run CONFIG --overwrite, or use the descbench that wrote it (see program in environment.json)",
			string(f), folderFormat)
	case errors.Is(err, store.ErrDamaged):
		return nil, Recreate(err)
	case err != nil:
		return nil, err
	case record.Format != folderFormat:
		return nil, Faultf("%s: written by a newer descbench (run folder of format %d, this one reads format %d); use a descbench at least as new as the one that wrote it (see program in environment.json)",
			string(f), record.Format, folderFormat)
	}
	for _, name := range record.Scenes { // they become paths, and the folder may come from elsewhere
		if err := scope.CheckSceneName(name); err != nil {
			return nil, Faultf("%s: %w; restore the file, or use --overwrite to start over", f.Scenes(), err)
		}
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
	return Faultf("%w; rerun descbench run with the config of this run to recreate it", err)
}

// complete writes the files that describe the run where they are missing or
// damaged, so that an interrupted start or a flipped bit does not block it. This
// mixes nothing: the units tell from which config, data and software they are, and
// those of others are recomputed. It leaves the folder of another config alone.
func (f Folder) complete(plan *Plan, now Environment, log *slog.Logger) error {
	_, noScenes := f.readScenes()
	if noScenes != nil && !recreatable(noScenes) {
		return noScenes
	}
	_, noConfig := yamlSeal.read(f.Config())
	begun, err := f.loadConfig()
	same := err == nil && begun.Identity() == plan.Config.Identity()
	switch {
	case errors.Is(noConfig, store.ErrDamaged) && !same:
		return Faultf("%w; restore the file, or use --overwrite to start over", noConfig)
	case err != nil:
		return err
	case !same:
		return nil // check says what differs
	}
	if recreatable(noScenes) {
		if err := f.coveredBy(plan, noScenes); err != nil {
			return err
		}
	}
	var was Environment
	used, err := f.hasUnits()
	if err != nil {
		return err
	}
	for _, file := range []struct {
		path  string
		found error
		bytes func() ([]byte, error)
	}{
		{f.Config(), noConfig, func() ([]byte, error) { return yamlSeal.seal(plan.Config.YAML()), nil }},
		{f.Scenes(), noScenes, func() ([]byte, error) { return jsonBytes(f.Scenes(), scenesRecord{folderFormat, plan.Scenes}) }},
		{f.Environment(), ReadJSON(f.Environment(), &was), func() ([]byte, error) { return jsonBytes(f.Environment(), now) }},
	} {
		if !recreatable(file.found) {
			continue
		}
		b, err := file.bytes()
		if err != nil {
			return err
		}
		write := create
		if errors.Is(file.found, store.ErrDamaged) {
			write = WriteBytes
		}
		if used {
			log.Warn("recreating a file of the run folder", "reason", file.found)
		}
		if err := write(file.path, b); err != nil {
			return Faultf("cannot create the run folder: %w", err)
		}
	}
	return nil
}

// recreatable reports whether a file of the run folder is missing or damaged.
func recreatable(err error) bool {
	return errors.Is(err, store.ErrDamaged) || errors.Is(err, fs.ErrNotExist)
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
