package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval"
	"descbench/eval/matching"
	"descbench/eval/scope"
	"descbench/pipeline/config"
	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
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
	"by":         func([]string) []string { return []string{"pair", "scene", "query"} },
	"columns":    metricColumns,
	"matcher":    func([]string) []string { return []string{"nearest", "mutual", "ratio=", "distance=", "top="} },
	"metric":     func([]string) []string { return singleMetrics() },
	"metrics":    metricColumns,
	"pair":       pairsOf,
	"runs":       experimentsOf,
	"scene":      sceneNamesOf,
	"scope":      scopesOf,
	"scopes":     func([]string) []string { return []string{"category", "k", "scene", "pair"} },
	"score":      func([]string) []string { return []string{string(matching.ByDistance), string(matching.ByRatio)} },
	"sort":       metricColumns,
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
		case f.Annotations[knownColumns] != nil:
			find = func([]string) []string { return f.Annotations[knownColumns] }
		case f.Name == "only" && !strings.Contains(f.Usage, "descriptors"):
			return
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
	case takes == "DB EXPERIMENT":
		c.ValidArgsFunction = func(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return startingWith(experimentsOf(args), typed)
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

// numbersOf holds examples of the numbers K of metrics, by the beginning of their
// names; the empty one is for all others.
var numbersOf = []struct {
	prefix string
	k      []string
}{
	{"ratio_", []string{"0.7", "0.8", "0.9"}},
	{"precision_at_", []string{"1", "5", "10"}},
	{"", []string{"1", "3", "5"}},
}

// singleMetrics returns names that each stand for one metric: with a number in place
// of K, and without those that have other variables.
func singleMetrics() []string {
	var names []string
	for _, name := range metricNames() {
		if !eval.IsOpen(name) {
			names = append(names, name)
			continue
		}
		stem, ofK := strings.CutSuffix(name, "K")
		if !ofK || eval.IsOpen(stem) {
			continue
		}
		at := slices.IndexFunc(numbersOf, func(n struct {
			prefix string
			k      []string
		}) bool {
			return strings.HasPrefix(name, n.prefix)
		})
		for _, k := range numbersOf[at].k {
			names = append(names, stem+k)
		}
	}
	return names
}

// metricColumns returns what a table of results can show or sort by.
func metricColumns([]string) []string { return append(singleMetrics(), "scenes", "time") }

// experimentsOf returns the experiments of the databases among the arguments.
func experimentsOf(args []string) []string {
	var names []string
	for _, path := range args {
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		rows, err := store.ReadResults(context.Background(), path, store.Selection{Scope: "all"})
		if err != nil {
			continue
		}
		for _, r := range rows {
			names = append(names, r.Experiment)
		}
	}
	return distinct(names)
}

// pairsOf returns the image pairs of the runs among the arguments.
func pairsOf(args []string) []string {
	var pairs []string
	for _, scene := range sceneNamesOf(args) {
		for k := 2; k <= imagesOf(args, scene); k++ {
			pairs = append(pairs, fmt.Sprintf("%s/%d", scene, k))
		}
	}
	return pairs
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

// imagesOf returns the number of images of a scene of the runs among the arguments.
func imagesOf(args []string, scene string) int {
	most := 0
	for _, path := range args {
		if record, err := plan.Folder(path).ReadScene(scene); err == nil {
			most = max(most, len(record.Images))
		}
	}
	return most
}

// scopesOf returns the scopes of the runs among the arguments.
func scopesOf(args []string) []string {
	scopes := []string{"all", "viewpoint", "illumination"}
	most := 0
	for _, name := range sceneNamesOf(args) {
		most = max(most, imagesOf(args, name))
	}
	for k := 2; k <= most; k++ {
		scopes = append(scopes, fmt.Sprintf("k:%d", k))
	}
	for _, name := range sceneNamesOf(args) {
		scopes = append(scopes, "scene:"+name)
	}
	for _, name := range sceneNamesOf(args) {
		for k := 2; k <= imagesOf(args, name); k++ {
			scopes = append(scopes, scope.PairName(name, k))
		}
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
