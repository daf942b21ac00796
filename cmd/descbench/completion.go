package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
)

// A completer returns the words that a flag or an argument may take, given the
// arguments before it.
type completer func(args []string) []string

// flagCompletions holds the completers of the flags by their names, for every
// command that has such a flag of a text or a list.
var flagCompletions = map[string]completer{
	"baseline":   descriptorNamesOf,
	"descriptor": descriptorNamesOf,
	"only":       descriptorNamesOf,
	"format":     tableFormats,
	"metric":     func([]string) []string { return metricNames() },
	"metrics":    func([]string) []string { return metricNames() },
	"scene":      sceneNamesOf,
	"scope":      scopesOf,
	"sweep":      func([]string) []string { return []string{"tolerance_px=", "exclude_beyond_px="} },
	"table":      func([]string) []string { return report.TableNames() },
}

// complete adds shell completion to the flags and arguments of a command and of
// all its subcommands.
func complete(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		find := flagCompletions[f.Name]
		switch {
		case f.Name == "set":
			find = func(args []string) []string { return settableKeys(c, args) }
		case f.Name == "format" && !strings.Contains(f.Usage, "markdown"):
			return // of files
		}
		if find == nil || !strings.HasPrefix(f.Value.Type(), "string") {
			return
		}
		// The only error is about a flag that does not exist.
		_ = c.RegisterFlagCompletionFunc(f.Name, func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return startingWith(find(args), typed)
		})
	})
	_, takes, _ := strings.Cut(c.Use, " ")
	switch {
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
		if strings.HasSuffix(w, "=") {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
	}
	return out, directive
}

// metricNames returns the names of all metrics. K stands for a number.
func metricNames() []string {
	var names []string
	for _, d := range eval.Catalogue() {
		names = append(names, d.Name)
	}
	return names
}

func tableFormats([]string) []string {
	var names []string
	for _, f := range table.Formats() {
		names = append(names, string(f))
	}
	return names
}

// descriptorNamesOf returns the descriptors of the runs and configs among the
// arguments.
func descriptorNamesOf(args []string) []string {
	var names []string
	for _, path := range args {
		if cfg := configAt(path); cfg != nil {
			for _, name := range descriptorNames(cfg) {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// sceneNamesOf returns the scenes of the runs among the arguments.
func sceneNamesOf(args []string) []string {
	var names []string
	for _, path := range args {
		if !fold.IsRun(path) {
			continue
		}
		if p, err := plan.Folder(path).Plan(); err == nil {
			for _, name := range p.Scenes {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// scopesOf returns the scopes of the runs among the arguments, without pairs.
func scopesOf(args []string) []string {
	scopes := []string{"all", "viewpoint", "illumination", "k:2", "k:3", "k:4", "k:5", "k:6"}
	for _, name := range sceneNamesOf(args) {
		scopes = append(scopes, "scene:"+name)
	}
	return scopes
}

// settableKeys returns what --set of a command can change in the runs and configs
// among the arguments.
func settableKeys(c *cobra.Command, args []string) []string {
	var keys []string
	for _, path := range args {
		cfg := configAt(path)
		if cfg == nil {
			continue
		}
		for _, key := range cfg.Keys() {
			ofRun := !strings.HasPrefix(c.Use, strings.Fields(c.Use)[0]+" CONFIG")
			if !ofRun || strings.HasPrefix(key, "evaluation.") {
				keys = append(keys, key+"=")
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// configAt returns the config of a run folder or a config file, or nil. Completion
// has no place for errors.
func configAt(path string) *config.Config {
	file := path
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		file = filepath.Join(path, filepath.Base(plan.Folder(path).Config()))
	}
	cfg, err := config.Load(file, config.Overrides{Data: "."})
	if err != nil {
		return nil
	}
	return cfg
}
