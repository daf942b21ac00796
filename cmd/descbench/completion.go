package main

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval/catalogue"
	"descbench/eval/spelling"
)

// flagCompletions holds the words that flags may take by their names, for every
// command that has such a flag of a text or a list. Words that depend on a config, a
// run or a database are not completed.
var flagCompletions = map[string]func() []string{
	"columns": metricColumns,
	"matcher": words("nearest", "mutual", "ratio=", "distance=", "top="),
	"metric":  singleMetrics,
	"scope":   words("all", "viewpoint", "illumination", "k:", "scene:", "pair:"),
	"sort":    metricColumns,
	"sweep":   words("tolerance_px=", "exclude_beyond_px="),
}

// complete adds shell completion to the flags and arguments of a command and of
// all its subcommands.
func complete(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		find := flagCompletions[f.Name]
		switch {
		case f.Annotations[knownColumns] != nil:
			find = words(f.Annotations[knownColumns]...)
		case f.Annotations[allowedWords] != nil:
			find = words(f.Annotations[allowedWords]...)
		}
		if find == nil || !strings.HasPrefix(f.Value.Type(), "string") {
			return
		}
		// The only error is about a flag that does not exist.
		_ = c.RegisterFlagCompletionFunc(f.Name, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return startingWith(find(), typed)
		})
	})
	switch takes := arguments(c); {
	case strings.HasPrefix(takes, "CONFIG"):
		c.ValidArgsFunction = cobra.FixedCompletions([]string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt)
	case takes == "[NAME...]":
		c.ValidArgsFunction = func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return startingWith(metricNames(), typed)
		}
	}
	for _, sub := range c.Commands() {
		complete(sub)
	}
}

func words(list ...string) func() []string { return func() []string { return list } }

// startingWith returns the words that continue what was typed. The last item of a
// list separated by commas is continued.
func startingWith(words []string, typed string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var out []string
	for _, w := range words {
		if strings.HasPrefix(w, typed[len(before):]) {
			out = append(out, before+w)
		}
		if strings.ContainsAny(w[len(w)-1:], "=:@") {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
	}
	return out, directive
}

// metricNames returns the names of all metrics. K stands for a number.
func metricNames() []string {
	return spelling.Words(catalogue.All(), func(d catalogue.Definition) string { return cmp.Or(d.Short, d.Name) })
}

// singleMetrics returns names that each stand for one metric, or end where its number K
// is to be typed. It leaves out those that have other variables.
func singleMetrics() []string {
	var names []string
	for _, name := range metricNames() {
		if numbered := strings.HasSuffix(name, "K"); numbered && !catalogue.Of(name[:len(name)-1]+"3").Open {
			names = append(names, name[:len(name)-1])
		} else if !catalogue.Of(name).Open {
			names = append(names, name)
		}
	}
	return names
}

// metricColumns returns what a table of results can show or sort by.
func metricColumns() []string { return append(singleMetrics(), "scenes", "time") }
