package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/spelling"
	"descbench/pipeline/fold"
	"descbench/pipeline/page"
	"descbench/pipeline/plan"
	"descbench/pipeline/store"
)

func newVerifyCommand(flags *commonFlags) *cobra.Command {
	var recompute bool
	cmd := &cobra.Command{
		Use:   "verify RUN",
		Short: "Read all files of a run and report those that are damaged or missing",
		Long: `Verify compares the units, the results and the pages of the report of a run with
the checksums that were written with them. Every other command verifies the files
that it reads, and no others. Verify also reports config, summary, metrics and
database if they contradict each other.

Checksums find damage. They do not tell who wrote a run, nor that its results follow
from its units: whoever changes a file can write the checksum that fits. --recompute
computes the results from the units again, in a temporary folder, and reports those
that differ, whether the run was changed or comes from another version of descbench. It
does not recompute units (for that, repeat the run elsewhere with its config), times,
README.txt and pages.
` + exitHelp,
		Example: "  descbench verify runs/demo\n  descbench verify runs/demo --recompute",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			good, faults := 0, []string{}
			mends := map[string]bool{}
			report := func(path string, err error) {
				if err == nil {
					good++
					return
				}
				faults = append(faults, err.Error())
				if !errors.Is(err, plan.ErrStray) {
					mends[mending(plan.Folder(args[0]), path)] = true
				}
				if !flags.json {
					fmt.Fprintln(cmd.OutOrStdout(), printable(err.Error()))
				}
			}
			err := plan.Folder(args[0]).Verify(cmd.Context(), report)
			without := errors.Is(err, plan.ErrWithoutUnits) && !recompute
			if err != nil && !without {
				return err
			}
			page.Verify(args[0], report)
			var equal []string
			if recompute {
				if equal, err = fold.Recompute(cmd.Context(), plan.Folder(args[0]), report); err != nil {
					return err
				}
			}
			if equal == nil {
				fold.Contradictions(cmd.Context(), plan.Folder(args[0]), report)
			}
			if flags.json {
				found := map[string]any{"good": good, "faults": faults}
				if recompute {
					found["recomputed_equal"] = append([]string{}, equal...) // [] in JSON, not null
				}
				err = printJSON(cmd.OutOrStdout(), found)
			} else {
				contents := "contents not recomputed"
				if !recompute {
					contents += " (--recompute)"
				}
				if equal != nil {
					contents = "recomputed from the units, equal: " + cmp.Or(strings.Join(equal, ", "), "none") + "\nnot recomputed: units, times, README.txt, pages"
				} else if without {
					contents = "nothing shows that these results follow from this config: the folder has no units"
				}
				if !without && plan.Folder(args[0]).WithoutTimes() {
					contents += "; shared without times, on which no metric depends"
				}
				if summary, err := store.ReadSummary(plan.Folder(args[0]).Summary()); err == nil && len(summary.FailedScenes) > 0 {
					contents = fmt.Sprintf("%d of %s; failed: %s\n", summary.ScenesEvaluated, spelling.Count(summary.ScenesRequested, "scene"), spelling.Few(slices.Sorted(maps.Keys(summary.FailedScenes)), 6)) + contents
				}
				above := ""
				if len(faults) > 0 {
					above = " (above)"
				}
				_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s%s; the checksums of %s match\n%s\n", args[0], spelling.Count(len(faults), "fault"), above, spelling.Count(good, "file"), contents)
			}
			if err != nil || len(faults) == 0 {
				return err
			}
			var cures []string
			for _, verb := range []string{"run", "fold", "report"} {
				if mends[verb] && !(verb == "fold" && mends["run"]) { // which folds
					cures = append(cures, "descbench "+verb)
				}
			}
			own := ""
			if cures != nil {
				own = "; in a run of your own, use " + strings.Join(cures, ", then ")
			}
			return plan.Faultf("%s: %s; ask for a received folder again%s", args[0], spelling.Count(len(faults), "fault"), own)
		},
	}
	cmd.Flags().BoolVar(&recompute, "recompute", false, "also compute the results from the units again and compare")
	return cmd
}

// mending returns the verb that mends a faulty file of a run.
func mending(f plan.Folder, path string) string {
	name, _ := filepath.Rel(string(f), path)
	switch first, _, _ := strings.Cut(filepath.ToSlash(name), "/"); {
	case filepath.Ext(name) == ".html":
		return "report"
	case first == "times":
		return "" // the error says what to do
	case slices.Contains([]string{"", ".", "units"}, first), path == f.Config(), path == f.Environment():
		return "run"
	}
	return "fold"
}
