package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"descbench/pipeline/plan"
	"descbench/pipeline/report/table"
	"descbench/pipeline/store/unitfile"
)

func newCacheCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Show the size of cached detections, features and estimates, and prune them",
		Long: `Cache manages the folder of cached detections, features and estimates: --cache,
DESCBENCH_CACHE, or descbench in the user's cache folder. descbench can recompute everything in it.`,
	}
	cmd.AddCommand(newCachePruneCommand(flags))
	flags.addCache(cmd.PersistentFlags())
	return cmd
}

func newCachePruneCommand(flags *commonFlags) *cobra.Command {
	var size string
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove the least recently used files beyond a total size",
		Long: `Removes the least recently used entries beyond --size, and temporary
files that killed processes left more than a day ago. Without --size, it only prints the
folder, and the number and size of the files. A damaged file is recomputed when a run needs it.`,
		Example: "  descbench cache prune --size 20GB",
		Args:    exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			limit := uint64(math.MaxInt64)
			if size != "" {
				var err error
				limit, err = humanize.ParseBytes(size)
				if err != nil || limit > math.MaxInt64 || limit > 0 && !strings.ContainsAny(size, "bB") {
					return usageError{fmt.Errorf("--size: found %q, want 0, or a number with a unit, B, MB, GB or TB, such as 20GB", size)}
				}
			}
			if _, err := os.Stat(flags.cache); errors.Is(err, fs.ErrNotExist) {
				return plan.Faultf("%s: no cache here yet", flags.cache)
			}
			cache, err := unitfile.OpenCache(flags.cache)
			if err != nil {
				return &plan.DataError{Err: err}
			}
			pruned, stuck := cache.Prune(int64(limit))
			t := table.New(append(wordColumns("folder"), countColumns("removed", "removed_bytes", "files", "bytes")...)...)
			addRow(t, flags.cache, pruned.Removed, int(pruned.RemovedBytes), pruned.Files, int(pruned.Bytes))
			err = flags.print(cmd, t, "%s: removed %d files, %s; left are %d, %s\n", flags.cache,
				pruned.Removed, humanize.Bytes(uint64(pruned.RemovedBytes)), pruned.Files, humanize.Bytes(uint64(pruned.Bytes)))
			return cmp.Or(err, plan.Fault(stuck))
		},
	}
	cmd.Flags().StringVar(&size, "size", "", "keep the most recently used files up to this total size, e.g. 20GB")
	return cmd
}
