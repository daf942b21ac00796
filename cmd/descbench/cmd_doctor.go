package main

import (
	"github.com/spf13/cobra"

	"descbench/pipeline"
	"descbench/pipeline/plan"
	"descbench/pipeline/report/table"
)

func newDoctorCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor [CONFIG]",
		Short: "Check libraries, descriptors, processor, data set and folders",
		Long: `Doctor checks everything that a run needs and reports problems. It takes the
data set, the output folder and the database from the config, or from flags and
environment variables. Given a config, it starts the
programs of type command and calls each with a small image, but those that read HDF5 files.
The files from other programs that a config imports are read by descbench plan.`,
		Example: `  descbench doctor
  descbench doctor configs/sift_baseline.yaml --data ~/hpatches-sequences-release`,
		Args: func(cmd *cobra.Command, args []string) error { return exactArgs(min(len(args), 1))(cmd, args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			data, out, database := flags.data, flags.outputRoot, flags.database
			var imported []pipeline.Finding
			if len(args) == 1 {
				cfg, err := loadConfig(flags, args[0])
				if err != nil {
					return err
				}
				data, out, database = cfg.Dataset.Root, cfg.Output.Root, cfg.Output.Database
				if imported, err = pipeline.ExamineConfig(cmd.Context(), cfg); err != nil {
					return err
				}
			}
			findings := append(pipeline.Examine(cmd.Context(), version, data, out, flags.cache, database), imported...)
			t := table.New(table.Column{Name: "result", Unit: table.Words}, table.Column{Name: "subject", Unit: table.Words}, table.Column{Name: "text", Unit: table.Words})
			failed := 0
			for _, f := range findings {
				mark := "ok"
				if !f.OK {
					mark = "FAILED"
					failed++
				}
				addRow(t, mark, f.Subject, f.Text)
			}
			form := table.AsText
			if flags.json {
				form = table.JSON
			}
			err := t.Write(cmd.OutOrStdout(), form, 0)
			if err == nil && failed > 0 {
				err = plan.Faultf("%d of %d checks failed", failed, len(findings))
			}
			return err
		},
	}
	flags.addConfig(cmd.Flags())
	flags.addOutputRoot(cmd.Flags())
	flags.addCache(cmd.Flags())
	return cmd
}
