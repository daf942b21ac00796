package patchbench

import (
	"context"
	"runtime/debug"

	"descbench/eval/patches/y2017"
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
	for _, s := range sources {
		in, err := y2017.Read(ctx, s.load, e.Options)
		if err != nil {
			return nil, nil, err
		}
		r, err := in.Evaluate(ctx, e.Options)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, r)
		if e.Database != "" {
			kept = append(kept, e.result(in, r))
		}
	}
	written, err = enterAll(ctx, e.Database, e.Version, kept)
	return all, written, err
}

// result returns the metrics to store, with the protocol and the digests of the
// data that they are based on.
func (e *Evaluation) result(in *y2017.Input, r *y2017.Result) Result {
	return Result{
		Protocol: Protocol{
			Task: "evaluate", Benchmark: r.Split, Protocol: string(r.Protocol), Distance: string(r.Distance),
			PCAPowerLaw: r.PCAPowerLaw, Definitions: in.Digests(e.Options), Data: in.Set.Digest(),
		},
		Descriptor: r.Descriptor, Type: in.Set.Type.String(), Dimension: in.Set.Dim,
		Metrics: r.Metrics(), Warnings: r.Warnings,
	}
}
