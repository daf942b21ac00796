package patchbench

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"descbench/eval/patches"
	"descbench/eval/patches/y2017"
	"descbench/pipeline/dataset"
	"descbench/pipeline/report"
)

// publishedSources are the sources of publishedCSV. The HPatches paper prints its own
// values inside figures alone, and no text was found that repeats those of MStd, Resz,
// DeepDesc, DeepCompare and of ZCA, so these have no rows.
var publishedSources = map[string]string{
	// Means that were computed from the files, which hold the results of the original
	// CSV files of each descriptor.
	"pickles": "iago-suarez/hpatches-benchmark, commit e13464a, python/results",
	"figure":  "iago-suarez/hpatches-benchmark, commit e13464a, python/hpatches_results.pdf",
	// The figure of the benchmark's authors.
	"authors": "hpatches/hpatches-benchmark, commit cf5f43e, python/hpatches_results.pdf",
	// The script behind it is `patches describe --keypoint opencv_script`.
	"opencv":       "hpatches/hpatches-benchmark, pull request 34, extract_opencv_sift.py",
	"pytorch-sift": "ducha-aiki/pytorch-sift, commit 00e726f, README.md",
	// Retrieval there does not say how many distractors it has.
	"hardnet": "DagnyT/hardnet, commit 59697ca, img/hardnet_hpatches.png",
}

// publishedCSV has a row per descriptor, split and source, in per cent, with empty
// fields for tasks without a published value.
//
//go:embed published.csv
var publishedCSV string

// A publishedRow is a line of publishedCSV.
type publishedRow struct {
	report.PublishedPatches
	dimension int
	protocol  y2017.Protocol
}

var publishedRows = sync.OnceValue(func() []publishedRow {
	lines, err := csv.NewReader(strings.NewReader(publishedCSV)).ReadAll()
	if err != nil {
		panic(err)
	}
	var rows []publishedRow
	for _, f := range lines[1:] {
		share := func(field string) y2017.Share {
			if v, err := strconv.ParseFloat(field, 64); err == nil {
				return y2017.Share(v / 100)
			}
			return y2017.Share(math.NaN())
		}
		dimension, err := strconv.Atoi(f[1])
		if err != nil || publishedSources[f[7]] == "" {
			panic(fmt.Sprintf("published.csv: %v", f))
		}
		rows = append(rows, publishedRow{report.PublishedPatches{
			Name: f[0], Split: f[2], Verification: share(f[4]), Matching: share(f[5]), Retrieval: share(f[6]), Source: publishedSources[f[7]],
		}, dimension, y2017.Protocol(f[3])})
	}
	return rows
})

// published returns the published results of a descriptor on the split of r, with what
// differs from the set-up at hand, or the reason why there are none. A descriptor in CSV
// files is known by the name of its folder and its dimension alone. OpenCV's variant of
// a descriptor stands next to it.
func (s *Source) published(r *y2017.Result, dim int, normalised bool) ([]report.PublishedPatches, string) {
	var of []publishedRow // of this descriptor
	var splits, dims []string
	for _, row := range publishedRows() {
		if name := plain(row.Name); name != plain(s.Name) && name != "opencv"+plain(s.Name) {
			continue
		}
		dims = append(dims, strconv.Itoa(row.dimension))
		if row.dimension == dim {
			splits, of = append(splits, row.Split), append(of, row)
		}
	}
	size, known := map[string]int{"full": dataset.HPatchesScenes, "a": 40}[r.Split]
	other := slices.IndexFunc(r.Sequences, func(q y2017.SequenceFigures) bool { return !dataset.IsHPatches(q.Name) })
	of = slices.DeleteFunc(of, func(row publishedRow) bool { return row.Split != r.Split })
	list := func(values []string) string {
		return strings.Join(slices.Compact(slices.Sorted(slices.Values(values))), ", ")
	}
	switch {
	case dims == nil:
		return nil, fmt.Sprintf("no published results of a descriptor named %s", s.Name)
	case splits == nil:
		return nil, fmt.Sprintf("no published results: %s has %d dimensions, the published one %s", s.Name, dim, list(dims))
	case other >= 0:
		return nil, fmt.Sprintf("no published results: they are of HPatches, which has no sequence %s", r.Sequences[other].Name)
	case len(of) == 0:
		return nil, fmt.Sprintf("no published results on split %s: those of %s are on %s", r.Split, s.Name, list(splits))
	case known && len(r.Sequences) != size:
		return nil, fmt.Sprintf("no published results: they are of %d sequences, split %s has %d here", size, r.Split, len(r.Sequences))
	}
	var found []report.PublishedPatches
	for _, row := range of {
		row.Deviations = row.deviations(s, r, normalised)
		found = append(found, row.PublishedPatches)
	}
	return found, ""
}

// deviations returns how the set-up at hand differs from the published one.
func (row publishedRow) deviations(s *Source, r *y2017.Result, normalised bool) []string {
	out := []string{"known by the name of the folder only"}
	if s.own {
		out[0] = "described by descbench"
	}
	if r.Protocol != row.protocol {
		out = append(out, fmt.Sprintf("protocol: ours %s, published %s", r.Protocol, row.protocol))
	}
	if r.Distance != patches.L2 {
		out = append(out, fmt.Sprintf("distance: ours %s, published %s", r.Distance, patches.L2))
	}
	if normalised {
		out = append(out, "normalised descriptors here")
	}
	if row.Source == publishedSources["hardnet"] && r.Retrieval != nil {
		out = append(out, "the source does not state the pool of retrieval")
	}
	return out
}

// plain returns a name without what people spell differently.
func plain(name string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "", "*", "star", "plus", "+").Replace(strings.ToLower(name))
}
