package resumable

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"descbench/pipeline/store"
)

// A Spec describes the output of a command.
type Spec struct {
	Dir       string
	Record    string            // file name of the settings in Dir, with extension .json
	Settings  any               // everything that all parts depend on, as JSON
	Paths     []string          // files and folders to write, relative to Dir
	Foreign   []string          // files that would be mixed with the parts if the record did not cover them
	Files     map[string]string // by the digests in Settings, names for messages
	Overwrite bool              // replace what is in Paths, and all parts made with other settings
}

// A Folder is an output folder that is being filled. Its methods may be called by
// several goroutines at once.
type Folder struct {
	dir, record string
	release     func()
	paths       []string        // whose settings a record must tell
	settings    []byte          // the content of the record
	created     bool            // the record was written by this command
	before      map[string]part // parts that were there when the folder was opened, by name

	mu    sync.Mutex
	ended map[string]part // parts of this command
}

// maxRecord limits a record in bytes. It has room for the files of a million parts.
const maxRecord = 1 << 30

// claimLife is how long the claim of a process on another machine counts after it was
// last renewed.
const claimLife = 10 * time.Minute

// Open creates or opens an output folder and writes the record of its settings, if
// there is none. It returns a *store.Fault if another process fills the folder, or if the
// folder has other settings, or no record but some of the paths. Close closes the
// folder.
func Open(s Spec) (*Folder, error) {
	settings, err := json.MarshalIndent(s.Settings, "", "  ")
	if err != nil {
		return nil, err
	}
	settings = append(settings, '\n')
	f := &Folder{dir: s.Dir, record: s.Record, paths: s.Paths, ended: make(map[string]part)}
	if f.release, err = Exclusive(filepath.Join(f.unfinished(), "claim"), f.dir); err != nil {
		return nil, err
	}
	if err := f.prepare(s, settings); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Exclusive claims a folder for this process by the file path, whose folder it
// creates, until release is called. It returns a *store.Fault about subject if another
// process has the claim.
func Exclusive(path, subject string) (release func(), err error) {
	release, by, err := store.Root(filepath.Dir(path)).Claim(path, claimLife)
	if err != nil {
		return nil, err
	}
	if by != nil {
		return nil, store.Faultf(subject, "%s is writing to this folder; wait for it, or choose another folder", by.Process)
	}
	return release, nil
}

// prepare makes the folder ready for its settings.
func (f *Folder) prepare(s Spec, settings []byte) (err error) {
	if _, err := store.RemoveTemporary(f.dir); err != nil {
		return err
	}
	if err := f.removeTemporary(); err != nil {
		return err
	}
	if f.settings, err = f.read(filepath.Join(f.dir, f.record)); err != nil {
		return err
	}
	if f.before, err = f.readRecords(); err != nil {
		return err
	}
	for _, path := range s.Paths { // --overwrite removes nothing of others
		if f.settings == nil && occupied(filepath.Join(f.dir, path)) {
			return store.Faultf(filepath.Join(f.dir, path), "exists, but %s, which says how it was made, does not; remove it, or choose another folder", s.Record)
		}
	}
	switch {
	case s.Overwrite:
		if err := f.clear(s.Paths); err != nil {
			return err
		}
	case f.settings != nil && !bytes.Equal(f.settings, settings):
		return store.Faultf(filepath.Join(f.dir, f.record), "the folder was made with other settings; use --overwrite to replace it, or choose another folder; changed: %s", strings.Join(differences(f.settings, settings, s.Files), ", "))
	}
	if f.settings != nil {
		return nil
	}
	for _, path := range s.Foreign {
		if occupied(filepath.Join(f.dir, path)) {
			return store.Faultf(filepath.Join(f.dir, path), "was not written by this command, so its settings are unknown; remove it, or choose another folder")
		}
	}
	f.settings, f.created = settings, true
	return f.root().CreateFile(filepath.Join(f.dir, s.Record), settings)
}

// unfinished returns the folder of temporary files, the claim, and the records of
// the parts of a command that has not ended.
func (f *Folder) unfinished() string {
	return filepath.Join(f.dir, ".unfinished", strings.TrimSuffix(f.record, ".json"))
}

// occupied reports whether path exists and is not an empty folder.
func occupied(path string) bool {
	entries, err := os.ReadDir(path)
	return err == nil && len(entries) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist)
}

// clear removes the paths, all recorded parts and the records. The settings go last,
// so that an interrupted call can be repeated.
func (f *Folder) clear(paths []string) error {
	for _, path := range paths {
		if err := f.root().RemoveAll(filepath.Join(f.dir, path)); err != nil {
			return err
		}
	}
	for _, p := range f.before {
		if err := f.remove(p); err != nil {
			return err
		}
	}
	for _, path := range []string{f.journal(), f.ending(), filepath.Join(f.dir, f.record)} {
		if err := f.root().RemoveAll(path); err != nil {
			return err
		}
	}
	clear(f.before)
	f.settings = nil
	return nil
}

// root is the folder as the one place below which a command writes.
func (f *Folder) root() store.Root { return store.Root(f.dir) }

// remove removes the files of a part and the folders that this leaves empty.
func (f *Folder) remove(p part) error {
	var paths []string
	for file := range p.Files {
		paths = append(paths, filepath.Join(f.dir, filepath.FromSlash(file)))
	}
	return f.root().RemoveFiles(paths...)
}

// Close releases the folder. It keeps the records of complete parts. If there are none, nor
// files of an incomplete one, it removes the record of the settings that Open wrote.
func (f *Folder) Close() {
	used := slices.ContainsFunc(f.paths, func(path string) bool { return occupied(filepath.Join(f.dir, path)) })
	if f.created && !used && len(f.before)+len(f.ended) == 0 {
		_ = os.Remove(filepath.Join(f.dir, f.record))
		_ = os.Remove(f.journal())
	}
	_ = f.removeTemporary()
	f.release()
	// Removed only if nothing is left in them.
	for _, dir := range []string{f.unfinished(), filepath.Dir(f.unfinished()), f.dir} {
		_ = os.Remove(dir)
	}
}
