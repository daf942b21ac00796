package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"descbench/eval/spelling"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// writeReadme writes README.txt into the folder of results for whoever receives it: where
// the results are from, what the command printed (protocol, table, deviations from published
// set-ups, warnings), and how to check and recompute them.
//
// A command that computed no units keeps the text of the one that did.
func writeReadme(cmd *cobra.Command, o *fold.Run) error {
	path := filepath.Join(o.Folder, plan.ReadmeFile)
	if _, err := os.Stat(path); err == nil && o.Share.Units == 0 {
		return nil
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown host"
	}
	out := cmd.OutOrStdout()
	defer cmd.SetOut(out)
	differences := ""
	if len(o.Summary.Descriptors) > 1 {
		differences = "\n  say which differences are significant         descbench compare . --baseline " + spelling.Shell(o.Summary.Descriptors[0].Name)
	}
	elsewhere := "" // not into the database of whoever made the run
	if o.Config.Output.Database != "" {
		elsewhere = " --set output.database="
	}
	scenes := o.Config.Dataset.Root
	if all, _, err := plan.Source(o.Config.Dataset).Find(nil, "all"); err == nil && len(all) > o.Summary.ScenesRequested {
		scenes += fmt.Sprintf(": the config selects %d of %s", o.Summary.ScenesRequested, spelling.Count(len(all), "scene"))
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, `Results of descbench, a program that measures local image descriptors

made     %s on %s by %s
command  %s
scenes   %s

`, time.Now().UTC().Format("2006-01-02 15:04 UTC"), host, versionLine(), strings.Join(spelling.Words(os.Args, spelling.Shell), " "), scenes)
	cmd.SetOut(&text)
	choice := wholeResults(true)
	if o.Config.Preset() == nil { // whose deviations are among the warnings
		published, err := compare.Published(o)
		if err != nil {
			return err
		}
		choice.published = len(report.Comparable(published)) > 0
	}
	if err := choice.printOne(cmd, o); err != nil {
		return err
	}
	fmt.Fprintf(&text, `
In this folder, these commands
  check all files, recompute the results       descbench verify . --recompute
  show the results; write pages with charts    descbench results .    descbench report .
  show other tables                            descbench results . --table %s%s
  recompute all, from the images in SCENES     descbench run config.yaml --data SCENES --out ../NEW --cache ../NEW/cache%s
That gives the same metrics.csv, summary.json and *.parquet, byte for byte, if environment.json
has the same values for the keys that it lists in bytes_depend_on.

config.yaml has all settings, environment.json the versions and digests on which the results
depend, metrics.csv every metric, *.parquet each query and image pair, results.sqlite metrics,
image pairs and histograms of ranks as tables. Nothing checks this file: its table may have
been edited. To trust a table, run descbench verify . --recompute, then descbench results .
`, strings.Join(report.TableNames(), "|"), differences, elsewhere)
	return plan.Fault(store.WriteBytes(path, text.Bytes()))
}
