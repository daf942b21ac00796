package main

import (
	"cmp"

	"github.com/spf13/cobra"

	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/plan"
)

func newPlanCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "plan CONFIG",
		Short:   "Show what a run would compute, without computing it",
		Example: "  descbench plan configs/descriptor_variants.yaml --data ~/hpatches-sequences-release",
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
			others, err := dataset.NotScenes(cfg.Dataset.Root)
			if err != nil {
				return err
			}
			done := 0
			if conflict == nil {
				done = p.UnitsDone()
			}
			if flags.json {
				err := printJSON(cmd.OutOrStdout(), struct {
					Folder      string   `json:"folder"`
					Scenes      []string `json:"scenes"`
					Descriptors []string `json:"descriptors"`
					Units       int      `json:"units"`
					UnitsDone   int      `json:"units_done"`
					Warnings    []string `json:"warnings,omitempty"`
				}{string(p.Folder()), p.Scenes, descriptorNames(cfg), p.Units(), done, cfg.Warnings()})
				return cmp.Or(err, conflict)
			}
			about := newFacts()
			about.add("data set", "%s", cfg.Dataset.Root)
			about.add("scenes", "%s", shortList(p.Scenes))
			for _, s := range cfg.KeypointSets {
				about.add("keypoint set", "%s: %s", s.Name, s)
			}
			for _, d := range cfg.Descriptors {
				about.add("descriptor", "%s: %s", d.Name, d)
			}
			if len(others) > 0 {
				about.add("not scenes", "%s", shortList(others))
			}
			about.add("units", "%d (scene × descriptor), %d done", p.Units(), done)
			about.add("run folder", "%s", string(p.Folder()))
			for _, text := range cfg.Warnings() {
				about.add("warning", "%s", text)
			}
			return cmp.Or(about.print(cmd.OutOrStdout()), conflict)
		},
	}
	flags.addConfig(cmd.Flags())
	flags.addOutputRoot(cmd.Flags())
	return cmd
}

func descriptorNames(cfg *config.Config) []string {
	names := make([]string, len(cfg.Descriptors))
	for i, d := range cfg.Descriptors {
		names[i] = d.Name
	}
	return names
}
