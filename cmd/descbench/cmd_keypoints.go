package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"descbench/pipeline/config"
	"descbench/pipeline/keypointsets"
	"descbench/pipeline/plan"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store"
)

func newKeypointsCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keypoints",
		Short: "Compute, inspect, select, export and import keypoint sets",
		Long: `CONFIG#NAME addresses a keypoint set of a config, over all scenes of the config.
CONFIG#NAME.a and CONFIG#NAME.b address the sides of an intersection:

  descbench keypoints stats configs/demo.yaml#sift_2k

Sets are stored as <cache>/keypoints/<digest>.parquet, with the columns scene,
image (1, 2, …), row, x, y, size, angle, response, octave (as the detector packs
it), class_id, and source (the row in image 1 that a keypoint was projected
from). The digest covers the recipe of the set and of its source sets, the
scenes, and the software; a set is recomputed only if one of these changes.
Every command computes and stores a missing set.

A SET is CONFIG#NAME or a stored FILE.parquet, from the cache or from select,
intersect or project. These commands apply the steps of a set in a config and
write the same bytes as its stored set.
` + exitHelp,
	}
	cmd.AddCommand(
		newKeypointsComputeCommand(flags),
		newKeypointsShowCommand(flags),
		newKeypointsStatsCommand(flags),
		newKeypointsSelectCommand(flags),
		newKeypointsIntersectCommand(flags),
		newKeypointsProjectCommand(flags),
		newKeypointsExportCommand(flags),
		newKeypointsDrawCommand(flags),
		newKeypointsListCommand(flags),
		newKeypointsImportCommand(flags),
	)
	flags.addConfig(cmd.PersistentFlags())
	flags.addCache(cmd.PersistentFlags())
	flags.addJobs(cmd.PersistentFlags())
	return cmd
}

// An address names a keypoint set: CONFIG#NAME, or a stored file.
type address struct {
	path string
	name string // "" for a stored file
}

func parseAddress(text string) (address, error) {
	if isStoredFile(text) {
		return address{path: text}, nil
	}
	i := strings.LastIndex(text, "#")
	if i <= 0 || i == len(text)-1 {
		return address{}, usageError{fmt.Errorf("found %q, want CONFIG#NAME (a config file and one of its keypoint sets) or FILE.parquet (a stored set)", text)}
	}
	return address{text[:i], text[i+1:]}, nil
}

// isStoredFile reports whether an address names a stored file.
func isStoredFile(text string) bool { return strings.EqualFold(filepath.Ext(text), ".parquet") }

// String returns the address as it was given.
func (a address) String() string {
	if a.name == "" {
		return a.path
	}
	return a.path + "#" + a.name
}

// label returns the name of the set in JSON.
func (a address) label() string {
	if a.name == "" {
		return a.path
	}
	return a.name
}

// checkFileFlags rejects flags that do not apply to stored files, if all sets are
// stored files. With wantsData it requires the folder of scenes.
func checkFileFlags(flags *commonFlags, wantsData bool, sets ...string) error {
	for _, text := range sets {
		if !isStoredFile(text) {
			return nil
		}
	}
	switch {
	case len(flags.set) > 0:
		return usageError{errors.New("--set changes a config, found stored sets only")}
	case flags.settings.from("data") == byFlag && !wantsData:
		return usageError{errors.New("--data does not apply: this command needs no images of a stored set")}
	case flags.data == "" && wantsData:
		return usageError{fmt.Errorf("--data is missing, want the folder of the scenes of %s", sets[0])}
	}
	return nil
}

// addressed loads the config of an address and opens its sets.
func addressed(ctx context.Context, flags *commonFlags, text string, bar *progress) (address, *keypointsets.Sets, error) {
	a, err := parseAddress(text)
	if err != nil {
		return a, nil, err
	}
	cfg, err := loadConfig(flags, a.path)
	if err != nil {
		return a, nil, err
	}
	if err := cfg.CheckSet(a.path, a.name); err != nil {
		return a, nil, err
	}
	sets, err := openSets(ctx, flags, cfg, bar)
	return a, sets, err
}

func openSets(ctx context.Context, flags *commonFlags, cfg *config.Config, bar *progress) (*keypointsets.Sets, error) {
	cache, err := cacheFolder(flags)
	if err != nil {
		return nil, err
	}
	opt := plan.Options{Jobs: flags.jobs, CacheDir: cache, Version: version, Log: flags.logger()}
	if bar != nil {
		opt.Progress = bar.show
	}
	return keypointsets.Open(ctx, cfg, opt)
}

// A storedSet is an open stored set.
type storedSet struct {
	address
	*store.KeypointFile
	sets     *keypointsets.Sets
	computed bool // by this command
}

// openStored opens the set of an address and computes it if necessary. It calls
// check first, unless check is nil.
func openStored(ctx context.Context, flags *commonFlags, text string, check func(*keypointsets.Sets) error) (*storedSet, error) {
	if isStoredFile(text) {
		return openStoredFile(flags, text, check)
	}
	bar := newProgress(flags)
	defer bar.end()
	a, sets, err := addressed(ctx, flags, text, bar)
	if err == nil && check != nil {
		err = check(sets)
	}
	if err != nil {
		return nil, err
	}
	f, computed, err := sets.Open(ctx, a.name)
	if err != nil {
		return nil, err
	}
	return &storedSet{a, f, sets, computed}, nil
}

func openStoredFile(flags *commonFlags, path string, check func(*keypointsets.Sets) error) (*storedSet, error) {
	f, err := store.OpenKeypointFile(path)
	if err != nil {
		return nil, &plan.DataError{Err: err}
	}
	sets := keypointsets.Of(f, flags.data)
	if check != nil {
		if err := check(sets); err != nil {
			_ = f.Close() // read only: nothing can be lost
			return nil, err
		}
	}
	return &storedSet{address{path: path}, f, sets, false}, nil
}

func newKeypointsListCommand(flags *commonFlags) *cobra.Command {
	var choice tableChoice
	cmd := &cobra.Command{
		Use:     "list CONFIG",
		Short:   "List the keypoint sets of a config and whether they are stored",
		Example: "  descbench keypoints list configs/demo.yaml",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := choice.checkWhole(cmd, flags); err != nil {
				return err
			}
			cfg, err := loadConfig(flags, args[0])
			if err != nil {
				return err
			}
			sets, err := openSets(cmd.Context(), flags, cfg, nil)
			if err != nil {
				return err
			}
			if choice.is(table.JSON) {
				return printJSON(cmd.OutOrStdout(), sets.List())
			}
			return choice.show(cmd, setsTable(sets.List()))
		},
	}
	choice.registerFor(cmd.Flags(), "sets", setsTable(nil))
	return cmd
}

func setsTable(sets []keypointsets.Entry) *table.Table {
	t := table.New(
		table.Titled("set", table.Words, 0), table.Titled("keypoints", table.Count, 0),
		table.Titled("digest", table.Words, 1), table.Titled("recipe", table.Words, 0),
	)
	for _, e := range sets {
		keypoints := table.Text("not stored")
		if e.Stored {
			keypoints = table.Integer(*e.Keypoints)
		} else if e.Fault != "" {
			keypoints = table.Text("unusable")
			t.Note("%s unusable: %s", e.Name, e.Fault)
		}
		t.Add(table.Text(e.Name), keypoints, table.Text(fmt.Sprintf("%.12s", e.Digest)), table.Text(e.Recipe))
	}
	return t
}

func newKeypointsComputeCommand(flags *commonFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "compute CONFIG#NAME",
		Short:   "Compute and store a keypoint set, unless it is already stored",
		Example: "  descbench keypoints compute configs/demo.yaml#sift_2k",
		Args:    exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if isStoredFile(args[0]) {
				return usageError{fmt.Errorf("found %q, want CONFIG#NAME: a stored set is already computed", args[0])}
			}
			set, err := openStored(cmd.Context(), flags, args[0], nil)
			if err != nil {
				return err
			}
			defer set.Close()
			return set.printStored(cmd.OutOrStdout(), flags)
		},
	}
}

func (s *storedSet) printStored(out io.Writer, flags *commonFlags) error {
	if flags.json {
		return printJSON(out, struct {
			Set       string `json:"set"`
			Path      string `json:"path"`
			Keypoints int    `json:"keypoints"`
			Scenes    int    `json:"scenes"`
			Computed  bool   `json:"computed"`
		}{s.name, s.Path(), s.Keypoints(), len(s.Scenes), s.computed})
	}
	how := "already stored"
	if s.computed {
		how = "computed"
	}
	_, err := fmt.Fprintf(out, "%s: %s, %d keypoints in %d scenes\n%s\n", s.address, how, s.Keypoints(), len(s.Scenes), s.Path())
	return err
}
