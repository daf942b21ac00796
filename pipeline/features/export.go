package features

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/files/importer"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Export writes the keypoints and one descriptor of a run to
// <dir>/<scene>/<image>.npz and returns the number of files. image is the name
// of the image file without its extension. A config can read the files back
// through `import` and `type: file`, and so can other programs. The rows are
// those that were compared, except that integer rows that are compared in
// L2-normalised form are written as integers. Features that are not cached are
// extracted again. A file that exists with other content is an error.
func Export(ctx context.Context, run, descriptor, dir string, opt plan.Options) (files int, err error) {
	f := plan.Folder(run)
	p, err := f.Plan()
	if err != nil {
		return 0, err
	}
	if all := p.Config.Descriptors; descriptor == "" && len(all) == 1 {
		descriptor = all[0].Name
	}
	d := p.Config.Named(descriptor)
	if d == nil {
		names := spelling.Words(p.Config.Descriptors, func(d config.Descriptor) string { return d.Name })
		return 0, &config.Error{File: strings.TrimSpace("--descriptor " + descriptor), Msg: "want one of the run: " + strings.Join(names, ", ") + spelling.Hint(descriptor, names)}
	}
	if d.Matches != nil {
		return 0, &config.Error{File: "--descriptor " + descriptor, Msg: "it has matches, but no rows to export; docs/results.md says how to write its matches from queries.parquet"}
	}
	units, err := f.Units(p)
	if err != nil {
		return 0, err
	}
	if err := units.Evaluated(); err != nil {
		return 0, err
	}
	needed := p.Config.ProgramsOf(descriptor)
	behind := p.Config.Only(func(name string) bool { return slices.Contains(needed, "descriptors["+name+"]") })
	behind.Evaluation.OwnEstimators = nil // rows do not depend on them
	if err := f.Unchanged(behind); err != nil {
		return 0, err
	}
	stage, err := New(p, f, opt)
	if err != nil {
		return 0, err
	}
	defer stage.Close()
	NoteResized(p.Config, opt)
	stage.Units = func() (*plan.Units, error) { return units, nil } // other descriptors may have changed
	var scenes []string
	for _, scene := range p.Scenes {
		if units.Has(units.Eval(descriptor), scene) { // else, the run records it as failed
			scenes = append(scenes, scene)
		}
	}
	var written atomic.Int64
	err = stage.EachScene(ctx, scenes, func(ctx context.Context, scene string) error {
		n, err := stage.exportScene(ctx, *d, scene, dir)
		written.Add(int64(n))
		return err
	})
	return int(written.Load()), err
}

// NoteResized tells in which images exported positions are, if a config resizes them.
func NoteResized(cfg *config.Config, opt plan.Options) {
	if r := cfg.Dataset.Resize; r != nil {
		opt.Logger().Info("note: positions are those in the resized images; a config that imports the files needs the same dataset.resize or preset", "resize", r.String())
	}
}

func (s *Stage) exportScene(ctx context.Context, d config.Descriptor, scene, dir string) (files int, err error) {
	w, err := s.OpenEvaluated(ctx, scene, d)
	if err != nil {
		return 0, err
	}
	defer w.Close()
	if err := w.Extract(ctx, []config.Descriptor{d}); err != nil {
		return 0, err
	}
	sets, err := w.Load(ctx, d)
	if err != nil {
		return 0, err
	}
	err = w.EachImage(ctx, func(i int) error {
		m, _, err := w.Rows(d, i)
		if err != nil {
			return err
		}
		file := w.Source.NameOf(i)
		path := filepath.Join(dir, w.Source.InFiles, strings.TrimSuffix(file, filepath.Ext(file))+".npz")
		var b bytes.Buffer
		if err := importer.Export(&b, sets[i], w.Source.Images[i].Width, w.Source.Images[i].Height, m); err != nil {
			return plan.Fault(fmt.Errorf("%s: %w", path, err))
		}
		return plan.Fault(store.WriteOwn(path, b.Bytes(), ""))
	})
	return len(w.Source.Images), err
}
