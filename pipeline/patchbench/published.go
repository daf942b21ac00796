package patchbench

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/patches"
	"descbench/eval/patches/y2017"
	"descbench/pipeline/compare"
	"descbench/pipeline/dataset"
	"descbench/pipeline/report"
)

// hardnet is a source of published results. Retrieval there does not say how many distractors it
// has. No text was found that repeats the values in figures of the HPatches paper, so these have
// no rows. The script behind those of pull request 34 is `patches describe --keypoint opencv_script`.
const hardnet = "DagnyT/hardnet, commit 59697ca, img/hardnet_hpatches.png"

// Published returns the results published on the split of r, whose sources say what differs from the
// set-up at hand, or the reasons why there are none. Those on tasks that descbench drew
// into tasksDir are others.
func Published(r *y2017.Result, tasksDir string) ([]report.PublishedRow, string) {
	_, err := os.Stat(filepath.Join(tasksDir, tasksFile))
	size := map[string]int{"full": dataset.HPatchesScenes, "a": 40}[r.Split]
	other := slices.IndexFunc(r.Sequences, func(q y2017.Sequence) bool { return !dataset.IsHPatches(q.Name) })
	var reasons []string
	if other >= 0 {
		reasons = append(reasons, "of HPatches, which has no sequence "+r.Sequences[other].Name)
	}
	if err == nil {
		reasons = append(reasons, "of the task files that HPatches released (descbench drew those in "+tasksDir+")")
	}
	if size == 0 {
		reasons = append(reasons, "on the splits full and a, not "+r.Split)
	} else if len(r.Sequences) != size {
		reasons = append(reasons, fmt.Sprintf("of %d sequences (split %s has %d here)", size, r.Split, len(r.Sequences)))
	}
	if reasons != nil {
		return nil, "no published results: they are " + strings.Join(reasons, "; ")
	}
	var found []report.PublishedRow
	for _, protocol := range []y2017.Protocol{y2017.P17, y2017.M17} {
		for _, row := range compare.PublishedRows("patches_"+r.Split, string(protocol)) {
			for _, deviation := range deviations(r, protocol, row.Source.Where) {
				row.Source.Note = report.Source{Where: row.Source.Note, Note: deviation}.String()
			}
			found = append(found, row)
		}
	}
	return found, ""
}

// deviations returns how the set-up at hand differs from the published one.
func deviations(r *y2017.Result, protocol y2017.Protocol, source string) (out []string) {
	if r.Protocol != protocol {
		out = append(out, fmt.Sprintf("protocol: ours %s, published %s", r.Protocol, protocol))
	}
	if r.Distance != patches.L2 {
		out = append(out, fmt.Sprintf("distance: ours %s, published %s", r.Distance, patches.L2))
	}
	if r.PCAPowerLaw {
		out = append(out, "normalised descriptors here")
	}
	if source == hardnet && r.Ran(y2017.Retrieval) {
		out = append(out, "the source does not state the pool of retrieval")
	}
	return out
}
