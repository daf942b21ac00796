package main

import (
	"cmp"
	"math"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline"
	"descbench/pipeline/config"
	"descbench/pipeline/features"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
)

// maxTasks is Slurm's own largest limit of an array (MaxArraySize).
const maxTasks = 4_000_001

func newPlanCommand(flags *commonFlags) *cobra.Command {
	tasks := 0
	cmd := &cobra.Command{
		Use:   "plan CONFIG",
		Short: "Show what a run would compute, without computing it",
		Long: `Plan shows the scenes, keypoint sets, descriptors and units of a run. It reads the
files from other programs, and says which of them cannot be used (exit status 3) and which
of their arrays or columns are not read. It asks programs that read HDF5 files for all images.
A program of type command that does not exist is an error, too.

With --tasks N it also computes one scene, that of median cost, in a temporary folder,
and estimates from its processor time (with programs of your own: elapsed time) the
time, cache, disk and memory of the run on this machine, and how it divides among N
tasks. Each has one core, or as many as --jobs says.
` + exitHelp,
		Example: `  descbench plan configs/descriptor_variants.yaml --data ~/hpatches-sequences-release
  descbench plan configs/demo.yaml --tasks 2`,
		Args: exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("tasks") && !cmd.Flags().Changed("jobs") {
				flags.jobs = 1 // a task's, whatever this machine has
			}
			flags.origins = make(map[string]string)
			cfg, err := loadConfig(flags, args[0])
			if err != nil {
				return err
			}
			p, err := plan.Find(cfg)
			if err != nil {
				return err
			}
			conflict := cmp.Or(p.Conflict(), features.ChangedImports(p))
			done := 0
			if conflict == nil {
				done = p.UnitsDone()
			}
			imported, err := features.SurveyImports(cmd.Context(), p, flags.jobs)
			if err != nil {
				return err
			}
			cache, err := cacheFolder(flags)
			if err != nil {
				return err
			}
			warnings, unwritable := pipeline.Foresee(cmd.Context(), p, cache)
			if unwritable != nil {
				warnings = append(warnings, unwritable.Error())
			}
			var unusable error
			for _, f := range imported {
				if len(f.Unusable) > 0 {
					unusable = cmp.Or(unusable, plan.Faultf("imported files cannot be used: %s", f))
				}
			}
			if done < p.Units() {
				if err := features.CheckNetworks(p); err != nil {
					return err
				}
				unusable = cmp.Or(features.FindPrograms(cfg), unusable)
			}
			deviations := fold.PresetDeviations(cfg, p.Scenes, scope.All)
			var forecast *pipeline.Forecast
			if cmd.Flags().Changed("tasks") {
				if forecast, err = pipeline.MakeForecast(cmd.Context(), p, tasks, plan.Options{Jobs: flags.jobs, Version: version}); err != nil {
					return err
				}
			}
			if flags.json {
				err := printJSON(cmd.OutOrStdout(), struct {
					Folder      string   `json:"folder"`
					Scenes      []string `json:"scenes"`
					Descriptors []string `json:"descriptors"`
					Units       int      `json:"units"`
					UnitsDone   int      `json:"units_done"`
					Deviations  []string `json:"preset_deviations,omitempty"`
					Warnings    []string `json:"warnings,omitempty"`

					Imported []features.ImportedFiles `json:"imported,omitempty"`
					Forecast *pipeline.Forecast       `json:"forecast,omitempty"`
				}{string(p.Folder()), p.Scenes, descriptorNames(cfg), p.Units(), done, deviations, warnings, imported, forecast})
				return cmp.Or(err, conflict, unusable)
			}
			about := newFacts()
			about.add("data set", "%s", flags.withOrigin("data set", cfg.Dataset.Root))
			about.add("scenes", "%s", shortList(p.Scenes))
			for _, s := range cfg.KeypointSets {
				about.add("keypoint set", "%s: %s", s.Name, s)
			}
			for _, d := range cfg.Descriptors {
				about.add("descriptor", "%s: %s", d.Name, d)
			}
			addImported(about, imported)
			if len(p.NotScenes) > 0 {
				about.add("not scenes", "%s", shortList(p.NotScenes))
			}
			if preset := cfg.Preset(); preset != nil {
				about.add("preset", "%s (%s); deviations: %s", preset.Name, preset.Source(), cmp.Or(strings.Join(deviations, "; "), "none"))
			}
			about.add("units", "%d (scene × descriptor), %d done", p.Units(), done)
			about.add("run folder", "%s", flags.withOrigin("output", string(p.Folder())))
			about.add("cache folder", "%s", flags.withOrigin("cache", cache))
			if cfg.Output.Database != "" {
				about.add("database", "%s", flags.withOrigin("database", cfg.Output.Database))
			}
			if forecast != nil {
				addForecast(about, forecast, tasks, flags.jobs)
			}
			about.addSome("warning", warnings)
			return cmp.Or(about.print(cmd.OutOrStdout()), conflict, unusable)
		},
	}
	cmd.Flags().IntVar(&tasks, "tasks", 0, "estimate the cost from a sample, and divide the run among this number of tasks")
	limits(cmd.Flags(), "tasks", 1, maxTasks)
	flags.addConfig(cmd.Flags())
	flags.addOutputRoot(cmd.Flags())
	flags.addCache(cmd.Flags())
	flags.addJobs(cmd.Flags())
	return cmd
}

// addImported adds what was found in imported files, and why some cannot be used.
func addImported(about facts, imported []features.ImportedFiles) {
	for _, f := range imported {
		about.add("imported files", "%s", f)
		about.addSome("unusable", f.Causes())
	}
}

// addForecast adds what a run costs that is divided among tasks.
func addForecast(about facts, f *pipeline.Forecast, tasks, jobs int) {
	about.add("estimated from", "%s: %.1f s on one core", f.Sample, f.SampleSeconds)
	about.add("time", "about %s of one core, then about %s to fold", roundedTime(f.Seconds), roundedTime(f.FoldSeconds))
	about.add("cache", "about %s", humanize.Bytes(uint64(f.CacheBytes)))
	about.add("disk", "about %s in the run folder", humanize.Bytes(uint64(f.RunBytes)))
	const step = 256 // MiB, Slurm's M
	about.add("memory", "about %s per task, with --jobs %d; give Slurm --mem %.0fM", humanize.Bytes(uint64(f.MemoryBytes)), jobs, step*math.Ceil(1.25*f.MemoryBytes/(step<<20)))
	const most = 10
	for _, t := range f.Tasks[:min(most, len(f.Tasks))] {
		about.add("task "+t.Shard, "%s, %.1f %% of the cost, about %s with --jobs %d", spelling.Count(t.Scenes, "scene"), 100*t.Share, roundedTime(t.Seconds), jobs)
	}
	if more := f.Tasks[min(most, len(f.Tasks)):]; len(more) > 0 {
		low, high := more[0].Share, more[0].Share
		for _, t := range more {
			low, high = min(low, t.Share), max(high, t.Share)
		}
		about.add("other tasks", "%d, each %.1f to %.1f %% of the cost (--json lists all)", len(more), 100*low, 100*high)
	}
	if idle := tasks - len(f.Tasks); idle > 0 {
		about.add("idle tasks", "%d: a task takes at least a scene; --tasks %d is enough", idle, len(f.Tasks))
	}
	for _, name := range f.LeftOut {
		about.add("not estimated", "%s: needs all scenes", name)
	}
}

func descriptorNames(cfg *config.Config) []string {
	names := make([]string, len(cfg.Descriptors))
	for i, d := range cfg.Descriptors {
		names[i] = d.Name
	}
	return names
}
