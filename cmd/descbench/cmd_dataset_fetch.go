package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"descbench/eval/spelling"
	"descbench/pipeline/config"
	"descbench/pipeline/dataset"
	"descbench/pipeline/dataset/fetch"
)

// defaultFetchFolder is where the shipped configs look for data sets, seen from the
// folder that contains configs.
const defaultFetchFolder = "data"

func newDatasetFetchCommand(flags *commonFlags) *cobra.Command {
	opt, address := fetch.Options{}, ""
	names := spelling.Words(fetch.Releases(), func(r fetch.Release) string { return r.Name })
	cmd := &cobra.Command{
		Use:   "fetch " + strings.Join(names, "|"),
		Short: "Download HPatches, check it and unpack it",
		Long: `Downloads a data set, checks it, and unpacks it below the folder --to:

  hpatches-sequences  1.3 GB, hpatches-sequences-release: 116 scenes
  hpatches-patches    4.2 GB, hpatches-release: the strips of the patch benchmark

The default folder, data, is where the included configs look for it. Rerun the command to
resume a download. The data set appears only when it is complete and, of
hpatches-sequences, every image and homography has been read. HTTP_PROXY, HTTPS_PROXY and
NO_PROXY are honoured.

Without a network, download the zip archive elsewhere, save it in the folder --to
as hpatches-sequences-release.zip or hpatches-release.zip, and run the command.`,
		Example: `  descbench dataset fetch hpatches-sequences
  descbench dataset fetch hpatches-patches --to /data
  descbench dataset fetch hpatches-sequences --url https://example.org/hpatches-sequences-release.zip`,
		Args:        exactArgs(1),
		ValidArgs:   names,
		Annotations: resumes,
		RunE: func(cmd *cobra.Command, args []string) error {
			i := slices.Index(names, args[0])
			if i < 0 {
				return usageError{fmt.Errorf("no data set %q%s, want %s", args[0], spelling.Hint(args[0], names), strings.Join(names, " or "))}
			}
			release := fetch.Releases()[i]
			release.URL = cmp.Or(address, release.URL)
			return runFetch(cmd, flags, release, opt)
		},
	}
	cmd.Flags().StringVar(&opt.To, "to", defaultFetchFolder, "folder for the data set's own folder")
	cmd.Flags().StringVar(&address, "url", "", "http or https address of the zip archive, in place of the known one")
	flags.addJobs(cmd.Flags())
	return cmd
}

func runFetch(cmd *cobra.Command, flags *commonFlags, r fetch.Release, opt fetch.Options) error {
	if u, err := url.Parse(r.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return usageError{fmt.Errorf("--url: found %q, want an address that begins with https:// or http://", r.URL)}
	}
	bar := newProgress(flags)
	opt.Progress = bar.fetching()
	sequences := r.Name == "hpatches-sequences"
	if sequences { // commands that read strips check them
		opt.Verify = func(ctx context.Context, dir string) error { return verifyScenes(ctx, dir, flags.jobs) }
	}
	out, err := fetch.Fetch(cmd.Context(), r, opt)
	bar.end()
	if err != nil {
		return err
	}
	what, use := "fetched from "+out.From, ""
	if out.Reused {
		what = "there already, unchanged"
	}
	if sequences {
		use = "to use it: descbench run configs/sift_baseline.yaml"
		if filepath.Dir(filepath.Clean(out.Folder)) != defaultFetchFolder {
			use += " --data " + out.Folder
		}
		use += "\n"
	}
	return flags.print(cmd, out, "%s: %d files, %s\n%s", out.Folder, out.Files, what, use)
}

// verifyScenes checks that every scene of a folder can be used.
func verifyScenes(ctx context.Context, dir string, jobs int) error {
	found, err := dataset.Source{Root: dir}.List(ctx, config.DefaultMaxMegapixels, jobs, true)
	if err != nil {
		return err
	}
	for _, s := range found.Scenes {
		if s.Fault != "" {
			return fmt.Errorf("%d of %d scenes are broken: %s", found.Broken, len(found.Scenes), s.Fault)
		}
	}
	return nil
}
