package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"descbench/eval/fact"
	"descbench/eval/spelling"
	"descbench/pipeline"
	"descbench/pipeline/fold"
	"descbench/pipeline/page"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

func newStatusCommand(flags *commonFlags) *cobra.Command {
	var choice tableChoice
	cmd := &cobra.Command{
		Use:   "status RUN",
		Short: "Show the progress of a run",
		Long: `Status shows which units of a run are done, failed and missing, which scenes are
being computed, by which process and since when.
A process that was killed on another machine counts as running for 10 minutes.`,
		Example: "  descbench status runs/descriptor-variants",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return printStatus(cmd, &choice, args[0])
		},
	}
	choice.register(cmd, flags, "descriptor")
	return cmd
}

func printStatus(cmd *cobra.Command, choice *tableChoice, run string) error {
	status, err := pipeline.ReadStatus(run)
	if err != nil {
		return err
	}
	shown := *status
	if !choice.forPrograms() && len(choice.only) == 0 {
		shown.Descriptors = joined(shown.Descriptors)
	}
	t := statusTable(&shown, choice.forPrograms())
	if r := status.Reevaluation; r != nil {
		t.Title = "Re-evaluation of " + r.Run
		t.Caption = r.Changed
		t.Tell(r.LeftOut...)
	}
	return choice.show(cmd, t, statusNotes(status)...)
}

// joined returns one entry for many descriptors in the same state.
func joined(all []pipeline.DescriptorStatus) (out []pipeline.DescriptorStatus) {
	const few = 6 // that have an entry each
	var by spelling.Groups
	state := func(d pipeline.DescriptorStatus) string { return fmt.Sprint(d.Done, len(d.Failed), d.Missing) }
	for _, d := range all {
		by.Add(state(d), d.Name)
	}
	for _, d := range all {
		alike := by.Of[state(d)]
		if len(alike) > few && alike[0] != d.Name {
			continue
		}
		if len(alike) > few {
			d.Name = spelling.Few(alike, 3)
		}
		out = append(out, d)
	}
	return out
}

// statusTable returns a row per descriptor, if whole with the state of the run and all missing
// scenes.
func statusTable(s *pipeline.Status, whole bool) *table.Table {
	t := table.New(slices.Concat(wordColumns("descriptor"), countColumns("scenes", "done", "failed", "missing"), wordColumns("missing_scenes"))...)
	if whole {
		t.Columns = append(t.Columns, table.Titled("state", table.Words, 0))
	}
	state := "complete"
	switch {
	case s.Folded:
		state = "folded"
	case len(s.Running) > 0:
		state = "running"
	case s.Incomplete != "":
		state = "incomplete"
	}
	for _, d := range s.Descriptors {
		row := []any{d.Name, s.Scenes, d.Done, len(d.Failed), len(d.Missing), spelling.Few(d.Missing, 6)}
		if whole {
			row = append(row[:5], strings.Join(d.Missing, ", "), state)
		}
		addRow(t, row...)
	}
	return t
}

// statusNotes says what failed, what runs, and what to do next.
func statusNotes(s *pipeline.Status) []table.Note {
	var notes []table.Note
	open, failed, units := 0, 0, s.Scenes*len(s.Descriptors)
	for _, d := range s.Descriptors {
		open += len(d.Missing)
		failed += len(d.Failed)
		for _, scene := range slices.Sorted(maps.Keys(d.Failed)) {
			// A fault of the scene concerns every descriptor.
			note := table.Note{Fact: fact.New("failed", scene), Text: "failed: " + report.Reason(scene, d.Failed[scene])}
			if !slices.Contains(table.Texts(notes), note.Text) {
				notes = append(notes, note)
			}
		}
	}
	for _, r := range s.Running {
		notes = append(notes, table.Note{Fact: fact.Fact{Kind: "running", Part: r.Process, Scenes: []string{r.Claim}}, Text: fmt.Sprintf("running: %s by %s since %s", r.Claim, r.Process, r.Since.Format(time.DateTime))})
	}
	next := "results are ready: descbench results " + spelling.Shell(s.Folder)
	switch {
	case open > 0 && len(s.Running) > 0:
		next = fmt.Sprintf("%d of %s done, %d failed, %d missing", units-open-failed, spelling.Count(units, "unit"), failed, open)
	case s.Incomplete != "":
		next = s.Incomplete
	case s.Unusable != "":
		next = s.Unusable
	case !s.Folded:
		next = "complete but not folded; run: " + fold.Command(s.Folder, s.Database)
	case failed > 0 && s.Reevaluation == nil:
		next = fmt.Sprintf("%s failed; rerun the same command to retry; after changing a program of the run, add --overwrite", spelling.Count(failed, "unit"))
		if failed < units {
			notes = append(notes, table.Note{Text: "results are ready without them: descbench results " + spelling.Shell(s.Folder)})
		}
	}
	if s.Folded && page.Outdated(s.Folder) {
		notes = append(notes, table.Note{Text: "warning: " + page.MainFile + " shows other results than the run has now; rerun descbench report " + spelling.Shell(s.Folder)})
	}
	return append(notes, table.Note{Text: next + plan.Folder(s.Folder).ReplacedHint()})
}

// roundedTime returns an estimated time as one would say it: 35 s, 12 min, 5 h 10 min.
func roundedTime(seconds float64) string {
	switch minutes := math.Round(seconds / 60); {
	case minutes >= 60:
		tens := int(math.Round(seconds / 600))
		return fmt.Sprintf("%d h %d min", tens/6, tens%6*10)
	case minutes >= 2:
		return fmt.Sprintf("%.0f min", minutes)
	}
	return fmt.Sprintf("%.0f s", max(math.Round(seconds), 1))
}

// shortList returns the number of names and the first few of them.
func shortList(names []string) string {
	if len(names) == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%s)", len(names), spelling.Few(names, 6))
}
