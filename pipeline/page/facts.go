package page

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"descbench/pipeline/fold"
	"descbench/pipeline/plan"
	"descbench/pipeline/report"
)

// A fact is one line of the header.
type fact struct{ Name, Text string }

// facts describes a run that was computed in an environment.
func facts(r *fold.Run, e plan.Environment) []fact {
	list := []fact{
		{"Protocol", strings.TrimPrefix(fold.Protocol(r.Config), "protocol ")},
		{"Data set", filepath.Base(r.Config.Dataset.Root)}, // the config has the path
	}
	for _, s := range r.Config.KeypointSets {
		list = append(list, fact{"Keypoints " + s.Name, s.String()})
	}
	return append(list, fact{"Versions", fmt.Sprintf("descbench %s, %s, OpenCV %s (%s), gocv %s; %s", e.Program, e.Go, e.OpenCV, e.Dispatch, e.GoCV, e.CPU)})
}

// A failedScene is a scene without results of some descriptors.
type failedScene struct {
	Run string
	report.Failure
}

// failedScenes lists the failed scenes of all runs.
func (r *results) failedScenes() []failedScene {
	var out []failedScene
	for _, one := range r.Runs.Runs {
		for _, f := range report.Failures(one.Summary) {
			out = append(out, failedScene{one.Label, f})
		}
	}
	return out
}

// A warning is a warning with the systems that it is about.
type warning struct {
	Text    string
	All     bool  // about all systems
	Systems []int // indices; empty if it is about the whole run
}

// warnings returns each warning once.
func (r *results) warnings() []warning {
	var out []warning
	place := make(map[string]int)
	add := func(text string, systems ...int) {
		i, known := place[text]
		if !known {
			i = len(out)
			place[text] = i
			out = append(out, warning{Text: text})
		}
		for _, s := range systems {
			if !slices.Contains(out[i].Systems, s) {
				out[i].Systems = append(out[i].Systems, s)
			}
		}
	}
	for _, one := range r.Runs.Runs {
		for _, w := range one.Summary.Warnings {
			if w.Descriptor == "" {
				add(w.Text)
				continue
			}
			add(w.Text, slices.IndexFunc(r.Systems, func(s *fold.System) bool { return s.Run == one && s.Descriptor == w.Descriptor }))
		}
	}
	if text := r.otherScenes(); text != "" {
		add(text)
	}
	for i := range out {
		out[i].All = len(out[i].Systems) == len(r.Systems) && len(r.Systems) > 1
	}
	return out
}

// ties returns the warnings about ties, which explain the table.
func (r *results) ties() []string {
	var ties []report.WarningMessage
	for _, s := range r.Systems {
		for _, w := range s.Warnings() {
			if w.Kind == "many-ties" {
				ties = append(ties, report.WarningMessage{Kind: w.Kind, Text: w.Text, Descriptor: s.Name})
			}
		}
	}
	return report.GroupedWarnings(ties, len(r.Systems))
}

// otherScenes returns a warning if not all systems have the same scenes, else "".
func (r *results) otherScenes() string {
	all := r.Scenes()
	for _, s := range r.Systems {
		if len(s.Summary.Scenes) < len(all) {
			return fmt.Sprintf("not all descriptors have results for all %d scenes, so that their means are over different scenes; differences are over the shared scenes only", len(all))
		}
	}
	return ""
}
