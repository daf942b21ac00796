package patchbench

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"descbench/descriptors"
	"descbench/eval/patches"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
)

// A Source is where the descriptors of patches come from: files, or strips that
// are described as they are asked for. Close frees a network.
type Source struct {
	Name  string // of the descriptor
	load  patches.Loader
	close func()
}

// NewFolder returns the source of the files <dir>/<sequence>/<image>.csv.
func NewFolder(dir string, opt patches.CSV) (*Source, error) {
	dir, err := patches.NamedFolder(dir)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(dir); err != nil {
		return nil, err
	}
	return &Source{filepath.Base(dir), patches.Folder(dir, opt), func() {}}, nil
}

// NewStrips returns the source of the strips <dir>/<sequence>/<image>.png,
// described by d. Patches that cannot be described are zeros, which is logged.
func NewStrips(dir string, d config.Descriptor, jobs int, log *slog.Logger) (*Source, error) {
	describer, err := NewDescriber(d, false)
	if err != nil {
		return nil, err
	}
	s := &Source{Name: path.Base(d.Name), close: describer.Close}
	s.load = func(ctx context.Context, wanted patches.Wanted) (*patches.Set, error) {
		images, err := describer.all(ctx, dir, wanted, jobs)
		if err != nil {
			return nil, err
		}
		invalid, all := 0, 0
		for _, sequence := range images {
			for image, m := range sequence {
				invalid += m.CountInvalid()
				all += m.Rows
				sequence[image] = patches.AsWritten(m)
			}
		}
		switch {
		case invalid == all:
			return nil, plan.Faultf("%s: not one of %d patches could be described by %s", dir, all, d.Name)
		case invalid > 0:
			log.Warn(fmt.Sprintf("%d of %d patches could not be described and are zeros", invalid, all))
		}
		return patches.NewSet(s.Name, images)
	}
	return s, nil
}

// Close frees what the source holds.
func (s *Source) Close() { s.close() }

// all describes the strips wanted.
func (p *Describer) all(ctx context.Context, dir string, wanted patches.Wanted, jobs int) (map[string]map[string]*descriptors.Matrix, error) {
	images := make(map[string]map[string]*descriptors.Matrix)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(patches.Workers(jobs))
	rows := make(map[string][]*descriptors.Matrix)
	for _, sequence := range slices.Sorted(maps.Keys(wanted)) {
		rows[sequence] = make([]*descriptors.Matrix, len(wanted[sequence]))
		for i, image := range wanted[sequence] {
			to := &rows[sequence][i]
			g.Go(func() (err error) {
				*to, err = p.Describe(ctx, filepath.Join(dir, sequence, image+".png"))
				return err
			})
		}
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for sequence, names := range wanted {
		images[sequence] = make(map[string]*descriptors.Matrix)
		for i, image := range names {
			images[sequence][image] = rows[sequence][i]
		}
	}
	return images, nil
}
