package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"descbench/pipeline/plan"
	"descbench/pipeline/store/unitfile"
)

func newCacheCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "List, verify and prune cached detections and features",
		Long: `Cache manages the folder of cached detections and features: --cache,
DESCBENCH_CACHE, cache of the user defaults, or descbench in the user's cache folder.
descbench can recompute everything in it.
` + exitHelp,
	}
	cmd.AddCommand(newCacheListCommand(flags), newCacheVerifyCommand(flags), newCachePruneCommand(flags))
	flags.addCache(cmd.PersistentFlags())
	return cmd
}

// openCache opens the cache that the flags name. It returns its folder, too.
func openCache(flags *commonFlags) (*unitfile.Cache, string, error) {
	dir, err := cacheFolder(flags)
	if err != nil {
		return nil, "", err
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, "", &plan.DataError{Err: fmt.Errorf("%s: no cache here yet", dir)}
	}
	cache, err := unitfile.OpenCache(dir)
	if err != nil {
		return nil, "", &plan.DataError{Err: err}
	}
	return cache, dir, nil
}

func newCacheListCommand(flags *commonFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "Show what is cached",
		Example: "  descbench cache list",
		Long: `Shows the number and total size of the cached files of each kind. --json lists every
file. The folder datasets, with the digests of scenes, is not shown, verified or pruned.`,
		Args: exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cache, dir, err := openCache(flags)
			if err != nil {
				return err
			}
			entries, unread := cache.List()
			if flags.json {
				return cmp.Or(printJSON(cmd.OutOrStdout(), entries), plan.Fault(unread))
			}
			count, bytes := make(map[string]int), make(map[string]uint64)
			for _, e := range entries {
				count[e.Kind]++
				bytes[e.Kind] += uint64(e.Bytes)
			}
			about := newFacts()
			about.add("cache", "%s", dir)
			for _, kind := range unitfile.CacheKinds() {
				about.add(kind, "%d files, %s", count[kind], humanize.Bytes(bytes[kind]))
			}
			return cmp.Or(about.print(cmd.OutOrStdout()), plan.Fault(unread))
		},
	}
}

func newCacheVerifyCommand(flags *commonFlags) *cobra.Command {
	return &cobra.Command{
		Use:     "verify",
		Short:   "Read all cached files and report damaged ones",
		Example: "  descbench cache verify --cache /data/cache",
		Args:    exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			cache, _, err := openCache(flags)
			if err != nil {
				return err
			}
			good := 0
			damaged := []string{}
			unread := cache.Verify(cmd.Context(), func(_ unitfile.CacheEntry, err error) {
				if err == nil {
					good++
					return
				}
				damaged = append(damaged, err.Error())
				if !flags.json {
					fmt.Fprintln(cmd.OutOrStdout(), err)
				}
			})
			if errors.Is(unread, context.Canceled) {
				return unread
			}
			err = flags.print(cmd, map[string]any{"good": good, "damaged": damaged}, "%d good, %d damaged\n", good, len(damaged))
			if len(damaged) > 0 {
				unread = errors.Join(unread, fmt.Errorf("%d damaged cache entries; the next run that needs them recomputes them", len(damaged)))
			}
			return cmp.Or(err, plan.Fault(unread))
		},
	}
}

func newCachePruneCommand(flags *commonFlags) *cobra.Command {
	var size string
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove the least recently used files beyond a total size",
		Long: `Removes the least recently used detections and features beyond --size, and temporary
files that killed processes left more than a day ago.`,
		Example: "  descbench cache prune --size 20GB",
		Args:    exactArgs(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if size == "" {
				return usageError{errors.New("cache prune: want --size, the size to keep, such as --size 20GB")}
			}
			limit, err := humanize.ParseBytes(size)
			if err != nil || limit > math.MaxInt64 || limit > 0 && !strings.ContainsAny(size, "bB") {
				return usageError{fmt.Errorf("--size: found %q, want 0, or a number with a unit, B, MB, GB or TB, such as 20GB", size)}
			}
			cache, _, err := openCache(flags)
			if err != nil {
				return err
			}
			removed, stuck := cache.Prune(int64(limit))
			var bytes uint64
			for _, e := range removed {
				bytes += uint64(e.Bytes)
			}
			err = flags.print(cmd, map[string]any{"removed": len(removed), "bytes": bytes}, "removed %d files, %s\n", len(removed), humanize.Bytes(bytes))
			return cmp.Or(err, plan.Fault(stuck))
		},
	}
	cmd.Flags().StringVar(&size, "size", "", "keep the most recently used files up to this total size, e.g. 20GB")
	return cmd
}
