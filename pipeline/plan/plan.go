package plan

import (
	"fmt"
	"path/filepath"

	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
)

// Images is the number of images of a scene: the reference and five targets.
const Images = 6

// A Plan is what a config asks for, found on the disk.
type Plan struct {
	Config *config.Config
	Graph  config.Graph // of the config's keypoint sets
	Scenes []string     // every scene asked for, sorted, broken ones included
	wanted []string     // names of the keypoint sets, or sides, that are needed
}

// Find returns the plan for the scenes that the config asks for.
func Find(cfg *config.Config) (*Plan, error) {
	found, err := dataset.Find(cfg.Dataset.Root, cfg.Dataset.Scenes, cfg.Dataset.Subset)
	if err != nil {
		return nil, err
	}
	scenes := make([]string, len(found))
	for i, s := range found {
		scenes[i] = s.Name
	}
	return New(cfg, scenes)
}

// New returns the plan for the given scenes. The keypoint sets, or sides, of
// the given names are needed beside those that the config's descriptors need.
func New(cfg *config.Config, scenes []string, sets ...string) (*Plan, error) {
	if len(scenes) == 0 {
		return nil, Faultf("%s: no scenes selected", cfg.Dataset.Root)
	}
	p := &Plan{Config: cfg, Graph: cfg.Graph(), Scenes: scenes, wanted: sets}
	for _, d := range cfg.Descriptors {
		if d.Fusion == nil {
			p.wanted = append(p.wanted, d.Keypoints)
		}
	}
	for _, name := range p.wanted {
		if set, _ := p.Graph.Find(name); set == nil {
			return nil, fmt.Errorf("no keypoint set %q", name)
		}
	}
	return p, nil
}

// Share returns the scenes of a shard.
func (p *Plan) Share(s Shard) []string {
	var scenes []string
	for i, name := range p.Scenes {
		if s.Has(i) {
			scenes = append(scenes, name)
		}
	}
	return scenes
}

// Folder returns the run folder that the plan writes to.
func (p *Plan) Folder() Folder {
	return Folder(filepath.Join(p.Config.Output.Root, filepath.FromSlash(p.Config.Experiment.Name)))
}

// Conflict returns why a run could not go on in the plan's folder: it was begun
// with another setup, or is no run folder; nil if it could.
func (p *Plan) Conflict() error {
	f := p.Folder()
	if !f.IsRun() {
		return nil
	}
	return f.Check(p, Options{})
}

// Units returns the number of units of evaluation: scenes × descriptors.
func (p *Plan) Units() int { return len(p.Scenes) * len(p.Config.Descriptors) }

// UnitsDone counts the units that the run folder has already.
func (p *Plan) UnitsDone() int {
	f, n := p.Folder(), 0
	for _, scene := range p.Scenes {
		for _, d := range p.Config.Descriptors {
			if !Missing(f.Eval(d.Name, scene)) {
				n++
			}
		}
	}
	return n
}
