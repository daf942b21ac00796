package pipeline

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

// A Forecast estimates what all units of a run cost on this machine. It multiplies
// what one scene took, by the sizes of the images of all scenes.
type Forecast struct {
	Sample        string         `json:"sample"`         // the scene that was computed
	SampleSeconds float64        `json:"sample_seconds"` // of one core; see clock
	Seconds       float64        `json:"seconds"`        // of one core, for all units
	FoldSeconds   float64        `json:"fold_seconds"`
	CacheBytes    int64          `json:"cache_bytes"`  // keypoints and features
	RunBytes      int64          `json:"run_bytes"`    // units and results
	MemoryBytes   float64        `json:"memory_bytes"` // of a task, without programs of the user
	Tasks         []TaskForecast `json:"tasks"`
	LeftOut       []string       `json:"left_out,omitempty"` // what the estimate does not include
}

// A TaskForecast is the part of a run that a task computes.
type TaskForecast struct {
	Shard   string  `json:"shard"`
	Scenes  int     `json:"scenes"`
	Share   float64 `json:"share"`   // of the cost of all scenes
	Seconds float64 `json:"seconds"` // with the cores of the task
}

// MakeForecast computes one scene of a plan, that of median cost, in a temporary
// folder with an empty cache. opt.Jobs are the cores of each task.
func MakeForecast(ctx context.Context, p *plan.Plan, tasks int, opt plan.Options) (*Forecast, error) {
	dir, err := os.MkdirTemp("", "descbench-plan-")
	if err != nil {
		return nil, plan.Fault(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	f := &Forecast{Sample: p.Median()}
	cfg := f.sampleConfig(p, filepath.Join(dir, "runs"))
	// A part of a run that has but one scene, so that folding is timed apart.
	sample := plan.Options{Jobs: 1, CacheDir: filepath.Join(dir, "cache"), Shard: plan.Shard{Index: 1, Count: 2}, Version: opt.Version}
	seconds := clock(cfg)
	outcome, err := Run(ctx, cfg, sample)
	if err != nil {
		return nil, fmt.Errorf("sample %s: %w", f.Sample, err)
	}
	f.SampleSeconds = seconds()
	seconds = clock(cfg)
	if _, err := fold.Fold(ctx, plan.Folder(outcome.Folder)); err != nil {
		return nil, fmt.Errorf("sample %s: %w", f.Sample, err)
	}
	times := 1 / p.Cost([]string{f.Sample})
	f.FoldSeconds = seconds() * float64(len(p.Scenes)) // keypoints are limited, pixels are not
	f.Seconds = f.SampleSeconds * times
	cache, err := bytesIn(sample.CacheDir)
	if err != nil {
		return nil, plan.Fault(err)
	}
	run, err := bytesIn(outcome.Folder)
	if err != nil {
		return nil, plan.Fault(err)
	}
	f.CacheBytes, f.RunBytes = int64(float64(cache)*times), int64(float64(run)*times)
	pixels, images := sortedSizes(p, p.Scenes)
	own, n := sortedSizes(p, []string{f.Sample})
	f.MemoryBytes = memoryOfImages(p.Config, pixels, images, opt.Jobs) + max(programBytes, peakMemory()-memoryOfImages(p.Config, own, n, 1))
	for i, scenes := range p.Divide(tasks) {
		share := p.Cost(scenes)
		f.Tasks = append(f.Tasks, TaskForecast{plan.Shard{Index: i + 1, Count: tasks}.String(), len(scenes), share, f.Seconds * share / float64(opt.Jobs)})
	}
	return f, nil
}

// clock returns a function that tells the processor time since now of all threads, in s,
// which other processes of a busy machine change little. With programs, which may use
// a GPU, it tells the elapsed time.
func clock(cfg *config.Config) func() float64 {
	if len(cfg.Commands()) > 0 {
		began := time.Now()
		return func() float64 { return time.Since(began).Seconds() }
	}
	used := func() (ns int64) {
		var u syscall.Rusage
		_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u) // fails for unknown constants only
		return u.Utime.Nano() + u.Stime.Nano()
	}
	began := used()
	return func() float64 { return float64(used()-began) / 1e9 }
}

// sampleConfig returns the config of a run of the sample alone. Tasks that need
// other scenes are left out, and a selection over all scenes takes its part.
func (f *Forecast) sampleConfig(p *plan.Plan, out string) *config.Config {
	cfg := *p.Config
	cfg.Output = config.Output{Root: out}
	cfg.Dataset.Scenes, cfg.Dataset.Subset = []string{f.Sample}, "all"
	for _, t := range plan.TasksOf(cfg.Evaluation) {
		if t.Repetition == 0 {
			f.LeftOut = append(f.LeftOut, t.Name)
		}
	}
	cfg.Evaluation.Bojanic2019, cfg.Evaluation.WorkbenchTasks = nil, nil
	cfg.KeypointSets = slices.Clone(cfg.KeypointSets)
	for i := range cfg.KeypointSets {
		if set := &cfg.KeypointSets[i]; set.TakesTotal() {
			_, n := set.Total()
			n = max(1, n/len(p.Scenes))
			if r := set.Random; r != nil && r.Total > 0 {
				set.Random = &config.Random{Total: n, Seed: r.Seed}
			} else {
				set.Top = &config.Top{By: set.Top.By, Total: n}
			}
		}
	}
	return &cfg
}

// bytesIn returns the size of the files in a folder.
func bytesIn(dir string) (sum int64, err error) {
	err = store.WalkFiles(dir, func(_ string, info fs.FileInfo) error {
		sum += info.Size()
		return nil
	})
	return sum, err
}
