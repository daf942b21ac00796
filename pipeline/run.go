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

	"descbench/eval"
	"descbench/pipeline/config"
	"descbench/pipeline/features"
	"descbench/pipeline/fold"
	"descbench/pipeline/pairing"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A runner computes the units of one process's share.
type runner struct {
	*features.Stage
	opt                    plan.Options
	units, resumed, failed atomic.Int64

	mu      sync.Mutex // guards the fields below and calls of opt.Progress
	running map[string]*eval.Accumulator
	done    int
	total   int
}

func newRunner(stage *features.Stage, opt plan.Options) (*runner, error) {
	r := &runner{Stage: stage, opt: opt, running: make(map[string]*eval.Accumulator)}
	cfg := stage.Plan.Config
	for _, d := range cfg.Descriptors {
		var err error
		if r.running[d.Name], err = fold.NewAccumulator(d.Name, cfg.Evaluation); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Run computes the missing units of a run and folds it. It does not fold if
// opt.Shard is only a part of the scenes. If some scenes failed, it returns both
// an Outcome and a FailedScenesError. Cancelling ctx stops it after the current
// images or tiles and keeps every finished unit.
func Run(ctx context.Context, cfg *config.Config, opt plan.Options) (*fold.Outcome, error) {
	p, err := plan.Find(cfg)
	if err != nil {
		return nil, err
	}
	stage, err := features.New(p, p.Folder(), opt)
	if err != nil {
		return nil, err
	}
	defer stage.Close()
	if opt.Overwrite || !p.Folder().IsRun() {
		if err := stage.LoadNetworks(); err != nil {
			return nil, err
		}
	}
	f, err := plan.Prepare(p, opt)
	if err != nil {
		return nil, err
	}
	r, err := newRunner(stage, opt)
	if err != nil {
		return nil, err
	}
	err = r.work(ctx)
	stage.Close() // folding needs no networks
	// Fails, as intended, if the claims of other running processes are in it.
	_ = os.Remove(filepath.Dir(f.Claim("any")))
	if err != nil {
		return &fold.Outcome{Folder: string(f), Config: cfg, Share: r.share()}, err
	}
	outcome := &fold.Outcome{Folder: string(f), Config: cfg}
	if opt.Shard.Whole() {
		outcome, err = fold.Fold(ctx, f)
		if outcome == nil {
			return nil, err
		}
	} else if r.failed.Load() > 0 {
		err = r.failedShare()
	}
	outcome.Share = r.share()
	return outcome, err
}

func (r *runner) share() fold.Share {
	s := fold.Share{Units: int(r.units.Load()), Resumed: int(r.resumed.Load()), Failed: int(r.failed.Load())}
	s.CachedImages, s.ExtractedImages = r.Images()
	return s
}

// work computes the missing units of the share. It first makes the selections
// over all scenes, and then computes everything else.
func (r *runner) work(ctx context.Context) error {
	scenes := r.Plan.Share(r.opt.Shard)
	r.total = len(scenes) * len(r.Plan.Config.Descriptors)
	if !r.evaluated(scenes) {
		err := r.TotalCuts(ctx, func(do func(context.Context, *features.Scene) error) error {
			return r.EachScene(ctx, scenes, func(ctx context.Context, scene string) error { return r.prepareScene(ctx, scene, do) })
		})
		if err != nil {
			return err
		}
	}
	if err := r.EachScene(ctx, scenes, r.evaluateScene); err != nil {
		return err
	}
	return pairing.DoTasks(ctx, r.Stage, scenes)
}

// evaluated reports whether all eval units of the scenes exist, so that keypoint
// sets are no longer needed.
func (r *runner) evaluated(scenes []string) bool {
	for _, scene := range scenes {
		for _, d := range r.Plan.Config.Descriptors {
			if plan.Missing(r.Folder.Eval(d.Name, scene)) {
				return false
			}
		}
	}
	return true
}

// prepareScene calls do for a scene before the evaluation of any scene. It
// records the scene as failed if that is not possible.
func (r *runner) prepareScene(ctx context.Context, scene string, do func(context.Context, *features.Scene) error) error {
	w, err := r.Open(ctx, scene)
	if err == nil {
		defer w.Close()
		err = do(ctx, w)
	}
	if err == nil || fatal(ctx, err) {
		return err
	}
	return r.recordFailure(scene, err)
}

// evaluateScene computes the missing eval units of one scene. It records errors
// of the scene, which do not stop the run. It returns errors that would affect
// every scene.
func (r *runner) evaluateScene(ctx context.Context, scene string) error {
	w, err := r.Open(ctx, scene)
	if err != nil {
		if fatal(ctx, err) {
			return err
		}
		for _, d := range r.Plan.Config.Descriptors {
			if err := r.fail(d, scene, err); err != nil {
				return err
			}
		}
		return nil
	}
	defer w.Close()
	for _, d := range r.Plan.Config.Descriptors {
		if err := pairing.Verify(r.Stage, d, scene); err == nil {
			r.resumed.Add(1)
			r.finished(plan.Event{Scene: scene, Descriptor: d.Name, Resumed: true})
			continue
		} else if store.Unusable(err) {
			r.NoteUnusable("unit", err)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return plan.Fault(err)
		}
		unit, err := pairing.Evaluate(ctx, w, d)
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
		r.units.Add(1)
		r.finished(plan.Event{Scene: scene, Descriptor: d.Name})
	}
	return nil
}

// fatal reports whether an error concerns the whole run rather than one scene.
func fatal(ctx context.Context, err error) bool {
	var atPlace *plan.DataError
	return ctx.Err() != nil || errors.As(err, &atPlace)
}

// recordFailure writes a failure record for every eval unit of a scene.
func (r *runner) recordFailure(scene string, reason error) error {
	for _, d := range r.Plan.Config.Descriptors {
		if err := plan.WriteJSON(r.Folder.Failure(d.Name, scene), plan.Failure{Reason: reason.Error()}); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) fail(d config.Descriptor, scene string, reason error) error {
	r.failed.Add(1)
	if err := plan.WriteJSON(r.Folder.Failure(d.Name, scene), plan.Failure{Reason: reason.Error()}); err != nil {
		return err
	}
	r.finished(plan.Event{Scene: scene, Descriptor: d.Name, Failed: reason.Error()})
	return nil
}

func (r *runner) finished(e plan.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	if r.opt.Progress == nil {
		return
	}
	e.Done, e.Total = r.done, r.total
	for _, d := range r.Plan.Config.Descriptors {
		m, ok := r.running[d.Name].RunningMAP()
		if !ok {
			m = math.NaN()
		}
		e.Running = append(e.Running, plan.RunningMAP{Descriptor: d.Name, MAP: m})
	}
	r.opt.Progress(e)
}

// add adds a unit to the running mAP.
func (r *runner) add(d config.Descriptor, unit store.EvalUnit) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fold.EachPair(unit, r.running[d.Name].Add)
}

// failedShare returns a FailedScenesError for this process's share.
func (r *runner) failedShare() error {
	failed := make(map[string]string)
	scenes := r.Plan.Share(r.opt.Shard)
	for _, scene := range scenes {
		for _, d := range r.Plan.Config.Descriptors {
			var record plan.Failure
			err := plan.ReadJSON(r.Folder.Failure(d.Name, scene), &record)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				return err
			}
			failed[scene] = record.Reason
		}
	}
	return &plan.FailedScenesError{Requested: len(scenes), Failed: failed}
}
