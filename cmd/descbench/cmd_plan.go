package main

import (
	"cmp"
	"fmt"
	"text/tabwriter"

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
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintf(w, "data set\t%s\n", cfg.Dataset.Root)
			fmt.Fprintf(w, "scenes\t%s\n", shortList(p.Scenes))
			for _, s := range cfg.KeypointSets {
				fmt.Fprintf(w, "keypoint set\t%s: %s\n", s.Name, s)
			}
			for _, d := range cfg.Descriptors {
				fmt.Fprintf(w, "descriptor\t%s: %s\n", d.Name, d)
			}
			if len(others) > 0 {
				fmt.Fprintf(w, "not scenes\t%s\n", shortList(others))
			}
			fmt.Fprintf(w, "units\t%d (scene × descriptor), %d done\n", p.Units(), done)
			fmt.Fprintf(w, "run folder\t%s\n", string(p.Folder()))
			for _, text := range cfg.Warnings() {
				fmt.Fprintf(w, "warning\t%s\n", text)
			}
			if err := w.Flush(); err != nil {
				return err
			}
			return conflict
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
