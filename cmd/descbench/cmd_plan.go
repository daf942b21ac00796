package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"descbench/pipeline"
	"descbench/pipeline/config"
)

func newPlanCommand(flags *commonFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "plan CONFIG",
		Short:   "Show what a run would do, without doing it",
		Example: "  descbench plan configs/descriptor_variants.yaml --data ~/hpatches-sequences-release",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := loadConfig(flags, args[0])
			if err != nil {
				return err
			}
			plan, err := pipeline.NewPlan(cfg)
			if err != nil {
				return err
			}
			if flags.json {
				return printJSON(cmd.OutOrStdout(), struct {
					Folder      string   `json:"folder"`
					Scenes      []string `json:"scenes"`
					Descriptors []string `json:"descriptors"`
					Units       int      `json:"units"`
					UnitsDone   int      `json:"units_done"`
				}{plan.Folder(), plan.Scenes, descriptorNames(cfg), plan.Units(), plan.UnitsDone()})
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintf(w, "data set\t%s\n", cfg.Dataset.Root)
			fmt.Fprintf(w, "scenes\t%s\n", shortList(plan.Scenes))
			for _, s := range cfg.KeypointSets {
				fmt.Fprintf(w, "keypoint set\t%s: %s\n", s.Name, s)
			}
			for _, d := range cfg.Descriptors {
				fmt.Fprintf(w, "descriptor\t%s: %s\n", d.Name, d)
			}
			fmt.Fprintf(w, "units\t%d (scene × descriptor), %d done\n", plan.Units(), plan.UnitsDone())
			fmt.Fprintf(w, "run folder\t%s\n", plan.Folder())
			return w.Flush()
		},
	}
}

func descriptorNames(cfg *config.Config) []string {
	names := make([]string, len(cfg.Descriptors))
	for i, d := range cfg.Descriptors {
		names[i] = d.Name
	}
	return names
}
