package plan

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"descbench/eval/fact"
	"descbench/pipeline/child"
	"descbench/pipeline/config"
	"descbench/pipeline/store"
)

// A Program records a program of the user that a run starts: what its results depend
// on in addition to the config.
type Program struct {
	// Files maps the paths, relative to its folder, of the files that the config declares to their digests.
	Files map[string]string `json:"files,omitempty"`
	// Function is what the program said of itself; nil if it has not been started.
	Function *child.Function `json:"function,omitempty"`
}

// ProgramsOf returns the programs of a config by their keys, without starting them.
func ProgramsOf(cfg *config.Config) (map[string]Program, error) {
	all := make(map[string]Program)
	for key, c := range cfg.Commands() {
		p := Program{Files: make(map[string]string)}
		for _, path := range c.Files {
			digest, err := ProgramDigest(path)
			if err != nil {
				return nil, Faultf("%s.files: %w", key, err)
			}
			name, err := filepath.Rel(c.Folder, path)
			if err != nil {
				return nil, Fault(err)
			}
			p.Files[name] = digest
		}
		all[key] = p
	}
	return all, nil
}

// ProgramDigest returns a SHA-256 of what a program reads at a path, as hexadecimal digits:
// of a file, or of the names and content of all files in a folder. Hidden files and the
// folders in which Python keeps compiled code do not count.
func ProgramDigest(path string) (string, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return FileDigest(path)
	}
	var list strings.Builder
	err := filepath.WalkDir(path, func(file string, e fs.DirEntry, err error) error {
		switch name := e.Name(); {
		case err != nil:
			return err
		case file != path && (strings.HasPrefix(name, ".") || name == "__pycache__"):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case e.IsDir():
			return nil
		}
		digest, err := FileDigest(file)
		fmt.Fprintf(&list, "%q %s\n", strings.TrimPrefix(file, path), digest)
		return err
	})
	return store.SHA256([]byte(list.String())), err
}

// programDifferences lists what has changed in the programs since the run was started.
func programDifferences(begun, now map[string]Program) []string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(now)) {
		was, is := begun[key], now[key]
		for _, name := range slices.Sorted(maps.Keys(is.Files)) {
			if before, after := was.Files[name], is.Files[name]; before != after {
				out = append(out, fmt.Sprintf("%s.files: content of %s changed (SHA-256 %.12s -> %.12s)", key, name, before, after))
			}
		}
		if was.Function != nil && is.Function != nil && *was.Function != *is.Function {
			out = append(out, fmt.Sprintf("%s: the program serves %s -> %s", key, was.Function, is.Function))
		}
	}
	return out
}

// parts identifies what the units of a run depend on.
func (p Program) parts(key string) []string {
	parts := []string{key}
	for _, name := range slices.Sorted(maps.Keys(p.Files)) {
		parts = append(parts, name, p.Files[name])
	}
	return parts
}

// AddNotes adds to the notes of programs in the environment of the run, one caller after the other. It
// does nothing for keypoints of a config, without a run.
func (f Folder) AddNotes(ctx context.Context, notes []fact.Fact) error {
	if len(notes) == 0 || Missing(f.Environment()) {
		return nil
	}
	const claim = ".environment" // no scene has this name
	release, by, err := f.Take(claim)
	for ; by != nil; release, by, err = f.Take(claim) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	if err != nil {
		return err
	}
	defer release()
	e, err := f.ReadEnvironment()
	if err != nil {
		return err
	}
	e.Notes = append(e.Notes, notes...)
	slices.SortFunc(e.Notes, func(a, b fact.Fact) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	e.Notes = slices.CompactFunc(e.Notes, func(a, b fact.Fact) bool { return reflect.DeepEqual(a, b) })
	return f.WriteJSON(f.Environment(), e)
}

// maxInputFile limits imported features and files of programs in bytes. The packages
// that read them have their own limits, none of them higher.
const maxInputFile = 2 << 30

// FileDigest returns the SHA-256 of a file as hexadecimal digits.
func FileDigest(path string) (string, error) { return store.FileDigest(path, maxInputFile) }
