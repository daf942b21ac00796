package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"descbench/keypoints"
	"descbench/pipeline/dataset"
	"descbench/pipeline/keypointsets"
	"descbench/pipeline/plan"
)

func newKeypointsCommand(flags *commonFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "keypoints",
		Short: "Export, draw and summarise the keypoint sets of a config",
		Long: `CONFIG#NAME addresses a keypoint set of a config, over all scenes of the config.
CONFIG#NAME.a and CONFIG#NAME.b address the sides of an intersection:

  descbench keypoints stats configs/demo.yaml#sift_2k

The sets have the keypoints that a run of the config describes. Detected keypoints
are cached; selections, intersections and projections are computed every time.
` + exitHelp,
	}
	cmd.AddCommand(newKeypointsStatsCommand(flags), newKeypointsExportCommand(flags), newKeypointsDrawCommand(flags))
	flags.addConfig(cmd.PersistentFlags())
	flags.addCache(cmd.PersistentFlags())
	flags.addJobs(cmd.PersistentFlags())
	return cmd
}

// addressed loads the config of an address, CONFIG#NAME, and checks that it has the
// set.
func addressed(flags *commonFlags, address string) (keypointsets.Source, error) {
	i := strings.LastIndex(address, "#")
	if i <= 0 || i == len(address)-1 {
		return keypointsets.Source{}, usageError{fmt.Errorf("found %q, want CONFIG#NAME, a config file and one of its keypoint sets", address)}
	}
	path, name := address[:i], address[i+1:]
	cfg, err := loadConfig(flags, path)
	if err != nil {
		return keypointsets.Source{}, err
	}
	return keypointsets.Source{Config: cfg, Name: name}, cfg.CheckSet(path, name)
}

// eachScene computes a keypoint set and calls each do for one scene after the other; see
// keypointsets.Source.
func eachScene(ctx context.Context, flags *commonFlags, set keypointsets.Source, scenes []string, do ...func(*dataset.Scene, []keypoints.Set) error) error {
	bar := newProgress(flags)
	defer bar.end()
	opt, err := keypointOptions(flags, bar)
	if err != nil {
		return err
	}
	return set.Each(ctx, opt, scenes, do...)
}

func keypointOptions(flags *commonFlags, bar *progress) (plan.Options, error) {
	cache, err := cacheFolder(flags)
	return plan.Options{Jobs: flags.jobs, CacheDir: cache, Version: version, Log: flags.logger(), Progress: bar.show}, err
}
