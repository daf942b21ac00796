package patchbench

import (
	"fmt"
	"strings"

	"descbench/eval/patches"
	"descbench/eval/patches/y2017"
	"descbench/pipeline/report"
)

// publishedSource names the source of the published results. They were computed from
// the result files that its author publishes, which are of the original CSV files of
// each descriptor, all 116 sequences or the 40 of split a, by p17 with L2 distances.
const publishedSource = "iago-suarez/hpatches-benchmark"

// A publishedRow holds means of the average precision, as report.PublishedPatches.
type publishedRow struct {
	name                   string
	dim                    int
	split                  string
	matching, verification float64
}

var published = []publishedRow{
	{"SIFT", 128, "full", .2547, .6512},
	{"SIFT", 128, "a", .2442, .6335},
	{"RootSIFT", 128, "full", .2722, .5853},
	{"RootSIFT", 128, "a", .2613, .5602},
	{"BRIEF", 256, "full", .1048, .5688},
	{"ORB", 256, "full", .1533, .5911},
	{"ORB", 256, "a", .1386, .5821},
	{"BinBoost", 256, "full", .1476, .6562},
	{"TFeat-margin*", 128, "full", .3268, .8190},
	{"HardNet+", 128, "full", .5279, .8843},
	{"SOSNet", 128, "full", .5375, .8848},
}

// published returns the published results of the source: on the split if there are
// some, else on another split, and nil if there are none. A descriptor in CSV files is
// known by the name of its folder and its dimension alone. What this program described has none, as
// others described the patches behind the published results.
func (s *Source) published(r *y2017.Result, dim int, normalised bool) *report.PublishedPatches {
	if s.own {
		return nil
	}
	var near *publishedRow
	for _, row := range published {
		if plain(row.name) == plain(s.Name) && row.dim == dim && (near == nil || row.split == r.Split) {
			near = &row
		}
	}
	if near == nil {
		return nil
	}
	deviations := []string{"known by the name of the folder only"}
	differs := func(format string, args ...any) { deviations = append(deviations, fmt.Sprintf(format, args...)) }
	if r.Split != near.split {
		differs("split %s (not %s)", r.Split, near.split)
	}
	if n, all := len(r.Sequences), map[string]int{"full": 116, "a": 40}[near.split]; n != all {
		differs("%d sequences (not %d)", n, all)
	}
	if r.Protocol != y2017.P17 {
		differs("protocol %s (not %s)", r.Protocol, y2017.P17)
	}
	if r.Distance != patches.L2 {
		differs("distance %s (not %s)", r.Distance, patches.L2)
	}
	if normalised {
		differs("normalised descriptors")
	}
	return &report.PublishedPatches{
		Name: near.name, Source: publishedSource, Split: near.split,
		Matching: near.matching, Verification: near.verification, Deviations: deviations,
	}
}

// plain returns a name without what people spell differently.
func plain(name string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "", "*", "star", "plus", "+").Replace(strings.ToLower(name))
}
