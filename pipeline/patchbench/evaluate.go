// Package patchbench runs the HPatches patch benchmark. It cuts patches out of
// scenes, draws tasks from them, computes their descriptors, evaluates descriptors
// on the tasks of 2017 and 2016, and compares the results stored in SQLite files.
// Package descbench/eval/patches defines the metrics.
package patchbench

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"

	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/eval/patches/y2017"
	"descbench/eval/ranking"
	"descbench/eval/spelling"
	"descbench/pipeline/files"
	"descbench/pipeline/plan"
)

// Evaluation holds the options for evaluating descriptors on the tasks of 2017 and
// the file that the metrics are written to.
type Evaluation struct {
	y2017.Options
	Database string // shared SQLite file; "" for none
	Version  string // of the program
}

// Evaluate evaluates descriptors one after the other. It returns their results and
// the files written.
func Evaluate(ctx context.Context, sources []*Source, e Evaluation) (all []*y2017.Result, written []string, err error) {
	// Descriptors take most of the memory and stay in use. Limiting garbage to half
	// their size, instead of the same size, costs hardly any time.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	var kept []Result
	drawn, err := drawnTasks(e.TasksDir)
	if err != nil {
		return nil, nil, err
	}
	if drawn.Edition == 2016 {
		return nil, nil, plan.Faultf("%s: holds tasks of 2016, want those of 2017; patches classify, match and retrieve evaluate those of 2016", e.TasksDir)
	}
	if e.Split == "" { // that of the tasks of 2016
		e.Split = "a"
		if slices.ContainsFunc(drawn.Splits, func(s y2017.Split) bool { return s.Name == Holdout }) {
			e.Split = Holdout
		}
	}
	for _, s := range sources {
		in, err := y2017.Read(ctx, files.Open, s.dir, e.Options)
		if err != nil {
			return nil, nil, err
		}
		for i, q := range in.Sequences {
			want, as := drawn.Patches[q.Name], filepath.Join(e.TasksDir, tasksFile)
			if want == 0 && len(all) > 0 {
				want, as = all[0].Sequences[i].Patches, sources[0].dir
			}
			if want > 0 && q.Patches != want {
				return nil, nil, &patches.Fault{File: s.dir, Reason: fmt.Sprintf("%s has %d patches, want %d as in %s", q.Name, q.Patches, want, as)}
			}
		}
		r, err := in.Evaluate(ctx, e.Options)
		if err != nil {
			return nil, nil, err
		}
		if r.Facts = slices.Concat(r.Facts, s.placed, drawn.otherStrips(s, in.Split.Test)); drawn.Patches != nil {
			r.Facts = append(r.Facts, fact.New(fact.OwnTasks).With("sequences", float64(len(in.Sequences))).Naming("patches", spelling.Span(y2017.PatchCounts(in.Sequences)...)))
		}
		all = append(all, r)
		if e.Database != "" {
			kept = append(kept, e.result(in, r, s.stripsOf(in.Split.Test)))
		}
	}
	written, err = enterAll(ctx, e.Database, e.Version, kept)
	return all, written, err
}

// result returns the metrics to store, with the protocol and the digests of the
// data that they are based on.
func (e *Evaluation) result(in *y2017.Input, r *y2017.Result, strips string) Result {
	return Result{
		Protocol: Protocol{
			Task: "evaluate", Benchmark: r.Split, Protocol: string(r.Protocol), Distance: string(r.Distance),
			PCAPowerLaw: r.PCAPowerLaw, Definitions: in.Digests(e.Options), Strips: strips, Data: in.Set.Digest(),
		},
		Result: ranking.Result{Descriptor: r.Descriptor, Metrics: r.Metrics, Facts: r.Facts},
		Type:   in.Set.Type.String(), Dimension: in.Set.Dim,
	}
}
