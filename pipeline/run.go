package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"descbench/eval"
	"descbench/keypoints"
	"descbench/keypoints/detect"
	"descbench/pipeline/config"
	"descbench/pipeline/store"
)

// claimLife is how long a process may be silent about a scene before another
// takes it over. Taking over too early costs double work, never a result.
const claimLife = 10 * time.Minute

// claimPoll is how often a process looks whether another has finished.
const claimPoll = 2 * time.Second

// A runner computes the units of one process's share.
type runner struct {
	plan        *Plan
	folder      folder
	opt         Options
	environment environment
	cache       *store.Cache
	// slots bounds the work on processors, whatever level it comes from:
	// images and tiles of the search take one slot each.
	slots  *semaphore.Weighted
	nets   *networks
	cuts   map[string]keypoints.Cut // by set; written between stages only
	counts counts

	mu      sync.Mutex // guards what follows, and calls of opt.Progress
	running map[string]*eval.Accumulator
	done    int
	total   int
}

type counts struct{ units, resumed, failed, cached, extracted atomic.Int64 }

// Run computes what is missing of a run and folds it, unless it is a shard,
// which leaves folding to Fold. It returns a FailedScenesError beside the
// Outcome when some scenes failed. A cancelled context stops it between two
// images or tiles; every finished unit stays.
func Run(ctx context.Context, cfg *config.Config, opt Options) (*Outcome, error) {
	plan, err := NewPlan(cfg)
	if err != nil {
		return nil, err
	}
	detect.UseOneThread()
	cache, err := store.OpenCache(opt.CacheDir)
	if err != nil {
		return nil, place(err)
	}
	nets := newNetworks()
	defer nets.close()
	if opt.Overwrite || !plan.folder().isRun() {
		if err := plan.loadNetworks(nets); err != nil {
			return nil, err
		}
	}
	f, err := prepare(plan, opt)
	if err != nil {
		return nil, err
	}
	r := &runner{
		plan: plan, folder: f, opt: opt, cache: cache,
		environment: currentEnvironment(opt.Version),
		slots:       semaphore.NewWeighted(int64(opt.Jobs)),
		nets:        nets,
		cuts:        make(map[string]keypoints.Cut),
		running:     make(map[string]*eval.Accumulator),
	}
	for _, d := range cfg.Descriptors {
		if r.running[d.Name], err = newAccumulator(d.Name, cfg.Evaluation); err != nil {
			return nil, err
		}
	}
	err = r.work(ctx)
	r.nets.close()
	// The folder of claims is empty unless another process is still at work.
	_ = os.Remove(filepath.Dir(f.claim("any")))
	if err != nil {
		return &Outcome{Folder: f.path, Config: cfg, Share: r.share()}, err
	}
	outcome := &Outcome{Folder: f.path, Config: cfg}
	if opt.Shard.Whole() {
		outcome, err = fold(ctx, f)
		if outcome == nil {
			return nil, err
		}
	} else if n := r.counts.failed.Load(); n > 0 {
		err = r.failedShare()
	}
	outcome.Share = r.share()
	return outcome, err
}

func (r *runner) share() Share {
	return Share{
		Units: int(r.counts.units.Load()), Resumed: int(r.counts.resumed.Load()), Failed: int(r.counts.failed.Load()),
		CachedImages: int(r.counts.cached.Load()), ExtractedImages: int(r.counts.extracted.Load()),
	}
}

// work computes the missing units of the share: first what selections over all
// scenes choose from, one after the other, then everything else.
func (r *runner) work(ctx context.Context) error {
	scenes := r.plan.share(r.opt.Shard)
	r.total = len(scenes) * len(r.plan.Config.Descriptors)
	for depth := 1; !r.evaluated(scenes); depth++ {
		totals := r.plan.totals(depth)
		if len(totals) == 0 {
			break
		}
		err := r.eachScene(ctx, scenes, func(ctx context.Context, scene string) error { return r.prepareTotals(ctx, scene, totals) })
		if err != nil {
			return err
		}
		for _, set := range totals {
			if err := r.cut(ctx, set); err != nil {
				return err
			}
		}
	}
	if err := r.eachScene(ctx, scenes, r.evaluateScene); err != nil {
		return err
	}
	return r.doTasks(ctx, scenes)
}

// evaluated reports whether no eval unit of the scenes is missing, so that
// keypoint sets are not needed any more.
func (r *runner) evaluated(scenes []string) bool {
	for _, scene := range scenes {
		for _, d := range r.plan.Config.Descriptors {
			if missing(r.folder.eval(d.Name, scene)) {
				return false
			}
		}
	}
	return true
}

// eachScene calls do for every scene, for as many at a time as there are jobs,
// which bounds memory. Scenes that another process has claimed are left for
// the end, and taken over if they are still not released then.
func (r *runner) eachScene(ctx context.Context, scenes []string, do func(ctx context.Context, scene string) error) error {
	for len(scenes) > 0 {
		var mu sync.Mutex
		var busy []string
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(r.opt.Jobs)
		for _, scene := range scenes {
			if ctx.Err() != nil {
				break
			}
			g.Go(func() error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				release, ok, err := store.Claim(r.folder.claim(scene), claimLife)
				if err != nil {
					return place(err)
				}
				if !ok {
					mu.Lock()
					busy = append(busy, scene)
					mu.Unlock()
					return nil
				}
				defer release()
				return do(ctx, scene)
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
		if len(busy) == len(scenes) {
			select {
			case <-time.After(claimPoll):
			case <-ctx.Done():
			}
		}
		scenes = busy
	}
	return ctx.Err()
}

// prepareTotals computes, for one scene, what selections over all scenes
// choose from. A scene that cannot be worked on is recorded as failed.
func (r *runner) prepareTotals(ctx context.Context, scene string, totals []*config.KeypointSet) error {
	w, err := r.openScene(ctx, scene)
	if err == nil {
		defer w.close()
		for _, set := range totals {
			if _, err = w.before(ctx, set); err != nil {
				err = fmt.Errorf("keypoint set %s: %w", set.Name, err)
				break
			}
		}
	}
	if err == nil || fatal(ctx, err) {
		return err
	}
	return r.recordFailure(scene, err)
}

// evaluateScene computes the missing eval units of one scene. What goes wrong
// with the scene is recorded and does not stop the run; what would go wrong
// with every scene does.
func (r *runner) evaluateScene(ctx context.Context, scene string) error {
	w, err := r.openScene(ctx, scene)
	if err != nil {
		if fatal(ctx, err) {
			return err
		}
		for _, d := range r.plan.Config.Descriptors {
			if err := r.fail(d, scene, err); err != nil {
				return err
			}
		}
		return nil
	}
	defer w.close()
	for _, d := range r.plan.Config.Descriptors {
		if err := store.VerifyEval(r.folder.eval(d.Name, scene)); err == nil && r.hasPools(d, scene) {
			r.counts.resumed.Add(1)
			r.finished(Event{Scene: scene, Descriptor: d.Name, Resumed: true})
			continue
		} else if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, store.ErrDamaged) {
			return place(err)
		}
		unit, err := w.evaluate(ctx, d)
		if err != nil {
			if fatal(ctx, err) {
				return err
			}
			if err := r.fail(d, scene, err); err != nil {
				return err
			}
			continue
		}
		if err := r.add(d, unit); err != nil {
			return fmt.Errorf("%s, %s: %w", d.Name, scene, err)
		}
		r.counts.units.Add(1)
		r.finished(Event{Scene: scene, Descriptor: d.Name})
	}
	return nil
}

// fatal reports whether an error concerns the whole run rather than one scene.
func fatal(ctx context.Context, err error) bool {
	var atPlace *DataError
	return ctx.Err() != nil || errors.As(err, &atPlace)
}

// A failureRecord stands in the place of a unit that could not be computed.
type failureRecord struct {
	Reason string `json:"reason"`
}

// recordFailure puts a failure record in the place of every unit of a scene.
func (r *runner) recordFailure(scene string, reason error) error {
	for _, d := range r.plan.Config.Descriptors {
		if err := writeJSON(r.folder.failure(d.Name, scene), failureRecord{reason.Error()}); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) fail(d config.Descriptor, scene string, reason error) error {
	r.counts.failed.Add(1)
	if err := writeJSON(r.folder.failure(d.Name, scene), failureRecord{reason.Error()}); err != nil {
		return err
	}
	r.finished(Event{Scene: scene, Descriptor: d.Name, Failed: reason.Error()})
	return nil
}

func (r *runner) finished(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	if r.opt.Progress == nil {
		return
	}
	e.Done, e.Total = r.done, r.total
	for _, d := range r.plan.Config.Descriptors {
		m, ok := r.running[d.Name].RunningMAP()
		if !ok {
			m = math.NaN()
		}
		e.Running = append(e.Running, RunningMAP{d.Name, m})
	}
	r.opt.Progress(e)
}

// add sums up a unit for the running mAP.
func (r *runner) add(d config.Descriptor, unit store.EvalUnit) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return eachPair(unit, r.running[d.Name].Add)
}

// failedShare gathers what failed in this process's share.
func (r *runner) failedShare() error {
	failed := make(map[string]string)
	scenes := r.plan.share(r.opt.Shard)
	for _, scene := range scenes {
		for _, d := range r.plan.Config.Descriptors {
			var record failureRecord
			err := readJSON(r.folder.failure(d.Name, scene), &record)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				return err
			}
			failed[scene] = record.Reason
		}
	}
	return &FailedScenesError{Requested: len(scenes), Failed: failed}
}

// missing reports whether a file is not there.
func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}
