package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"descbench/eval/catalogue"
	"descbench/eval/scope"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/patchbench"
	"descbench/pipeline/report"
)

func newCompareCommand(flags *commonFlags) *cobra.Command {
	opt := compare.Options{}
	var choice tableChoice
	var byScene bool
	var failing string
	var by float64
	cmd := &cobra.Command{
		Use:   "compare RUN... [--baseline NAME]",
		Short: "Test which differences between descriptors are significant",
		Long: `Compare compares every descriptor of finished runs with a baseline, scene by scene:
--baseline, or the first descriptor of the first run. It prints the difference of the
means over scenes with its interval, for all scenes, viewpoint and illumination; p; the
number of scenes won, tied (within 1e-6) and lost; and the effect size (d_z: mean
difference divided by the standard deviation of the differences). The values over all
scenes together, of metrics that are not means over scenes, are those of results.

p is from the paired permutation test by sign flips (all of them for up to 20 scenes,
otherwise 100 000 random ones, seed 1), Holm-corrected over all comparisons that have
enough scenes to be significant (Tarone 1990): a single one needs 6. To test with several
baselines, metrics or scopes, multiply p_holm by the number of calls. † marks a difference
that is significant at 5 %, ~ one that is not; one without a mark is not tested. The
interval is the percentile bootstrap of the mean difference over 10 000 resamples of the
scenes.

By metrics of rankings, such as mAP, descriptors on other keypoints than the baseline's are
left out if the run has some on the same; --only names them to compare them as well.
Several runs are compared on their common scenes if they have the same protocol. --set
evaluation.ties=mean, for example, first recomputes all runs from their records. A
descriptor name that occurs in several runs is printed as RUN:descriptor.

--factor root compares the values of a factor of variants: each is the mean over the
combinations of all other factors, scene by scene, and the first one is the baseline. A
combination that lacks results with a value is left out for all values, and named.

--fail-if-worse METRIC compares by this metric, and ends with status 5 if a descriptor is
significantly worse than the baseline over all scenes, or with --by X by more than X points
(of metrics that are no rates: by more than X), or if it lacks a scene of the baseline or
is in no run. With too few scenes for significance, the status is 2 unless there is --by.`,
		Example: `  descbench compare runs/demo
  descbench compare runs/demo --baseline sift --format latex
  descbench compare runs/demo --scope k:6
  descbench compare runs/variant-matrix --factor root
  descbench compare runs/a runs/b --baseline a:sift --metric hit@1
  descbench compare runs/old runs/new --baseline old:mine --only new:mine --fail-if-worse map_macro`,
		Args: someArgs("run folder"),
		RunE: ofReadable(func(cmd *cobra.Command, args []string, _ int) error {
			if opt.Set, opt.Only = flags.set, choice.only; failing != "" {
				opt.Metric, opt.Flag = failing, "--fail-if-worse"
			}
			found, err := compare.Runs(cmd.Context(), args, opt)
			if missing, is := errors.AsType[*fold.MissingError](err); is && failing != "" && missing.Flag == "--only" {
				return worseError{err}
			} else if err != nil {
				return err
			}
			if !cmd.Flags().Changed("by") {
				by = math.NaN()
			}
			return cmp.Or(printComparison(cmd, &choice, found, byScene, opt.Baseline == ""), failIfWorse(found, failing, by))
		}),
	}
	f := cmd.Flags()
	f.StringVar(&opt.Baseline, "baseline", "", "descriptor to compare with: NAME or RUN:NAME (default: the first of the first run)")
	f.StringVar(&opt.Factor, "factor", "", "compare the values of this factor of variants, such as root, averaged over all combinations of the others; --baseline is then one of the values")
	f.StringVar(&opt.Metric, "metric", "", fmt.Sprintf("metric per scene to compare, by default %s, or %s of images with cameras without depth; with a preset, its first metric that differs and is not by DLT; see descbench metrics", catalogue.Short(catalogue.MAP), compare.PoseMetric))
	f.StringVar(&opt.Scope, "scope", scope.All, "scenes to compare on: all, viewpoint or illumination; or an image number such as k:2, the pair 1_2 of each scene")
	f.StringVar(&failing, "fail-if-worse", "", "compare by this metric, and end with status 5 if a descriptor is worse than the baseline")
	f.Float64Var(&by, "by", 0, "with --fail-if-worse: by more than so many points, significant or not")
	excludes(f, "fail-if-worse", "metric")
	needs(f, []string{"by"}, "fail-if-worse")
	limits(f, "by", 0, 0)
	registerByScene(f, &byScene)
	choice.register(cmd, flags, "descriptor")
	f.Lookup("only").Usage = "compare only these descriptors, or those of these keypoint sets, separated by commas, such as sift or 'sift*'"
	flags.addSet(f, "recompute all runs with another value, e.g. evaluation.ties=mean, or show another label")
	return cmd
}

// A worseError reports descriptors that are worse than the baseline.
type worseError struct{ error }

// failIfWorse returns an error if a metric is given, and a descriptor is worse by it.
func failIfWorse(c *report.Comparison, metric string, by float64) error {
	if metric == "" {
		return nil
	}
	worse, undecided := c.Worse(by)
	switch {
	case worse != nil:
		return worseError{errors.New(strings.Join(worse, "; "))}
	case undecided != nil:
		return usageError{fmt.Errorf("--fail-if-worse: %s; want more scenes, or --by POINTS", strings.Join(undecided, "; "))}
	}
	return nil
}

func registerByScene(fs *pflag.FlagSet, to *bool) {
	fs.BoolVar(to, "by-scene", false, "print the difference of each scene, or sequence, largest first")
}

// printComparison prints a comparison, or the differences of each scene, and its warnings. first:
// the user chose no baseline.
func printComparison(cmd *cobra.Command, choice *tableChoice, found *report.Comparison, byScene, first bool) error {
	t := found.Table()
	switch {
	case byScene:
		t = found.ByScene()
	case choice.forPrograms():
		t = found.Tidy()
	}
	if first {
		t.More = []string{"other baselines: --baseline"}
	}
	return choice.showKept(cmd, t)
}

func newPatchesCompareCommand(flags *commonFlags) *cobra.Command {
	var opt patchbench.CompareOptions
	var choice tableChoice
	var byScene bool
	cmd := &cobra.Command{
		Use:   "compare FILE... [--baseline NAME]",
		Short: "Test which differences on the patch benchmark are significant",
		Long: `Compare compares descriptors with a baseline, sequence by sequence. It reads the metrics
that --database has stored in SQLite files and works like descbench compare on the scenes
of runs.

The value for a sequence covers its image pairs, its queries, or the patch pairs whose
first patch belongs to it. Areas under curves and average precisions of verification and
classification are computed within each sequence, so that their mean differs from the
value over all pairs, which patches evaluate prints. Results are compared only if they use
the same protocol and the same patches; distances may differ. Names that several results
have are followed by what differs: sift (p17).`,
		Example: `  descbench patches evaluate --descriptors descriptors/sift --tasks-dir tasks --split a --database patches.sqlite
  descbench patches evaluate --descriptors descriptors/hardnet --tasks-dir tasks --split a --database patches.sqlite
  descbench patches compare patches.sqlite --baseline sift --metric patch_matching_map_h`,
		Args: someArgs("SQLite file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			opt.Only = choice.only
			found, err := patchbench.Compare(cmd.Context(), args, opt)
			if err != nil {
				return err
			}
			return printComparison(cmd, &choice, found, byScene, opt.Baseline == "")
		},
	}
	f := cmd.Flags()
	choice.register(cmd, flags, "descriptor")
	registerByScene(f, &byScene)
	f.StringVar(&opt.Baseline, "baseline", "", "descriptor to compare the others with (default: the first of the first file)")
	f.StringVar(&opt.Metric, "metric", "", "metric to compare, a value per sequence: matching, verification, retrieval or one of descbench metrics (default: the first task that has results)")
	return cmd
}
