package fold

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"time"

	"descbench/eval"
	"descbench/pipeline/config"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// Folded holds what folding computes from the records.
type Folded struct {
	Results    []eval.Result               // in the order of the config
	dimensions map[string]int              // by descriptor
	rows       map[string]eval.Pair        // the first pair with rows, by descriptor
	sets       map[string]map[string][]int // keypoints per image, by set and scene
	digests    map[string]string           // by scene
	leftOut    []string                    // by a re-evaluation
}

func newFolded() *Folded {
	return &Folded{dimensions: make(map[string]int), rows: make(map[string]eval.Pair), sets: make(map[string]map[string][]int), digests: make(map[string]string)}
}

// note stores the descriptor's dimension, the number of keypoints per image and
// the scene's digest from the pairs of one scene. It returns an error if the rows
// differ in length or type from those of other scenes, as imported ones may.
func (r *Folded) note(d config.Descriptor, set string, pairs []eval.Pair) error {
	var keypoints []int
	for _, p := range pairs {
		if first, ok := r.rows[d.Name]; !ok && p.Keypoints1 > 0 {
			r.rows[d.Name] = p
		} else if ok && p.Keypoints1 > 0 && (p.Dimension != first.Dimension || p.RowBytes != first.RowBytes) {
			return plan.Faultf("descriptor %s: rows have %d elements (%d bytes) in %s, but %d elements (%d bytes) in %s, and cannot be averaged; correct the files and rerun with --overwrite",
				d.Name, p.Dimension, p.RowBytes, p.Scene, first.Dimension, first.RowBytes, first.Scene)
		}
		r.dimensions[d.Name] = int(p.Dimension)
		r.digests[p.Scene] = p.SceneDigest
		if keypoints == nil {
			keypoints = append(keypoints, int(p.Keypoints1))
		}
		keypoints = append(keypoints, int(p.KeypointsK))
	}
	if len(pairs) == 0 {
		return nil
	}
	if r.sets[set] == nil {
		r.sets[set] = make(map[string][]int)
	}
	r.sets[set][pairs[0].Scene] = keypoints
	return nil
}

// keypointSet summarises a keypoint set over the scenes noted.
func (r *Folded) keypointSet(name string) store.KeypointSet {
	s := store.KeypointSet{Name: name, Scenes: len(r.sets[name])}
	for _, counts := range r.sets[name] {
		for _, n := range counts {
			if s.Images == 0 {
				s.MinPerImage = n
			}
			s.Images++
			s.Keypoints += n
			s.MinPerImage = min(s.MinPerImage, n)
			s.MaxPerImage = max(s.MaxPerImage, n)
		}
	}
	return s
}

// writeResults writes every result file of a run except the records.
func writeResults(ctx context.Context, f plan.Folder, p *plan.Plan, run store.Run) (*store.Summary, error) {
	if err := writeEnvironment(f, run); err != nil {
		return nil, err
	}
	summary, err := store.NewSummary(run)
	if err != nil {
		return nil, err
	}
	// The summary is last, because it marks the results as complete.
	for _, write := range []func() error{
		func() error { return store.WriteMetricsCSV(f.Metrics(), run.Results) },
		func() error { return store.WriteTimingCSV(f.Timing(), run.Timings) },
		func() error { return store.WriteDatabase(ctx, f.Database(), run) },
		func() error { return store.WriteSummary(f.Summary(), summary) },
	} {
		if err := write(); err != nil {
			return nil, plan.Fault(err)
		}
	}
	if err := f.WriteSums(); err != nil {
		return nil, err
	}
	if shared := p.Config.Output.Database; shared != "" {
		if err := store.EnterShared(ctx, shared, run); err != nil {
			return nil, plan.Fault(err)
		}
	}
	return &summary, nil
}

func newRun(f plan.Folder, p *plan.Plan, records *Folded) (store.Run, error) {
	cfg := p.Config
	run := store.Run{
		Experiment: cfg.Experiment.Name, Description: cfg.Experiment.Description,
		Identity: identity(cfg, records.digests), Config: string(cfg.YAML()),
		Finished: time.Now(), ScenesRequested: len(p.Scenes), Results: records.Results,
		Protocol: store.Protocol{
			TolerancePx: cfg.Evaluation.TolerancePx, Ties: cfg.Evaluation.Ties.String(),
			Relevance: string(cfg.Evaluation.Relevance), Cutoffs: cfg.Evaluation.Cutoffs,
		},
	}
	for _, text := range records.leftOut {
		run.Warnings = append(run.Warnings, eval.Warning{Kind: "left-out", Text: text})
	}
	for _, scene := range p.Scenes {
		doubts, err := f.Doubts(scene)
		if err != nil {
			return run, err
		}
		for _, text := range doubts {
			run.Warnings = append(run.Warnings, eval.Warning{Kind: "doubtful-scene", Text: scene + ": " + text})
		}
	}
	info, err := os.Stat(f.Config())
	if err != nil {
		return run, plan.Fault(err)
	}
	run.Started = info.ModTime()
	var env plan.Environment
	if err := plan.ReadJSON(f.Environment(), &env); err != nil {
		return run, plan.Recreate(err)
	}
	env.Scenes = records.digests
	text, err := json.Marshal(env)
	if err != nil {
		return run, err
	}
	run.Environment = string(text)
	used := make(map[string]bool)
	for _, d := range cfg.Descriptors {
		set := cfg.SetOf(d)
		run.Descriptors = append(run.Descriptors, store.Descriptor{
			Name: d.Name, Type: d.Type, Dimension: records.dimensions[d.Name], KeypointSet: set,
		})
		if !used[set] {
			used[set] = true
			run.KeypointSets = append(run.KeypointSets, records.keypointSet(set))
		}
	}
	units, err := f.Units()
	if err != nil {
		return run, err
	}
	unfilled, err := f.Unfilled(p, units.Of)
	if err != nil {
		return run, err
	}
	timings, damaged, err := f.Timings(p)
	if err != nil {
		return run, err
	}
	run.Timings, run.Warnings = timings, append(run.Warnings, damaged...)
	for _, text := range unfilled {
		run.Warnings = append(run.Warnings, eval.Warning{Kind: "detector-limit", Text: text})
	}
	return run, nil
}

// identity returns a digest of what determines a run's results: its config and
// its data.
func identity(cfg *config.Config, digests map[string]string) string {
	parts := []string{cfg.Identity()}
	for _, scene := range slices.Sorted(maps.Keys(digests)) {
		parts = append(parts, scene, digests[scene])
	}
	return store.Key(parts...)
}

// writeEnvironment rewrites environment.json with the digests of the evaluated
// scenes.
func writeEnvironment(f plan.Folder, run store.Run) error {
	return plan.WriteJSON(f.Environment(), json.RawMessage(run.Environment))
}
