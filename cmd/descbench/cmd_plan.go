package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/fact"
	"descbench/eval/scope"
	"descbench/eval/spelling"
	"descbench/pipeline"
	"descbench/pipeline/compare"
	"descbench/pipeline/config"
	"descbench/pipeline/features"
	"descbench/pipeline/fold"
	"descbench/pipeline/notes"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

func newPlanCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan CONFIG",
		Short: "Show what a run would compute, without computing it",
		Long: `Plan shows the scenes, keypoint sets, descriptors and units of a run. It reads the
files from other programs, and says which of them cannot be used (exit status 3) and which
of their arrays or columns are not read. It starts no program. A program of type command that does not exist is an error, too.`,
		Example: `  descbench plan configs/descriptor_variants.yaml --data ~/hpatches-sequences-release`,
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := loadConfig(flags, args[0])
			if err != nil {
				return err
			}
			p, err := plan.Find(cfg)
			if err != nil {
				return err
			}
			conflict := p.Conflict()
			done := 0
			if conflict == nil {
				done = p.UnitsDone()
			}
			imported, err := features.SurveyImports(cmd.Context(), p, p.Scenes, flags.jobs)
			if err != nil {
				return err
			}
			warnings, unwritable := pipeline.Foresee(cmd.Context(), p, flags.cache)
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
				unusable = cmp.Or(features.FindPrograms(cfg), unusable)
			}
			deviations := notes.Texts(fold.PresetDeviations(cfg, p.Scenes, scope.All))
			var about []table.Note
			add := func(name, format string, args ...any) {
				about = append(about, table.Note{Fact: fact.New(fact.Kind(name)), Text: fmt.Sprintf(format, args...)})
			}
			add("data set", "%s", cfg.Dataset.Root)
			add("scenes", "%s", shortList(p.Scenes))
			for _, s := range cfg.KeypointSets {
				add("keypoint set", "%s: %s", s.Name, s)
			}
			for _, d := range cfg.Descriptors {
				add("descriptor", "%s: %s", d.Name, d)
			}
			for _, f := range imported {
				add("imported files", "%s", f)
				for _, cause := range f.Causes() {
					add("unusable", "%s", cause)
				}
			}
			if len(p.NotScenes) > 0 {
				add("not scenes", "%s", shortList(p.NotScenes))
			}
			if preset := cfg.Preset(); preset != nil {
				add("preset", "%s (%s); deviations: %s", preset.Name, preset.Source(), cmp.Or(strings.Join(deviations, "; "), "none"))
			}
			if cfg.Evaluation.Preset == config.Workbench {
				foreseen := compare.Foresee(cfg, p.Scenes)
				of := table.Texts(report.PublishedTable(report.Comparable(foreseen), compare.PublishedSource).Notes)
				add("preset", "%s (%s); %s", config.Workbench, compare.PublishedSource, cmp.Or(strings.Join(append(of, report.Unpublished(foreseen)...), "; "), "no published results of such descriptors and scenes"))
			}
			add("units", "%d (scene × descriptor), %d done", p.Units(), done)
			add("run folder", "%s", p.Folder())
			add("cache folder", "%s", flags.cache)
			if cfg.Output.Database != "" {
				add("database", "%s", cfg.Output.Database)
			}
			for _, text := range warnings {
				add("warning", "%s", text)
			}
			if flags.json {
				t := table.New(append(wordColumns("folder"), countColumns("scenes", "descriptors", "units", "units_done")...)...)
				addRow(t, string(p.Folder()), len(p.Scenes), len(cfg.Descriptors), p.Units(), done)
				t.Notes = append(about, table.Note{Fact: fact.New("scenes", p.Scenes...), Text: spelling.Count(len(p.Scenes), "scene")})
				return cmp.Or(t.Write(cmd.OutOrStdout(), table.JSON, 0), conflict, unusable)
			}
			t := table.New(wordColumns("", "")...)
			for _, line := range about {
				addRow(t, string(line.Kind), line.Text)
			}
			return cmp.Or(t.Write(cmd.OutOrStdout(), table.AsText, 0), conflict, unusable)
		},
	}
	flags.addConfig(cmd.Flags())
	flags.addOutputRoot(cmd.Flags())
	flags.addCache(cmd.Flags())
	flags.addJobs(cmd.Flags())
	return cmd
}
