package patchbench

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
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
	protocol y2017.Protocol
}

var publishedRows = sync.OnceValue(func() []publishedRow {
	lines, err := csv.NewReader(strings.NewReader(publishedCSV)).ReadAll()
	if err != nil {
		panic(err)
	}
	var rows []publishedRow
	for _, f := range lines[1:] {
		share := func(field string) y2017.Share {
			if v, err := strconv.ParseFloat(field+"e-2", 64); err == nil { // of per cent
				return y2017.Share(v)
			}
			return y2017.Share(math.NaN())
		}
		if publishedSources[f[6]] == "" {
			panic(fmt.Sprintf("published.csv: %v", f))
		}
		rows = append(rows, publishedRow{report.PublishedPatches{
			Name: f[0], Split: f[1], Verification: share(f[3]), Matching: share(f[4]), Retrieval: share(f[5]), Source: publishedSources[f[6]],
		}, y2017.Protocol(f[2])})
	}
	return rows
})

// Published returns the results published on the split of r, with what differs from the
// set-up at hand, or the reason why there are none. Those on tasks that descbench drew
// into tasksDir are others.
func Published(r *y2017.Result, tasksDir string, normalised bool) ([]report.PublishedPatches, string) {
	_, err := os.Stat(filepath.Join(tasksDir, tasksFile))
	size := map[string]int{"full": dataset.HPatchesScenes, "a": 40}[r.Split]
	other := slices.IndexFunc(r.Sequences, func(q y2017.SequenceFigures) bool { return !dataset.IsHPatches(q.Name) })
	switch {
	case other >= 0:
		return nil, "no published results: they are of HPatches, which has no sequence " + r.Sequences[other].Name
	case err == nil:
		return nil, fmt.Sprintf("no published results: they are of the task files that HPatches released, descbench drew those in %s", tasksDir)
	case size == 0:
		return nil, fmt.Sprintf("no published results on split %s, only on full and a", r.Split)
	case len(r.Sequences) != size:
		return nil, fmt.Sprintf("no published results: they are of %d sequences, split %s has %d here", size, r.Split, len(r.Sequences))
	}
	var found []report.PublishedPatches
	for _, row := range publishedRows() {
		if row.Split == r.Split {
			row.Deviations = row.deviations(r, normalised)
			found = append(found, row.PublishedPatches)
		}
	}
	return found, ""
}

// deviations returns how the set-up at hand differs from the published one.
func (row publishedRow) deviations(r *y2017.Result, normalised bool) []string {
	out := []string{}
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
