package keypointsets

import (
	"context"
	"os"
	"sync"

	"descbench/keypoints"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/features"
	"descbench/pipeline/plan"
	"descbench/pipeline/store/unitfile"
)

// A Source is a keypoint set of a config, or one side of an intersection, over the
// scenes that the config selects.
type Source struct {
	Config *config.Config
	Name   string // must be in the config
}

// Each computes the set and calls do for one scene after the other, in the order of
// their names, with one keypoints.Set per image. Given names of scenes,
// it calls them for these only. Every scene must be sound. Detected keypoints are cached; what
// follows from them is kept, as the set units of a run, in a temporary folder. It starts
// the programs that detect.
func (s Source) Each(ctx context.Context, opt plan.Options, scenes []string, do func(*dataset.Scene, []keypoints.Set) error) error {
	p, err := s.plan()
	if err != nil {
		return err
	}
	if scenes == nil {
		scenes = p.Scenes
	}
	dir, err := os.MkdirTemp("", "descbench-keypoints-")
	if err != nil {
		return plan.Fault(err)
	}
	defer func() { _ = os.RemoveAll(dir) }() // the system's upkeep removes what this could not
	stage, err := features.New(p, plan.Folder(dir), opt)
	if err != nil {
		return err
	}
	defer stage.Close()
	if _, err := stage.StartPrograms(ctx, true); err != nil {
		return err
	}
	sources, err := s.compute(ctx, stage, scenes, opt.Progress)
	if err != nil {
		return err
	}
	units, err := stage.Units()
	if err != nil {
		return err
	}
	for _, name := range scenes {
		if err := ctx.Err(); err != nil {
			return err
		}
		sets, err := plan.ReadUnit(units, units.Set(s.Name), name, unitfile.Sets)
		if err != nil {
			return plan.Fault(err)
		}
		if err := do(sources[name], sets); err != nil {
			return err
		}
	}
	return nil
}

// plan returns the plan of a run without descriptors that needs only the set.
func (s Source) plan() (*plan.Plan, error) {
	all, err := plan.Find(s.Config)
	if err != nil {
		return nil, err
	}
	cfg := *s.Config
	cfg.Descriptors, cfg.KeypointSets = nil, nil
	graph := s.Config.Graph()
	set, _ := graph.Find(s.Name)
	for _, s := range graph.Ancestors(set) {
		cfg.KeypointSets = append(cfg.KeypointSets, *s)
	}
	return plan.New(&cfg, all.Scenes, s.Name)
}

// compute computes the set units of the given scenes and returns the scenes by name.
// Before that, it makes the selections over all scenes.
func (s Source) compute(ctx context.Context, stage *features.Stage, scenes []string, progress func(plan.Event)) (map[string]*dataset.Scene, error) {
	p := stage.Plan
	set, _ := p.Graph.Find(s.Name)
	var mu sync.Mutex // guards sources and done
	sources := make(map[string]*dataset.Scene)
	done, total := 0, p.Graph.Depth(set)*len(p.Scenes)+len(scenes)
	with := func(ctx context.Context, scene string, work func(context.Context, *features.Scene) error) error {
		w, err := stage.Open(ctx, scene)
		if err == nil {
			defer w.Close()
			err = work(ctx, w)
		}
		if err == nil {
			err = w.Units.Write()
		}
		if err != nil {
			return plan.Fault(err)
		}
		mu.Lock()
		defer mu.Unlock()
		sources[scene] = w.Source
		done++
		if progress != nil {
			progress(plan.Event{Scene: scene, Done: done, Total: total})
		}
		return nil
	}
	if err := stage.TotalCuts(ctx, p.Scenes, with); err != nil {
		return nil, err
	}
	return sources, stage.EachScene(ctx, scenes, func(ctx context.Context, scene string) error {
		return with(ctx, scene, func(ctx context.Context, w *features.Scene) error {
			_, err := w.Set(ctx, s.Name)
			return err
		})
	})
}
