package main

import (
	"maps"
	"math"
	"slices"

	"descbench/eval/catalogue"
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

func newOutcomeJSON(s *shown, published []report.Published) outcomeJSON {
	out := outcomeJSON{Summary: s.Summary, Database: s.Database, Times: make(map[string]timeJSON), Keypoints: s.keypointsOf()}
	for _, l := range s.lines {
		out.Times[l.Name] = timeJSON{l.Seconds, l.Cached}
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
	return out
}

// A selectedJSON holds the requested metrics of a descriptor of a run.
type selectedJSON struct {
	Run        string                  `json:"run"`
	Descriptor string                  `json:"descriptor"`
	Keypoints  string                  `json:"keypoints_of"` // the first descriptor of the run with the same keypoints
	Scope      string                  `json:"scope"`
	Metrics    store.Figures           `json:"metrics"`
	Intervals  map[string]store.Limits `json:"intervals"`
	Seconds    float64                 `json:"seconds,omitempty"`
	Failed     map[string]string       `json:"failed_scenes,omitempty"` // for the descriptor
	Warnings   []store.SummaryWarning  `json:"warnings,omitempty"`      // about it, or the run as a whole
}

func (c *resultsChoice) selectedJSON(runs []*shown, columns []report.Selected) (list []selectedJSON) {
	for _, s := range runs {
		keypoints := s.keypointsOf()
		for _, l := range s.lines {
			of := shown{Outcome: s.Outcome}
			of.keep(func(descriptor string) bool { return descriptor == l.Name })
			one := selectedJSON{
				Run: s.Folder, Descriptor: l.Name, Keypoints: keypoints[l.Name], Scope: c.scope, Intervals: make(map[string]store.Limits), Metrics: store.Figures{},
				Failed: of.Summary.FailedScenes, Warnings: slices.DeleteFunc(of.Summary.Warnings, func(w store.SummaryWarning) bool { return !concerned(w, columns) }),
			}
			for _, column := range columns {
				name := catalogue.Short(column.Name)
				m, there := l.Metrics[column.Name]
				if there {
					one.Metrics = append(one.Metrics, store.Figure{Name: name, Value: m.Value})
				}
				if there && !math.IsNaN(m.Low) && !math.IsNaN(m.High) {
					one.Intervals[name] = store.Limits{m.Low, m.High}
				}
				if column.Name == "time" {
					one.Seconds = l.Seconds
				}
			}
			list = append(list, one)
		}
	}
	return list
}
