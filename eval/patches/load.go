package patches

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"descbench/descriptors"
)

// Wanted lists the images to load, by sequence.
type Wanted map[string][]string

// Add adds an image once.
func (w Wanted) Add(sequence, image string) {
	if !slices.Contains(w[sequence], image) {
		w[sequence] = append(w[sequence], image)
	}
}

// Load reads the descriptors in a folder: <dir>/<sequence>/<image>.csv. wanted
// says which; nil means every CSV file in every folder. Files are read in
// parallel; the set, and the fault reported, do not depend on that.
func Load(ctx context.Context, dir string, wanted Wanted, opt CSV) (*Set, error) {
	if wanted == nil {
		var err error
		if wanted, err = find(dir); err != nil {
			return nil, err
		}
	}
	type job struct{ sequence, image string }
	var jobs []job
	for _, sequence := range slices.Sorted(maps.Keys(wanted)) {
		for _, image := range slices.Sorted(slices.Values(wanted[sequence])) {
			jobs = append(jobs, job{sequence, image})
			if _, err := os.Stat(filepath.Join(dir, sequence, image+".csv")); err != nil {
				return nil, err
			}
		}
	}
	matrices := make([]*descriptors.Matrix, len(jobs))
	faults := make([]error, len(jobs))
	var failed atomic.Bool
	var started atomic.Int64
	var g errgroup.Group
	for range min(workers(opt.Workers), len(jobs)) {
		g.Go(func() error {
			var file bytes.Buffer // one for all files of a worker
			for ctx.Err() == nil && !failed.Load() {
				// Jobs start in order: the first fault is among those under
				// way when any is found.
				i := int(started.Add(1)) - 1
				if i >= len(jobs) {
					break
				}
				path := filepath.Join(dir, jobs[i].sequence, jobs[i].image+".csv")
				if matrices[i], faults[i] = loadFile(path, &file, opt); faults[i] != nil {
					failed.Store(true)
				}
			}
			return nil
		})
	}
	_ = g.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	images := make(map[string]map[string]*descriptors.Matrix, len(wanted))
	for i, j := range jobs {
		if faults[i] != nil {
			return nil, faults[i]
		}
		if images[j.sequence] == nil {
			images[j.sequence] = make(map[string]*descriptors.Matrix, len(wanted[j.sequence]))
		}
		images[j.sequence][j.image] = matrices[i]
	}
	return newSet(filepath.Base(dir), dir, images)
}

func loadFile(path string, buffer *bytes.Buffer, opt CSV) (*descriptors.Matrix, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buffer.Reset()
	if _, err := buffer.ReadFrom(f); err != nil {
		return nil, err
	}
	return ParseDescriptors(path, buffer.Bytes(), CSV{Packed: opt.Packed, Workers: 1})
}

// find lists every CSV file in every folder of dir.
func find(dir string) (Wanted, error) {
	files, err := filepath.Glob(filepath.Join(escape(dir), "*", "*.csv"))
	if err != nil {
		return nil, err
	}
	wanted := Wanted{}
	for _, f := range files {
		sequence := filepath.Base(filepath.Dir(f))
		wanted[sequence] = append(wanted[sequence], strings.TrimSuffix(filepath.Base(f), ".csv"))
	}
	if len(wanted) == 0 {
		if _, err := os.Stat(dir); err != nil {
			return nil, err
		}
		return nil, &Fault{File: dir, Reason: "no descriptors, want <sequence>/<image>.csv"}
	}
	return wanted, nil
}

// escape returns dir as a glob pattern for itself.
func escape(dir string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(dir)
}

func workers(n int) int {
	if n < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return n
}
