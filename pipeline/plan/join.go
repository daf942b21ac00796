package plan

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"descbench/pipeline/config"
	"descbench/pipeline/store"
)

// Join creates the run folder to with the units of complete runs over different scenes
// of one config, as one run over all of their scenes writes them. Its config is that of
// the first run with the scenes of all. It refuses runs that differ in more than their
// scenes, their name and paths, runs that share a scene, and configs whose units depend
// on all scenes.
//
// To a folder with these runs joined, it adds what they have since.
func (f Folder) Join(runs []Folder) error {
	j, err := newJoint(runs)
	if err != nil {
		return err
	}
	if j.config.Output.Root, err = rootOf(f, j.config); err != nil {
		return err
	}
	exists, err := f.filled()
	switch {
	case err != nil:
		return err
	case !exists:
		return f.begin(j.config, j.write)
	case f.check(&Plan{Config: j.config, Scenes: j.scenes}, j.environment, Shard{}) != nil:
		return Faultf("%s: exists, but does not hold these runs joined; choose another --out", string(f))
	}
	return cmp.Or(f.RemoveSums(), j.link(f))
}

// A joint is several runs as one.
type joint struct {
	runs        []Folder
	plans       []*Plan
	config      *config.Config
	scenes      []string
	environment Environment
}

func newJoint(runs []Folder) (*joint, error) {
	j := &joint{runs: runs}
	of := make(map[string]Folder) // by scene
	for i, f := range runs {
		if r, err := f.Reevaluation(); err != nil {
			return nil, err
		} else if r != nil {
			return nil, Faultf("%s: is a re-evaluation of %s; join the runs, then evaluate the joined run again", string(f), r.Run)
		}
		p, err := f.Plan()
		if err != nil {
			return nil, err
		}
		if err := f.Complete(p); err != nil {
			return nil, Faultf("%w; if the runs are shards of one, copy the units and times of all into one folder (cp -rn) and fold that", err)
		}
		e, err := f.ReadEnvironment()
		if err != nil {
			return nil, err
		}
		if i == 0 {
			cfg := *p.Config
			j.config, j.environment = &cfg, e
			j.environment.Scenes = nil
			if err := oneByOne(p); err != nil {
				return nil, err
			}
		} else if err := j.accepts(f, p, e); err != nil {
			return nil, err
		}
		for _, scene := range p.Scenes {
			if other, twice := of[scene]; twice {
				return nil, Faultf("%s and %s: both have scene %s; runs can be joined if their scenes differ", string(other), string(f), scene)
			}
			of[scene] = f
		}
		j.plans, j.scenes = append(j.plans, p), append(j.scenes, p.Scenes...)
	}
	slices.Sort(j.scenes)
	j.config.Dataset.Scenes = j.scenes
	return j, nil
}

// oneByOne returns an error if what a run computes for a scene depends on its other
// scenes.
func oneByOne(p *Plan) error {
	const instead = "run the config once with all scenes instead; cached features are reused"
	if sets := p.Totals(1); len(sets) > 0 {
		return Faultf("keypoint_sets[%s].top.total selects from the keypoints of all scenes, so runs over some of them cannot be joined; %s", sets[0].Name, instead)
	}
	if tasks := TasksOf(p.Config.Evaluation); len(tasks) > 0 {
		return Faultf("evaluation.%s draws distractors from all scenes, so runs over some of them cannot be joined; %s", tasks[0].Name, instead)
	}
	return nil
}

// accepts returns an error unless a further run has the setup of the first.
func (j *joint) accepts(f Folder, p *Plan, e Environment) error {
	cfg := *p.Config
	if cfg.Dataset.Subset != j.config.Dataset.Subset {
		j.config.Dataset.Subset = "all" // the scenes are listed
	}
	cfg.Dataset.Scenes, cfg.Dataset.Subset = j.config.Dataset.Scenes, j.config.Dataset.Subset
	cfg.Experiment = j.config.Experiment
	differs := append(config.Diff(j.config, &cfg), j.environment.differences(e)...)
	if len(differs) > 0 {
		return Faultf("%s and %s: were started with different setups and cannot be joined:\n  %s", string(j.runs[0]), string(f), strings.Join(differs, "\n  "))
	}
	return nil
}

// rootOf returns the parent of run folders by which a plan of the config has the
// folder, or that of the config if the folder has another name than the experiment.
func rootOf(f Folder, cfg *config.Config) (string, error) {
	here, err := filepath.Abs(string(f))
	if err != nil {
		return "", Fault(err)
	}
	if root, named := strings.CutSuffix(here, string(filepath.Separator)+filepath.FromSlash(cfg.Experiment.Name)); named {
		return root, nil
	}
	return cfg.Output.Root, nil
}

// write fills the folder.
func (j *joint) write(to Folder) error {
	if err := to.WriteJSON(to.Scenes(), scenesRecord{folderFormat, j.scenes}); err != nil {
		return err
	}
	return cmp.Or(to.WriteJSON(to.Environment(), j.environment), j.link(to))
}

// link gives the folder the units and times of all runs.
func (j *joint) link(to Folder) error {
	for i, f := range j.runs {
		for _, scene := range j.plans[i].Scenes {
			if _, err := f.Damage(scene); err != nil {
				return err
			}
			for _, path := range append(f.containers(scene), f.times(scene)) {
				if err := store.LinkTree(path, to.file(f.below(path))); err != nil {
					return Fault(err)
				}
			}
		}
	}
	return nil
}
