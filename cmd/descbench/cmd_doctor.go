package main

import (
	"cmp"
	"fmt"

	"github.com/spf13/cobra"

	"descbench/pipeline"
	"descbench/pipeline/report/table"
)

func newDoctorCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "doctor [CONFIG]",
		Short: "Check libraries, descriptors, processor, data set and folders",
		Long: `Doctor checks everything that a run needs and reports problems. It takes the
data set, the output folder and the database from the config, or from flags and user
defaults. Given a config, it reads the files of keypoints and descriptors from other
programs that the config imports, and lists those that cannot be used. It starts the
programs of type command and calls each with a small image, those that read HDF5 files for
all images or pairs.
` + exitHelp,
		Example: `  descbench doctor
  descbench doctor configs/sift_baseline.yaml --data ~/hpatches-sequences-release`,
		Args: func(cmd *cobra.Command, args []string) error { return exactArgs(min(len(args), 1))(cmd, args) },
		RunE: func(cmd *cobra.Command, args []string) error {
			data, out, database := flags.data, flags.outputRoot, flags.settings.text("database")
			origins := map[string]string{}
			for setting, subject := range map[string]string{"data": "data set", "out": "output", "database": "database", "cache": "cache"} {
				origins[subject] = flags.settings.origin(setting)
			}
			var imported []pipeline.Finding
			if len(args) == 1 {
				flags.origins = make(map[string]string)
				cfg, err := loadConfig(flags, args[0])
				if err != nil {
					return err
				}
				data, out, database = cfg.Dataset.Root, cfg.Output.Root, cfg.Output.Database
				origins["data set"], origins["output"], origins["database"] = flags.origins["dataset.root"], flags.origins["output.root"], flags.origins["output.database"]
				if imported, err = pipeline.ExamineConfig(cmd.Context(), cfg); err != nil {
					return err
				}
			}
			cache, err := cacheFolder(flags)
			if err != nil {
				return err
			}
			findings := append(pipeline.Examine(cmd.Context(), version, data, out, cache, database), imported...)
			for i, f := range findings {
				if origin, is := origins[f.Subject]; is {
					findings[i].Text = fmt.Sprintf("%s (%s)", f.Text, cmp.Or(origin, "default"))
				}
			}
			if flags.json {
				err = printJSON(cmd.OutOrStdout(), findings)
			} else {
				words := table.Column{Unit: table.Words}
				t := table.New(words, words, words)
				for _, f := range findings {
					mark := "ok"
					if !f.OK {
						mark = "FAILED"
					}
					t.Add(table.Text(mark), table.Text(f.Subject), table.Text(f.Text))
				}
				err = t.Write(cmd.OutOrStdout(), table.AsText, 0)
			}
			return cmp.Or(err, pipeline.Verdict(findings))
		},
	}
	flags.addConfig(cmd.Flags())
	flags.addOutputRoot(cmd.Flags())
	flags.addCache(cmd.Flags())
	return cmd
}
