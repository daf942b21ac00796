package features

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"descbench/eval/scope"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A Scene computes the units of one scene. It decodes an image only when pixels
// are needed, so never if everything is cached.
type Scene struct {
	*Stage
	Source *dataset.Scene
	Units  *plan.SceneUnits
	// Remembered says that the cache has the digests of the scene's files, which were
	// found good.
	Remembered bool

	pictures []picture
	loading  sync.Mutex                 // guards sets
	sets     map[string][]keypoints.Set // by name; one per image
	// extracted maps the cache keys of extracted rows to the descriptors for which
	// they were extracted.
	extracted sync.Map
	inMemory  sync.Map // rows that are not cached, as extract.Answer, by key
	clock     clock

	byProgram sync.Map // errors of programs, by the cache keys of their results
	numbers   sync.Map // of the keypoints in files, see numbersOf
}

// A picture is one image of the scene. Its pixels are decoded when they are needed
// and freed when all descriptors have been extracted.
type picture struct {
	decoding sync.Mutex // guards decoded and err
	decoded  *detect.Image
	err      error
	// onePass holds the raw rows of every detected keypoint of this image, from
	// detecting and describing in one pass.
	onePass map[string]described
}

// Open reads the scene's homographies and its images, without decoding them, and
// checks that they have not changed since they were first used. If the folder has units of other ones, it
// says that these are computed again.
func (s *Stage) Open(ctx context.Context, name string) (*Scene, error) {
	w, changed, err := s.open(ctx, name)
	if err == nil && changed {
		s.opt.Logger().Warn("images or imported files of a scene have changed since the run was started; computing again what depends on them", "scene", name)
	}
	return w, err
}

// open also reports whether the folder has units of other images or imported files.
func (s *Stage) open(ctx context.Context, name string) (w *Scene, changed bool, err error) {
	scene, err := plan.OpenScene(ctx, s.Plan.Config.Dataset, name)
	if err != nil && plan.Missing(s.Plan.Config.Dataset.Root) {
		return nil, false, fmt.Errorf("%w; if the images have moved, use --data DIR", err)
	} else if err != nil {
		return nil, false, err
	}
	w = &Scene{Stage: s, Source: scene, pictures: make([]picture, len(scene.Images)), sets: make(map[string][]keypoints.Set)}
	s.opening.Lock()
	s.digests[scene.Name] = scene.Digest
	err = dataset.NoCopies(s.digests)
	s.opening.Unlock()
	if err != nil {
		return nil, false, plan.Fault(err) // of the whole run
	}
	var unlike error
	w.Remembered, unlike = scene.Remembered(s.opt.CacheDir)
	now := plan.SceneRecord{Name: scene.Name, Category: scope.Category(scene.InFiles), Digest: scene.Digest, Images: scene.Images, Facts: scene.Facts}
	if now.Imported, err = imported(s.Plan, scene); err != nil {
		return nil, false, err
	}
	units, err := s.Units()
	if err != nil {
		return nil, false, err
	}
	if begun, err := units.Record(name); err == nil {
		changed = begun.Digest != now.Digest
		if changed && unlike != nil {
			return nil, false, plan.Fault(unlike) // stops the run, whose other scenes may have changed as well
		} else if !changed {
			now.Facts = begun.Facts
		}
		for use, digest := range begun.Imported {
			if now.Imported[use] == "" { // a file that is gone has not changed
				now.Imported[use] = digest
			}
			changed = changed || now.Imported[use] != digest
		}
	}
	if unlike != nil {
		return nil, false, unlike
	}
	w.Units = units.Scene(now)
	return w, changed, nil
}

// OpenEvaluated is Open for a scene that must be as it was when a descriptor was evaluated.
func (s *Stage) OpenEvaluated(ctx context.Context, name string, d config.Descriptor) (*Scene, error) {
	w, changed, err := s.open(ctx, name)
	if err == nil && (changed || !w.Units.Has(w.Units.Eval(d.Name))) {
		err = plan.Faultf("%s: its images or imported files are not those of the run %s; rerun descbench run with its config", name, string(s.Folder))
	}
	return w, err
}

// Close frees the pixels and rows that are in memory.
func (w *Scene) Close() {
	for i := range w.pictures {
		p := &w.pictures[i]
		if p.decoded != nil {
			p.decoded.Close()
		}
		p.decoded, p.onePass = nil, nil
	}
}

// image returns image i (from 0), decoding it if necessary.
func (w *Scene) image(i int) (*detect.Image, error) {
	p := &w.pictures[i]
	p.decoding.Lock()
	defer p.decoding.Unlock()
	if p.decoded != nil || p.err != nil {
		return p.decoded, p.err
	}
	start := time.Now()
	img, err := w.Source.Decode(i)
	if p.err = err; err == nil {
		p.decoded = &img
	}
	w.clock.decoded(time.Since(start).Seconds())
	return p.decoded, p.err
}

// EachImage calls do for every image of the scene, several at a time. Each call
// holds one processor slot. EachImage continues after an error and returns the
// error of the first failing image in image order, so that the result does not
// depend on timing.
func (w *Scene) EachImage(ctx context.Context, do func(i int) error) error {
	return w.each(ctx, 0, func(i int) error {
		err := do(i)
		if named := (*store.Fault)(nil); err == nil || errors.As(err, &named) {
			return err // a store.Fault names the file
		}
		return fmt.Errorf("%s: %w", w.Source.Where(i), err)
	})
}

// EachPair is EachImage for the images that are compared with image 0, but returns
// errors as they are.
func (w *Scene) EachPair(ctx context.Context, do func(i int) error) error { return w.each(ctx, 1, do) }

func (w *Scene) each(ctx context.Context, first int, do func(i int) error) error {
	failed := make([]error, len(w.Source.Images))
	var g errgroup.Group
	for i := first; i < len(w.Source.Images); i++ {
		g.Go(func() error {
			if err := w.Slots.Acquire(ctx, 1); err != nil {
				return err
			}
			defer w.Slots.Release(1)
			failed[i] = do(i)
			return nil
		})
	}
	return cmp.Or(g.Wait(), cmp.Or(failed...))
}

// clock adds up the times of the stages of a scene that descriptors share.
type clock struct {
	mu             sync.Mutex
	decode, detect store.Timing
}

func (c *clock) decoded(seconds float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.decode.Seconds += seconds
	c.decode.Images++
}

// detected adds the detection of an image.
func (c *clock) detected(found keypoints.Set, seconds float64, cached bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.detect.Images++
	c.detect.Keypoints += found.Len()
	if cached {
		c.detect.Cached++
	}
	c.detect.Seconds += seconds
}

// putTimes adds the times of the shared stages that were not skipped because their
// results existed.
func (w *Scene) putTimes() {
	w.clock.mu.Lock()
	defer w.clock.mu.Unlock()
	w.clock.decode.Stage, w.clock.detect.Stage = store.DecodeStage, store.DetectStage
	for _, t := range []store.Timing{w.clock.decode, w.clock.detect} {
		if t.Images > 0 {
			t.Scene = w.Source.Name
			w.Units.PutTimes(plan.SharedTimes(t.Stage), t)
		}
	}
}
