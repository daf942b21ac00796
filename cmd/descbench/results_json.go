package main

import (
	"io"
	"maps"

	"descbench/eval/scope"
	"descbench/pipeline/compare"
	"descbench/pipeline/fold"
	"descbench/pipeline/report"
	"descbench/pipeline/store"
)

// An outcomeJSON is the summary of a run with what the table has beyond it.
type outcomeJSON struct {
	*store.Summary
	Times     map[string]timeJSON `json:"times"`              // by descriptor
	Keypoints map[string]string   `json:"keypoints_of"`       // by descriptor: the first one with the same keypoints
	Database  string              `json:"database,omitempty"` // that the run was entered into
	Published []report.Published  `json:"published,omitempty"`
	// Unpublished lists descriptors of a kind with published results, but with another
	// detector or other parameters.
	Unpublished []unpublishedJSON `json:"unpublished,omitempty"`
}

type unpublishedJSON struct {
	Descriptor  string   `json:"descriptor"`
	Nearest     string   `json:"nearest_published"`
	Differences []string `json:"differences"`
}

type timeJSON struct {
	Seconds float64 `json:"seconds"`
	Cached  string  `json:"cached,omitempty"`
}

// printOutcomeJSON prints the summary of a run as JSON.
func printOutcomeJSON(to io.Writer, run *fold.Run) error {
	published, err := compare.Published(run)
	if err != nil {
		return err
	}
	out := outcomeJSON{Summary: run.Summary, Database: run.Database, Times: make(map[string]timeJSON), Keypoints: make(map[string]string)}
	sets, _ := fold.KeypointSets(run.Systems)
	for i, l := range report.Lines(run, scope.All, sets) {
		out.Times[run.Systems[i].Descriptor] = timeJSON{l.Seconds, l.Cached}
	}
	for _, group := range fold.ByKeypoints(run.Systems) {
		for _, s := range group {
			out.Keypoints[s.Descriptor] = group[0].Descriptor
		}
	}
	for _, p := range published {
		if p.Another != nil {
			out.Unpublished = append(out.Unpublished, unpublishedJSON{p.Descriptor, p.Name, p.Another})
			continue
		}
		p.Measured = maps.Clone(p.Measured)
		maps.DeleteFunc(p.Measured, func(name string, _ float64) bool { _, there := p.Published[name]; return !there })
		p.Deviations = append([]string{}, p.Deviations...) // [] in JSON, not null
		out.Published = append(out.Published, p)
	}
	return printJSON(to, out)
}
