package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"descbench/descriptors"
	"descbench/descriptors/extract"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/store"
)

// A sceneRecord is the scene unit: what the scene was made of when its other
// units were computed.
type sceneRecord struct {
	Name     string        `json:"name"`
	Category string        `json:"category"`
	Digest   string        `json:"digest"`
	Images   []imageRecord `json:"images"`
}

type imageRecord struct {
	File   string `json:"file"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Digest string `json:"digest"`
}

// sceneWork computes the units of one scene. Its images are decoded when
// something first needs pixels, which nothing does if all is cached.
type sceneWork struct {
	*runner
	scene    *dataset.Scene
	pictures [images]picture
	sets     map[string][]keypoints.Set // by name; one per image
	digests  map[string]string          // of the sets, by name
}

// A picture is one image of the scene, decoded on first use.
type picture struct {
	once    sync.Once
	decoded *detect.Image
	err     error
	// onePass holds what detecting and describing in one pass gave for this
	// image: raw rows of every detected keypoint.
	onePass map[string]describedDetection
}

type describedDetection struct {
	rowOf map[keypoints.Keypoint]int // equal keypoints have equal descriptors
	raw   *descriptors.Matrix
	took  time.Duration
}

// openScene reads the scene's homographies and images (undecoded) and checks
// that they are those the run was begun with.
func (r *runner) openScene(ctx context.Context, name string) (*sceneWork, error) {
	scene, err := dataset.Open(ctx, r.plan.Config.Dataset.Root, name)
	if err != nil {
		return nil, err
	}
	w := &sceneWork{runner: r, scene: scene, sets: make(map[string][]keypoints.Set), digests: make(map[string]string)}
	now := sceneRecord{Name: scene.Name, Category: scene.Category, Digest: scene.Digest}
	for _, img := range scene.Images {
		now.Images = append(now.Images, imageRecord{File: img.File, Width: img.Width, Height: img.Height, Digest: img.Digest})
	}
	var begun sceneRecord
	path := r.folder.scene(name)
	if err := readJSON(path, &begun); errors.Is(err, fs.ErrNotExist) {
		return w, writeJSON(path, now)
	} else if err != nil {
		return nil, err
	}
	if begun.Digest != now.Digest {
		// Not a failure of the scene: units of other data would be mixed with
		// those of this.
		return nil, dataErrorf("%s: its images or homographies are not those that the run in %s was begun with; --overwrite begins anew", name, r.folder.path)
	}
	return w, nil
}

// close frees the decoded images.
func (w *sceneWork) close() {
	for i := range w.pictures {
		if img := w.pictures[i].decoded; img != nil {
			img.Close()
		}
	}
}

// image returns image i (from 0), decoding it on the first call.
func (w *sceneWork) image(i int) (*detect.Image, error) {
	p := &w.pictures[i]
	p.once.Do(func() {
		bgr, err := w.scene.Decode(i)
		if err != nil {
			p.err = err
			return
		}
		img, err := detect.NewImage(bgr)
		if err != nil {
			p.err = err
			return
		}
		p.decoded = &img
	})
	return p.decoded, p.err
}

// eachImage calls do for every image of the scene, several at a time, each
// call holding one processor slot.
func (w *sceneWork) eachImage(ctx context.Context, do func(i int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	for i := range images {
		g.Go(func() error {
			if err := w.slots.Acquire(ctx, 1); err != nil {
				return err
			}
			defer w.slots.Release(1)
			err := do(i)
			if named := (*dataset.Error)(nil); err == nil || errors.As(err, &named) {
				return err // a dataset.Error names the file
			}
			return fmt.Errorf("%s/%s: %w", w.scene.Name, w.scene.Images[i].File, err)
		})
	}
	return g.Wait()
}

// set returns a keypoint set of the scene, one per image, from its unit if
// that is there, else computed and written.
func (w *sceneWork) set(ctx context.Context, set *config.KeypointSet) ([]keypoints.Set, error) {
	if sets, ok := w.sets[set.Name]; ok {
		return sets, nil
	}
	path := w.folder.set(set.Name, w.scene.Name)
	sets, err := store.ReadSets(path)
	switch {
	case err == nil && len(sets) == images:
	case err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, store.ErrDamaged):
		if sets, err = w.computeSet(ctx, set); err != nil {
			return nil, fmt.Errorf("keypoint set %s: %w", set.Name, err)
		}
		if err := store.WriteSets(path, sets); err != nil {
			return nil, place(err)
		}
	default:
		return nil, &DataError{err}
	}
	w.sets[set.Name] = sets
	w.digests[set.Name] = setDigest(sets)
	return sets, nil
}

func (w *sceneWork) computeSet(ctx context.Context, set *config.KeypointSet) ([]keypoints.Set, error) {
	sets := make([]keypoints.Set, images)
	if set.From != "" {
		from, err := w.set(ctx, w.plan.sets[set.From])
		if err != nil {
			return nil, err
		}
		copy(sets, from)
	} else if err := w.eachImage(ctx, func(i int) error {
		if set.Project != nil && i != 0 {
			return nil // only the reference image is looked at
		}
		var err error
		sets[i], err = w.detect(set.Detect, i)
		return err
	}); err != nil {
		return nil, err
	}
	for i, img := range w.scene.Images {
		sets[i] = selectSteps(sets[i], set, img.Width, img.Height)
	}
	if set.Project != nil {
		w.project(sets, set)
	}
	return sets, nil
}

// project replaces the sets of images 2 to 6 by the projections of image 1's.
func (w *sceneWork) project(sets []keypoints.Set, set *config.KeypointSet) {
	for i := 1; i < images; i++ {
		bounds := w.scene.Images[i]
		if set.Project.Bounds == "image1" {
			bounds = w.scene.Images[0]
		}
		sets[i] = sets[0].Project(w.scene.Homographies[i], bounds.Width, bounds.Height, borderOf(set))
	}
}

// detect returns every keypoint of an image, from the cache if they are there.
func (w *sceneWork) detect(d *config.Detect, i int) (keypoints.Set, error) {
	key := store.Key("detection", w.environment.extractionKey(), w.scene.Images[i].Digest, d.Type, d.Params.String())
	found, err := w.cache.Detections(key)
	if err == nil {
		return found, nil
	}
	w.noteDamage(err)
	img, err := w.image(i)
	if err != nil {
		return keypoints.Set{}, err
	}
	start := time.Now()
	if kind, ok := w.companion(d); ok {
		var raw *descriptors.Matrix
		if found, raw, err = extract.DetectAndDescribe(*img, d.Type, d.Params, kind.Type, kind.Params); err == nil {
			w.keepOnePass(i, kind, found, raw, time.Since(start))
		}
	} else {
		found, err = detect.Detect(*img, d.Type, d.Params)
	}
	if err != nil {
		return keypoints.Set{}, err
	}
	return found, place(w.cache.PutDetections(key, found))
}

// companion returns a descriptor of the plan that can be computed in the same
// pass as the detector's keypoints, whose pyramid it shares.
func (w *sceneWork) companion(d *config.Detect) (config.Descriptor, bool) {
	for _, desc := range w.plan.Config.Descriptors {
		set := w.plan.sets[desc.Keypoints]
		root := w.plan.root(set)
		if root.Detect == d && set.Project == nil && root.Project == nil &&
			extract.CanShare(d.Type, d.Params, desc.Type, desc.Params) {
			return desc, true
		}
	}
	return config.Descriptor{}, false
}

func (w *sceneWork) keepOnePass(i int, d config.Descriptor, found keypoints.Set, raw *descriptors.Matrix, took time.Duration) {
	rowOf := make(map[keypoints.Keypoint]int, found.Len())
	for row, k := range found.Keypoints {
		rowOf[k] = row
	}
	if w.pictures[i].onePass == nil {
		w.pictures[i].onePass = make(map[string]describedDetection)
	}
	w.pictures[i].onePass[rawSettings(d)] = describedDetection{rowOf, raw, took}
}

// rawSettings names what determines a descriptor's raw rows; rooting and
// normalisation come after and cost nothing.
func rawSettings(d config.Descriptor) string { return d.Type + " " + d.Params.String() }

// features returns the raw rows of a descriptor for an image's keypoints, and
// how long they took to compute; 0 if they came from the cache.
func (w *sceneWork) features(d config.Descriptor, i int, set keypoints.Set) (*descriptors.Matrix, time.Duration, error) {
	key := store.Key("features", w.environment.extractionKey(), w.scene.Images[i].Digest, string(setBytes(set)), rawSettings(d))
	raw, err := w.cache.Features(key)
	if err == nil {
		return raw, 0, nil
	}
	w.noteDamage(err)
	raw, took := w.pictures[i].onePass[rawSettings(d)].pick(set)
	if raw == nil {
		img, err := w.image(i)
		if err != nil {
			return nil, 0, err
		}
		start := time.Now()
		if raw, err = extract.Extract(*img, set.Keypoints, d.Type, d.Params); err != nil {
			return nil, 0, err
		}
		took = time.Since(start)
	}
	return raw, took, place(w.cache.PutFeatures(key, raw))
}

// pick returns the rows of a set of detected keypoints, or nil if the set has
// others.
func (d describedDetection) pick(set keypoints.Set) (*descriptors.Matrix, time.Duration) {
	if d.raw == nil {
		return nil, 0
	}
	rows := make([]int, set.Len())
	for i, k := range set.Keypoints {
		row, ok := d.rowOf[k]
		if !ok {
			return nil, 0
		}
		rows[i] = row
	}
	return d.raw.Select(rows), d.took
}

// evaluate computes and writes the eval unit of one descriptor.
func (w *sceneWork) evaluate(ctx context.Context, d config.Descriptor) (store.EvalUnit, error) {
	sets, err := w.set(ctx, w.plan.sets[d.Keypoints])
	if err != nil {
		return store.EvalUnit{}, err
	}
	var views [images]view
	var took [images]time.Duration
	err = w.eachImage(ctx, func(i int) error {
		raw, t, err := w.features(d, i, sets[i])
		if err != nil {
			return err
		}
		img := w.scene.Images[i]
		views[i] = view{width: img.Width, height: img.Height, set: sets[i]}
		views[i].rows, err = finish(raw, d.Root, d.Normalize)
		took[i] = t
		return err
	})
	if err != nil {
		return store.EvalUnit{}, err
	}
	start := time.Now()
	var unit store.EvalUnit
	for i := 1; i < images; i++ {
		pair, queries, err := evaluatePair(ctx, views[0], views[i], w.scene.Homographies[i], w.slots, w.opt.Jobs)
		if err != nil {
			return store.EvalUnit{}, fmt.Errorf("%s: images 1 and %d: %w", w.scene.Name, i+1, err)
		}
		pair.Descriptor, pair.Scene, pair.K = d.Name, w.scene.Name, int32(i+1)
		pair.SceneDigest, pair.SetDigest = w.scene.Digest, w.digests[d.Keypoints]
		for j := range queries {
			queries[j].Descriptor, queries[j].Scene, queries[j].K = pair.Descriptor, pair.Scene, pair.K
		}
		unit.Pairs = append(unit.Pairs, pair)
		unit.Queries = append(unit.Queries, queries...)
	}
	if err := w.writeTimes(d, sets, took, time.Since(start)); err != nil {
		return store.EvalUnit{}, err
	}
	if err := store.WriteEval(w.folder.eval(d.Name, w.scene.Name), unit); err != nil {
		return store.EvalUnit{}, place(err)
	}
	if err := os.Remove(w.folder.failure(d.Name, w.scene.Name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return store.EvalUnit{}, place(err)
	}
	return unit, nil
}

func (w *sceneWork) writeTimes(d config.Descriptor, sets []keypoints.Set, took [images]time.Duration, search time.Duration) error {
	extracting := store.Timing{Descriptor: d.Name, Scene: w.scene.Name, Stage: "extract", Images: images}
	searching := store.Timing{Descriptor: d.Name, Scene: w.scene.Name, Stage: "search", Seconds: search.Seconds(), Images: images}
	for i, t := range took {
		extracting.Seconds += t.Seconds()
		extracting.Keypoints += sets[i].Len()
		searching.Keypoints += sets[i].Len()
		if t == 0 {
			extracting.Cached++
		}
	}
	w.counts.cached.Add(int64(extracting.Cached))
	w.counts.extracted.Add(int64(images - extracting.Cached))
	return writeJSON(w.folder.times(d.Name, w.scene.Name), []store.Timing{extracting, searching})
}

// noteDamage logs a damaged cache entry, which is then computed again.
func (w *sceneWork) noteDamage(err error) {
	if errors.Is(err, store.ErrDamaged) {
		w.opt.Log.Warn("a damaged cache entry is computed again", "reason", err)
	}
}
