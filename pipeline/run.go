package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"descbench/eval/ranking"
	"descbench/eval/scope"
	"descbench/pipeline/config"
	"descbench/pipeline/features"
	"descbench/pipeline/fold"
	"descbench/pipeline/pairing"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
	"descbench/pipeline/store/unitfile"
)

// A runner computes the units of one process's share.
type runner struct {
	*features.Stage
	stored                 *plan.Units
	opt                    plan.Options
	list                   fs.FileInfo         // of the run's list of scenes when this process started
	inMemory               *semaphore.Weighted // limits the descriptors of all scenes whose rows are in memory
	units, resumed, failed atomic.Int64

	mu      sync.Mutex                           // guards the fields below and calls of opt.Progress
	begun   map[string]map[string]scope.Fraction // mAPs of a scene that not all descriptors have, by scene and descriptor
	running map[string]scope.Fraction            // mAP by descriptor, over the scenes that all of them have
	scenes  int                                  // so compared
	reasons map[string]string                    // failed scenes
	good    map[string]bool                      // descriptors with a result of any scene
	alike   map[[2]string]int                    // scenes in which a descriptor failed alike
	digests string                               // see fold.Share
	there   map[[2]string]bool                   // descriptors and scenes whose records were there at the start; they are counted as done
	done    int
	total   int
}

// newRunner returns a runner for a run folder that exists.
func newRunner(stage *features.Stage, opt plan.Options) (*runner, error) {
	r := &runner{there: make(map[[2]string]bool), Stage: stage, opt: opt, inMemory: semaphore.NewWeighted(int64(opt.Jobs)), begun: make(map[string]map[string]scope.Fraction), running: make(map[string]scope.Fraction), reasons: make(map[string]string), good: make(map[string]bool), alike: make(map[[2]string]int)}
	var err error
	if r.list, err = os.Stat(stage.Folder.Scenes()); err != nil {
		return nil, plan.Fault(err)
	}
	r.stored, err = stage.Units()
	return r, err
}

// Run computes the missing units of a run and folds it. It does not fold if
// opt.Shard is only a part of the scenes. If some scenes failed, it returns both
// a Run and a FailedScenesError. Cancelling ctx stops it after the current
// images or tiles and keeps every finished scene.
func Run(ctx context.Context, cfg *config.Config, opt plan.Options) (*fold.Run, error) {
	p, err := plan.Find(cfg)
	if err != nil {
		return nil, err
	}
	stage, err := features.New(p, p.Folder(), opt)
	if err != nil {
		return nil, err
	}
	defer stage.Close()
	if err := store.CheckShared(ctx, cfg.Output.Database); err != nil {
		return nil, plan.Fault(err)
	}
	isNew := opt.Overwrite || !p.Folder().IsRun()
	if len(cfg.Commands()) > 0 && (isNew || p.UnitsDone() < p.Units()) {
		if opt.Functions, err = stage.StartPrograms(ctx, isNew); err != nil {
			return nil, err
		}
	}
	if isNew {
		if err := stage.CheckImports(ctx); err != nil {
			return nil, err
		}
	}
	f, err := plan.Prepare(p, opt)
	if err != nil {
		return nil, err
	}
	if others, _ := running(p, f); opt.Shard.Whole() && len(others) > 0 { // status reports errors
		opt.Logger().Info("another process computes this run, too; the two share the scenes", "holder", others[0].Process, "since", others[0].Since.Format(time.DateTime))
	}
	r, err := newRunner(stage, opt)
	if err != nil {
		return nil, err
	}
	err = r.work(ctx)
	if unstated := (*config.Error)(nil); errors.As(err, &unstated) {
		err = unstated // as the first reply of a program showed
	}
	notes := stage.Close() // folding needs no networks
	if ctx.Err() == nil {
		// Files written since then are in a new folder, and everything that is
		// missing there would be a misleading error.
		if gone := r.stillThere(); gone != nil {
			err = gone
		} else {
			err = cmp.Or(err, f.AddNotes(ctx, notes))
		}
	}
	if err != nil {
		return &fold.Run{Folder: string(f), Config: cfg, Share: r.share()}, err
	}
	run := &fold.Run{Folder: string(f), Config: cfg}
	if opt.Shard.Whole() {
		debug.FreeOSMemory() // that of features, before folding takes its own
		if err := f.Adopt(p); err != nil {
			return nil, cmp.Or(r.stillThere(), err)
		}
		run, err = fold.Fold(ctx, f)
		if run == nil {
			return nil, cmp.Or(r.stillThere(), err)
		}
		err = cmp.Or(run.Enter(ctx, cfg.Output.Database, opt.Logger()), err)
	} else if len(r.reasons) > 0 {
		err = &plan.FailedScenesError{Requested: r.total / len(cfg.Descriptors), Failed: r.reasons}
	}
	run.Share = r.share()
	return run, err
}

func (r *runner) share() fold.Share {
	return fold.Share{
		Units: int(r.units.Load()), Resumed: int(r.resumed.Load()), Failed: int(r.failed.Load()), Digests: r.digests,
		CachedImages: int(r.CachedImages.Load()), ExtractedImages: int(r.ExtractedImages.Load()), ImportedImages: int(r.ImportedImages.Load()),
	}
}

// work computes the missing units of the share. It first makes the selections
// over all scenes, and then computes everything else.
func (r *runner) work(ctx context.Context) error {
	share := r.Plan.Share(r.opt.Shard)
	if len(share) == 0 {
		return nil // more shards than scenes
	}
	r.expect(share)
	if r.done > 0 && r.opt.Progress != nil {
		r.opt.Progress(plan.Event{Resumed: true, Done: r.done, Total: r.total})
	}
	if err := r.TotalCuts(ctx, share, r.prepareScene); err != nil {
		return err
	}
	if err := r.EachScene(ctx, share, r.evaluateScene); err != nil {
		return err
	}
	err := r.Help(ctx, r.lacksPools, func(ctx context.Context, scene string) error {
		r.expect([]string{scene})
		return r.evaluateScene(ctx, scene)
	})
	if err != nil {
		return err
	}
	return pairing.DoTasks(ctx, r.Stage, share)
}

// expect adds the units of some scenes to the total of this process, and those that exist to
// its done ones.
func (r *runner) expect(scenes []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, scene := range scenes {
		for _, d := range r.Plan.Config.Descriptors {
			if r.stored.Has(r.stored.Eval(d.Name), scene) {
				r.there[[2]string{d.Name, scene}], r.good[d.Name] = true, true
				r.done++
			}
			r.total++
		}
	}
}

// lacksPools reports whether a scene lacks pools that the tasks of other scenes
// need.
func (r *runner) lacksPools(scene string) bool {
	return slices.ContainsFunc(r.Plan.Config.Descriptors, func(d config.Descriptor) bool { return r.stored.LacksPools(d.Name, scene) })
}

// prepareScene calls do for a scene before the evaluation of any scene. It
// records the scene as failed if that is not possible.
func (r *runner) prepareScene(ctx context.Context, scene string, do func(context.Context, *features.Scene) error) error {
	w, err := r.Open(ctx, scene)
	if err == nil {
		defer w.Close()
		err = do(ctx, w)
	}
	if err == nil {
		err = w.Units.Write()
	}
	if err == nil {
		return nil
	}
	if stop := r.fatal(ctx, scene, err); stop != nil {
		return stop
	}
	units := r.stored.Scene(plan.SceneRecord{Name: scene})
	for _, d := range r.Plan.Config.Descriptors {
		if err := units.Fail(d.Name, err); err != nil {
			return err
		}
	}
	return units.Write()
}

// Open opens a scene that this process has claimed. Damaged containers of it go first, so that
// what was in them is computed.
func (r *runner) Open(ctx context.Context, scene string) (*features.Scene, error) {
	if err := r.stillThere(); err != nil {
		return nil, err
	}
	for {
		path, err := r.Folder.Damage(scene)
		if err == nil {
			break
		}
		r.NoteUnusable("container of units", err)
		if !store.Unusable(err) {
			return nil, plan.Fault(err)
		} else if err := r.Folder.Remove(path); err != nil {
			return nil, err
		}
	}
	return r.Stage.Open(ctx, scene)
}

// stillThere returns an error if the run folder was removed or replaced since this
// process started, so that units of different runs are not mixed. The time of the list of scenes
// is that of the start of the run.
func (r *runner) stillThere() error {
	now, err := os.Stat(r.Folder.Scenes())
	if errors.Is(err, fs.ErrNotExist) || err == nil && !now.ModTime().Equal(r.list.ModTime()) {
		return r.Folder.Gone()
	}
	return plan.Fault(err)
}

// evaluateScene computes the missing eval units of one scene, several at a time, and writes them
// together. It records errors of the scene, which do not stop the run. It returns errors that would affect
// every scene.
func (r *runner) evaluateScene(ctx context.Context, scene string) error {
	w, err := r.Open(ctx, scene)
	if err != nil {
		if stop := r.fatal(ctx, scene, err); stop != nil {
			return stop
		}
		return r.failScene(scene, err)
	}
	defer w.Close()
	var missing []config.Descriptor
	for _, d := range r.Plan.Config.Descriptors {
		if pairing.Evaluated(w, d) {
			r.resume(d, scene)
		} else {
			missing = append(missing, d)
		}
	}
	if err := r.compute(ctx, w, missing); err != nil {
		return err
	}
	return w.Units.Write()
}

// compute computes the eval units of descriptors in a scene.
func (r *runner) compute(ctx context.Context, w *features.Scene, missing []config.Descriptor) error {
	if err := w.Extract(ctx, missing); err != nil {
		return err
	}
	if err := r.checkHomographies(ctx, w, missing); err != nil {
		if stop := r.fatal(ctx, w.Source.Name, err); stop != nil {
			return stop
		}
		return r.failUnits(w.Units, missing, slices.Repeat([]error{err}, len(missing)))
	}
	faults := make([]error, len(missing))
	g, evaluating := errgroup.WithContext(ctx)
	paired := &pairing.Scene{Scene: w}
	for i, d := range missing {
		g.Go(func() (err error) {
			faults[i], err = r.evaluate(evaluating, paired, d)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return r.failUnits(w.Units, missing, faults)
}

// failUnits records why descriptors could not be evaluated; nil: they were.
func (r *runner) failUnits(units *plan.SceneUnits, ds []config.Descriptor, faults []error) error {
	told := make(map[string]bool) // a fault of an image concerns many descriptors
	for i, d := range ds {
		err := faults[i]
		if err == nil {
			continue
		}
		e := plan.Event{Scene: units.Record.Name, Descriptor: d.Name}
		if data := (*store.Fault)(nil); errors.As(err, &data) {
			err, e.Descriptor = data, "" // not a matter of the descriptor or its keypoint set
		}
		if !told[err.Error()] {
			told[err.Error()], e.Failed = true, err.Error()
		}
		if err := units.Fail(d.Name, err); err != nil {
			return err
		}
		r.failed.Add(1)
		r.finished(d, e)
	}
	return nil
}

// evaluate computes the eval unit of a descriptor in a scene. It returns a fault that
// concerns only this unit, and an error that stops the run.
func (r *runner) evaluate(ctx context.Context, w *pairing.Scene, d config.Descriptor) (fault, stop error) {
	if err := r.inMemory.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer r.inMemory.Release(1)
	unit, err := w.Evaluate(ctx, d)
	if err != nil {
		if stop := cmp.Or(r.fatal(ctx, w.Source.Name, err), r.failsAlike(d, w.Source.Name, err)); stop != nil {
			return nil, stop
		}
		return err, nil
	}
	if err := r.add(d, w.Source.Name, unit); err != nil {
		return nil, fmt.Errorf("%s, %s: %w", d.Name, w.Source.Name, err)
	}
	r.units.Add(1)
	r.finished(d, plan.Event{Scene: w.Source.Name, Descriptor: d.Name})
	return nil, nil
}

// resume counts a unit that exists.
func (r *runner) resume(d config.Descriptor, scene string) {
	r.resumed.Add(1)
	r.finished(d, plan.Event{Scene: scene, Descriptor: d.Name, Resumed: true})
}

// failScene records that a scene failed for every descriptor whose unit does not
// exist. Units that exist stay.
func (r *runner) failScene(scene string, reason error) error {
	if !errors.As(reason, new(*store.Fault)) { // which is of no descriptor
		reason = &store.Fault{Where: scene, Err: reason}
	}
	ds, units := r.Plan.Config.Descriptors, r.stored.Scene(plan.SceneRecord{Name: scene})
	faults, kept := make([]error, len(ds)), false
	for i, d := range ds {
		if r.stored.Has(r.stored.Eval(d.Name), scene) {
			r.resume(d, scene)
			kept = true
		} else {
			faults[i] = reason
		}
	}
	if kept {
		r.opt.Logger().Warn("keeping results of a scene that can no longer be checked", "scene", scene, "reason", reason)
	}
	if err := r.failUnits(units, ds, faults); err != nil {
		return err
	}
	return units.Write()
}

func (r *runner) finished(d config.Descriptor, e plan.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.there[[2]string{d.Name, e.Scene}] {
		r.done++
	}
	if e.Failed != "" {
		r.reasons[e.Scene] = e.Failed
	}
	if r.opt.Progress == nil {
		return
	}
	e.Done, e.Total = r.done, r.total
	e.Scenes = r.scenes
	for _, d := range r.Plan.Config.Descriptors {
		e.Running = append(e.Running, plan.RunningMAP{Descriptor: d.Name, MAP: r.running[d.Name].Value()})
	}
	r.opt.Progress(e)
}

// add adds a unit to the running mAPs, once all descriptors have the scene: some are ahead
// of others, and they are compared on the same scenes.
func (r *runner) add(d config.Descriptor, scene string, unit unitfile.EvalUnit) error {
	if d.Matches != nil { // without ranks
		r.mu.Lock()
		defer r.mu.Unlock()
		r.good[d.Name] = true
		return nil
	}
	ranking := ranking.NewAccumulator(d.Name, fold.Options(r.Plan.Config.Evaluation))
	if err := fold.EachPair(unit, ranking.Add); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.good[d.Name] = true
	if r.begun[scene] == nil {
		r.begun[scene] = make(map[string]scope.Fraction)
	}
	r.begun[scene][d.Name] = ranking.TrueMAP()
	for _, d := range r.Plan.Config.Descriptors {
		if _, done := r.begun[scene][d.Name]; !done && d.Matches == nil {
			return nil
		}
	}
	r.scenes++
	for name, ap := range r.begun[scene] {
		sum := r.running[name]
		r.running[name] = scope.Fraction{Sum: sum.Sum + ap.Sum, N: sum.N + ap.N}
	}
	delete(r.begun, scene)
	return nil
}
