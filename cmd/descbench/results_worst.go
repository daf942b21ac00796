package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/pipeline/matchview"
)

// A worstChoice asks for a list of where descriptors fail.
type worstChoice struct {
	n                       int // 0: no list
	by, descriptor, against string
}

func (c *worstChoice) register(fs *pflag.FlagSet) {
	fs.IntVar(&c.n, "worst", 0, "list this many pairs, scenes or queries where descriptors fail")
	fs.StringVar(&c.by, "by", "pair", "what --worst lists: pair, scene or query")
	fs.StringVar(&c.descriptor, "descriptor", "", "descriptor of --worst (default: all; with --against, the first other one)")
	fs.StringVar(&c.against, "against", "", "list where --descriptor and this one differ most")
	limits(fs, "worst", 1, 0)
	allows(fs, "by", "pair", "scene", "query")
	needs(fs, []string{"by", "descriptor", "against"}, "worst")
}

func (c *worstChoice) check() error {
	if c.against != "" && c.against == c.descriptor {
		return usageError{fmt.Errorf("--against %s: want another descriptor than --descriptor", c.against)}
	}
	return nil
}

// print prints the list.
func (c *worstChoice) print(cmd *cobra.Command, form tableChoice, runs []string) error {
	view, err := matchview.Open(runs)
	if err != nil {
		return err
	}
	w := matchview.WorstOf{By: c.by, N: c.n, Systems: view.Systems}
	if c.against != "" {
		if w.Against, err = view.Find("--against", c.against); err != nil {
			return err
		}
		i := slices.IndexFunc(view.Systems, func(s *matchview.System) bool { return s != w.Against })
		if i < 0 {
			return usageError{fmt.Errorf("--against %s: it is the only descriptor", c.against)}
		}
		w.Systems = view.Systems[i : i+1]
	}
	var names []string
	for _, s := range view.Systems {
		names = append(names, s.Name)
	}
	if err := form.checkOnly(names); err != nil {
		return err
	}
	w.Systems = slices.DeleteFunc(slices.Clone(w.Systems), func(s *matchview.System) bool { return !form.chosen(s.Name) })
	if c.descriptor != "" {
		one, err := view.Find("--descriptor", c.descriptor)
		if err != nil {
			return err
		}
		w.Systems = []*matchview.System{one}
	}
	t, err := view.Worst(cmd.Context(), w)
	if err != nil {
		return err
	}
	if err := form.arrange(t); err != nil {
		return err
	}
	return form.print(cmd.OutOrStdout(), t)
}
