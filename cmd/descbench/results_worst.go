package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval/catalogue"
	"descbench/eval/fact"
	"descbench/pipeline/fold"
	"descbench/pipeline/matchview"
	"descbench/pipeline/report"
)

// A worstChoice asks for a list of where descriptors fail.
type worstChoice struct {
	n  int // 0: no list
	by string
}

func (c *worstChoice) register(fs *pflag.FlagSet) {
	fs.IntVar(&c.n, "worst", 0, "list this many pairs, scenes or queries where descriptors fail")
	fs.StringVar(&c.by, "by", "pair", "what --worst lists: pair, scene or query")
	limits(fs, "worst", 1, 0)
	allows(fs, "by", "pair", "scene", "query")
	needs(fs, []string{"by"}, "worst")
}

// print prints the list.
func (c *worstChoice) print(cmd *cobra.Command, form tableChoice, in string, open *fold.Runs) error {
	w := matchview.WorstOf{By: c.by, In: in, N: c.n, Systems: slices.Clone(open.Systems)}
	named, err := open.Named("--only", form.only)
	if err != nil {
		return err
	}
	w.Systems = slices.DeleteFunc(w.Systems, func(s *fold.System) bool { return len(form.only) > 0 && !slices.Contains(named, s) })
	t, err := matchview.Worst(cmd.Context(), w)
	if err != nil {
		return err
	}
	open.Keep(w.Systems)
	for _, run := range open.Runs {
		summary := run.Within(in).Summary
		facts := append(report.Failures(summary), concerned(summary, []*catalogue.Metric{catalogue.Of(catalogue.MAP)})...)
		t.Tell(slices.DeleteFunc(open.About(run, facts...), func(f fact.Fact) bool { return f.Descriptor != "" && !slices.Contains(t.RowNames(), f.Descriptor) })...)
	}
	var names []string
	for _, run := range open.Runs {
		names = append(names, name(run.Folder))
	}
	t.Title += " of " + strings.Join(names, ", ")
	if err := form.arrange(t); err != nil {
		return err
	}
	return form.print(cmd, t)
}
