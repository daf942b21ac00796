package patches

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"descbench/descriptors"
	"descbench/eval/spelling"
)

// Wanted lists the images to load, by sequence.
type Wanted map[string][]string

// Add adds an image if it is not in the list yet.
func (w Wanted) Add(sequence, image string) {
	if !slices.Contains(w[sequence], image) {
		w[sequence] = append(w[sequence], image)
	}
}

// Load reads the descriptors in a folder: <dir>/<sequence>/<image>.csv. workers is as in Each.
func Load(ctx context.Context, open Opener, dir string, wanted Wanted, workers int) (*Set, error) {
	type job struct{ sequence, image string }
	var jobs []job
	for _, sequence := range slices.Sorted(maps.Keys(wanted)) {
		for _, image := range slices.Sorted(slices.Values(wanted[sequence])) {
			jobs = append(jobs, job{sequence, image})
			path := filepath.Join(dir, sequence, image+".csv")
			if _, err := os.Stat(path); err != nil {
				if _, none := Find(dir, ".csv", "descriptors"); none != nil {
					return nil, none
				}
				return nil, Missing(err, path, "the descriptors of this image")
			}
		}
	}
	matrices := make([]*descriptors.Matrix, len(jobs))
	err := Each(ctx, workers, len(jobs), func(i int) (err error) {
		matrices[i], err = ReadFile(open, filepath.Join(dir, jobs[i].sequence, jobs[i].image+".csv"), readDescriptors)
		return err
	})
	if err != nil {
		return nil, err
	}
	images := make(map[string]map[string]*descriptors.Matrix, len(wanted))
	for i, j := range jobs {
		if images[j.sequence] == nil {
			images[j.sequence] = make(map[string]*descriptors.Matrix, len(wanted[j.sequence]))
		}
		images[j.sequence][j.image] = matrices[i]
	}
	return NewSet(dir, images)
}

// An Opener opens a regular file of at most limit bytes; the caller closes it.
type Opener func(path string, limit int64) (*os.File, error)

// MaxFileBytes limits a file of the benchmark in bytes. It has room for the 15 384
// descriptors of a strip with 4096 elements each, and for 50 million pairs.
const MaxFileBytes = 4 << 30

// ReadFile opens a file and calls read with its path and content, without what is appended
// meanwhile.
func ReadFile[T any](open Opener, path string, read func(name string, r io.Reader) (T, error)) (v T, err error) {
	f, err := open(path, MaxFileBytes)
	if err != nil {
		return v, Missing(err, path, "a file of the benchmark")
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return v, err
	}
	return read(path, io.NewSectionReader(f, 0, info.Size()))
}

// Missing returns err or, if err reports that the file or folder at path does not
// exist, a fault that says what is wanted there and still matches fs.ErrNotExist.
func Missing(err error, path, want string) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return &Fault{File: path, Reason: "no such file or directory, want " + want, Err: err}
}

// Find lists the files <dir>/<sequence>/<image><extension>. It returns an error that
// names what is missing if there are no such files.
func Find(dir, extension, what string) (Wanted, error) {
	files, err := filepath.Glob(filepath.Join(escape(dir), "*", "*"+extension))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		reason := fmt.Sprintf("no %s, want <sequence>/<image>%s", what, extension)
		if deeper, _ := filepath.Glob(filepath.Join(escape(dir), "*", "*", "*"+extension)); len(deeper) > 0 {
			for i, f := range deeper {
				deeper[i] = filepath.Base(filepath.Dir(filepath.Dir(f)))
			}
			reason = fmt.Sprintf("holds folders of %s; name one of them: %s", what, spelling.Few(slices.Compact(deeper), 20))
		}
		return nil, &Fault{File: dir, Reason: reason}
	}
	found := Wanted{}
	for _, f := range files {
		sequence := filepath.Base(filepath.Dir(f))
		found[sequence] = append(found[sequence], strings.TrimSuffix(filepath.Base(f), extension))
	}
	return found, nil
}

// escape returns a glob pattern that matches only dir.
func escape(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}
