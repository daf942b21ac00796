package resumable

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"descbench/pipeline/store"
)

// Done reports whether a part made from the same input is complete and its files
// are unchanged, and sets result, unless it is nil, to what Finish was given. files are
// paths relative to the folder that must belong to the part.
func (f *Folder) Done(name, input string, result any, files ...string) (bool, error) {
	p, known := f.before[name]
	if !known || p.Input != input {
		return false, nil
	}
	for _, file := range files {
		if p.Files[filepath.ToSlash(file)] == "" {
			return false, nil
		}
	}
	if same, err := f.unchanged(p); err != nil || !same {
		return false, err
	}
	if result != nil && json.Unmarshal(p.Result, result) != nil {
		return false, nil
	}
	f.keep(p)
	return true, nil
}

// Finish records a part whose files are complete. files are relative to the folder.
func (f *Folder) Finish(name, input string, result any, files ...string) error {
	digests, err := digestsOf(f.dir, files)
	if err != nil {
		return err
	}
	return f.finish(part{Name: name, Input: input, Files: digests}, result)
}

func (f *Folder) finish(p part, result any) (err error) {
	if p.Result, err = json.Marshal(result); err != nil {
		return err
	}
	if p, err = f.sealed(p); err != nil {
		return err
	}
	f.keep(p)
	return f.note(p)
}

// digestsOf returns the digests of files in dir, by their paths with slashes.
func digestsOf(dir string, files []string) (map[string]string, error) {
	digests := make(map[string]string, len(files))
	for _, file := range files {
		digest, err := FileDigest(filepath.Join(dir, file))
		if err != nil {
			return nil, err
		}
		digests[filepath.ToSlash(file)] = digest
	}
	return digests, nil
}

// unchanged reports whether all files of a part are as they were recorded.
func (f *Folder) unchanged(p part) (bool, error) {
	for file, want := range p.Files {
		digest, err := FileDigest(filepath.Join(f.dir, filepath.FromSlash(file)))
		switch {
		case errors.Is(err, fs.ErrNotExist), err == nil && digest != want:
			return false, nil
		case err != nil:
			return false, err
		}
	}
	return true, nil
}

func (f *Folder) keep(p part) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended[p.Name] = p
}

// Temporary returns a new folder to prepare a part in that is a folder itself. What
// is left of it is removed by Close, or when the folder is opened again.
func (f *Folder) Temporary() (string, error) {
	dir := filepath.Join(f.unfinished(), temporaryPrefix+rand.Text())
	return dir, store.MakeFolder(dir) // not os.MkdirTemp, whose folders are private to the user
}

const temporaryPrefix = "tmp-"

// removeTemporary removes what killed processes left.
func (f *Folder) removeTemporary() error {
	entries, err := os.ReadDir(f.unfinished())
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), temporaryPrefix) {
			err = cmp.Or(err, f.root().RemoveAll(filepath.Join(f.unfinished(), e.Name())))
		}
	}
	return err
}

// FinishFolder moves a folder made by Temporary to its place, where it has the name
// of the part, and records its files.
func (f *Folder) FinishFolder(name, input string, result any, temporary string) error {
	var files []string
	err := store.WalkFiles(temporary, func(path string, _ fs.FileInfo) error {
		path, err := filepath.Rel(temporary, path)
		files = append(files, path)
		return err
	})
	if err != nil {
		return err
	}
	digests, err := digestsOf(temporary, files)
	if err != nil {
		return err
	}
	p := part{Name: name, Input: input, Files: make(map[string]string, len(files))}
	for file, digest := range digests {
		p.Files[name+"/"+file] = digest
	}
	place := filepath.Join(f.dir, name)
	if err := cmp.Or(f.root().RemoveAll(place), os.Rename(temporary, place)); err != nil {
		return err
	}
	return f.finish(p, result)
}

// End marks the folder as complete: it writes the records of all parts to one file.
func (f *Folder) End() error {
	all := maps.Clone(f.before) // also those that this command did not ask for
	maps.Copy(all, f.ended)
	var joined records
	for _, name := range slices.Sorted(maps.Keys(all)) {
		joined.Parts = append(joined.Parts, all[name])
	}
	text, err := json.MarshalIndent(joined, "", "  ")
	if err != nil {
		return err
	}
	if err := f.root().WriteBytes(f.ending(), append(text, '\n')); err != nil {
		return err
	}
	return f.root().RemoveAll(f.journal())
}
