package patchbench

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"sync"

	"descbench/descriptors"
	"descbench/eval/patches"
	"descbench/pipeline/plan"
)

// A Source provides the descriptors of patches: from files, or from strips that are
// described on demand. Close frees a network.
type Source struct {
	Name  string // of the descriptor
	own   bool   // described by this program
	load  patches.Loader
	close func()
}

// NewFolder returns a source that reads the files <dir>/<sequence>/<image>.csv.
func NewFolder(dir string, opt patches.CSV) (*Source, error) {
	dir, err := patches.NamedFolder(dir)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, patches.Missing(err, dir, "a folder of descriptors: <sequence>/<image>.csv")
	}
	_, err = os.Stat(filepath.Join(dir, patches.SettingsFile))
	return &Source{filepath.Base(dir), err == nil, patches.Folder(dir, opt), func() {}}, nil
}

// NewStrips returns a source that computes d for the strips
// <dir>/<sequence>/<image>.png. Patches that cannot be described get zeros; their
// number is logged. A program that describes them is killed when ctx ends.
func NewStrips(ctx context.Context, dir string, d Choice, jobs int, log *slog.Logger) (*Source, error) {
	describer, err := NewDescriber(ctx, d, false, log)
	if err != nil {
		return nil, err
	}
	s := &Source{Name: path.Base(d.Name), own: true, close: describer.Close}
	s.load = func(ctx context.Context, wanted patches.Wanted) (*patches.Set, error) {
		images := make(map[string]map[string]*descriptors.Matrix)
		for sequence := range wanted {
			images[sequence] = make(map[string]*descriptors.Matrix)
		}
		var mu sync.Mutex
		invalid, all := 0, 0
		err := eachStrip(ctx, wanted, jobs, func(ctx context.Context, sequence, image string) error {
			m, err := describer.describe(ctx, filepath.Join(dir, sequence, image+".png"))
			if err != nil {
				return err
			}
			read := patches.AsWritten(m)
			mu.Lock()
			defer mu.Unlock()
			images[sequence][image] = read
			invalid += m.CountInvalid()
			all += m.Rows
			return nil
		})
		switch {
		case err != nil:
			return nil, err
		case invalid == all:
			return nil, plan.Faultf("%s: none of the %d patches could be described by %s", dir, all, d.Name)
		case invalid > 0:
			log.Warn(fmt.Sprintf("%d of %d patches could not be described and are zeros", invalid, all))
		}
		return patches.NewSet(s.Name, images)
	}
	return s, nil
}

// Close frees the resources of the source.
func (s *Source) Close() { s.close() }
