package features

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"descbench/descriptors"
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
}

// A picture is one image of the scene. Its pixels are decoded when they are needed
// and freed when all descriptors have been extracted.
type picture struct {
	decoding sync.Mutex // guards decoded and err
	decoded  *detect.Image
	err      error
	// onePass holds the raw rows of every detected keypoint of this image, from
	// detecting and describing in one pass.
	onePass map[string]describedDetection
}

type describedDetection struct {
	rowOf map[keypoints.Keypoint]int // equal keypoints have equal descriptors
	raw   *descriptors.Matrix
	took  time.Duration
}

// Open reads the scene's homographies and its images, without decoding them, and
// checks that they have not changed since they were first used and since the run was
// started.
func (s *Stage) Open(ctx context.Context, name string) (*Scene, error) {
	scene, err := plan.OpenScene(ctx, s.Plan.Config.Dataset, name)
	if err != nil && plan.Missing(s.Plan.Config.Dataset.Root) {
		return nil, fmt.Errorf("%w; if the images have moved, use --data DIR", err)
	} else if err != nil {
		return nil, err
	}
	s.digests.Store(scene.Name, scene.Digest)
	w := &Scene{Stage: s, Source: scene, pictures: make([]picture, len(scene.Images)), sets: make(map[string][]keypoints.Set)}
	opened := make(map[string]string)
	s.digests.Range(func(name, digest any) bool {
		opened[name.(string)] = digest.(string)
		return true
	})
	if err := dataset.NoCopies(opened); err != nil {
		return nil, plan.Fault(err) // of the whole run
	}
	var changed error
	w.Remembered, changed = scene.Remembered(s.opt.CacheDir)
	now := plan.SceneRecord{Name: scene.Name, Category: scene.Category, Digest: scene.Digest, Images: scene.Images, Facts: scene.Facts}
	imported, err := imports(s.Plan, scene)
	if err != nil {
		return nil, err
	}
	begun, err := s.Folder.ReadScene(name)
	// Units tell which data they were computed from, so that a damaged record can
	// be replaced.
	isNew := errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrDamaged)
	s.NoteUnusable("scene record", err)
	if err != nil && !isNew {
		return nil, err
	}
	if !isNew && begun.Digest != now.Digest && !s.used(name) {
		begun, isNew = plan.SceneRecord{}, true // the scene failed, and its files were restored
	} else if !isNew && begun.Digest != now.Digest {
		// Stops the run rather than failing the scene, because units of
		// different data would be mixed.
		if changed != nil {
			return nil, plan.Faultf("%w, and use --overwrite to start the run in %s over", changed, string(s.Folder))
		}
		what := "a homography" // unless it is an image
		for i, file := range slices.Backward(now.Images) {
			switch {
			case i >= len(begun.Images) || file.Digest != begun.Images[i].Digest:
				what = file.File
			case file.Depth != begun.Images[i].Depth:
				what = "the depth of " + file.File
			}
		}
		return nil, plan.Faultf("%s: %s has changed since the run in %s was started; use --overwrite to start over", name, what, string(s.Folder))
	}
	if changed != nil {
		return nil, changed
	}
	if now.Imported, err = w.takeImports(ctx, begun.Imported, isNew, imported); err != nil {
		return nil, err
	}
	if !isNew {
		now.Facts = begun.Facts
	}
	if isNew || !maps.Equal(now.Imported, begun.Imported) {
		return w, s.Folder.WriteJSON(s.Folder.Scene(name), now)
	}
	return w, nil
}

// used reports whether the run has results that depend on a scene.
func (s *Stage) used(scene string) bool {
	return slices.ContainsFunc(s.Plan.Config.Descriptors, func(d config.Descriptor) bool { return !plan.Missing(s.Folder.Eval(d.Name, scene)) }) ||
		slices.ContainsFunc(s.Plan.Config.KeypointSets, func(set config.KeypointSet) bool { return !plan.Missing(s.Folder.Cut(set.Name)) })
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
	bgr, err := w.Source.Decode(i)
	if err == nil {
		var img detect.Image
		if img, err = detect.NewImage(bgr); err == nil {
			p.decoded = &img
		}
	}
	w.clock.decoded(time.Since(start).Seconds())
	p.err = err
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

// writeTimes writes the times of the shared stages that were not skipped because their
// results existed.
func (w *Scene) writeTimes() error {
	w.clock.mu.Lock()
	defer w.clock.mu.Unlock()
	w.clock.decode.Stage, w.clock.detect.Stage = store.DecodeStage, store.DetectStage
	for _, t := range []store.Timing{w.clock.decode, w.clock.detect} {
		if t.Images == 0 {
			continue
		}
		t.Scene = w.Source.Name
		if err := w.Folder.WriteTimes(plan.SharedTimes(t.Stage), t.Scene, t); err != nil {
			return err
		}
	}
	return nil
}
