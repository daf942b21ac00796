package features

import (
	"errors"
	"io/fs"

	"descbench/pipeline/store"
	"descbench/pipeline/store/unitfile"
)

// Unit returns the unit file at a path in the folder, which is computed from the
// given scene. The error matches fs.ErrNotExist if no process has opened the
// scene yet.
func (s *Stage) Unit(path, scene string) (unitfile.UnitFile, error) {
	units, err := s.units()
	if err != nil {
		return unitfile.UnitFile{}, err
	}
	if digest, ok := s.digests.Load(scene); ok {
		return units.At(path, digest.(string)), nil
	}
	return units.Of(path, scene)
}

// NoteUnusable logs an error about a file that is there but must be recomputed. It
// ignores other errors. what names the kind of file.
func (s *Stage) NoteUnusable(what string, err error) {
	if store.Unusable(err) {
		s.opt.Logger().Warn("recomputing a "+what+" that cannot be used", "reason", err)
	}
}

// noteMiss logs why a cache entry cannot be used, unless there is none. It does so
// once, because the reason usually concerns many entries: the cache cannot be
// read, or another version wrote it.
func (s *Stage) noteMiss(err error) {
	if !errors.Is(err, fs.ErrNotExist) {
		s.programs.warn("unusable cache", "recomputing a cache entry that cannot be used, and any others without further notice", "reason", err)
	}
}
