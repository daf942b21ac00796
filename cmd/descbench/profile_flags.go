package main

import (
	"cmp"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"runtime/trace"

	"github.com/spf13/cobra"

	"descbench/pipeline/plan"
)

// profiles holds the flags of commands whose work can be profiled.
type profiles struct{ cpu, memory, trace string }

// register adds the flags to a command and profiles what it runs.
func (p *profiles) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&p.cpu, "cpuprofile", "", "write a profile of the processor time to this file, for go tool pprof")
	f.StringVar(&p.memory, "memprofile", "", "write a profile of the memory allocated by Go to this file, for go tool pprof")
	f.StringVar(&p.trace, "trace", "", "write an execution trace to this file, for go tool trace")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		stop, err := p.start()
		if err != nil {
			return err
		}
		defer func() { err = cmp.Or(err, stop()) }()
		return run(cmd, args)
	}
}

// start starts the requested profiles. The caller calls stop to write them.
func (p *profiles) start() (stop func() error, err error) {
	var ends []func() error
	stop = func() error {
		var err error
		for _, end := range ends {
			err = cmp.Or(err, plan.Fault(end()))
		}
		return err
	}
	for _, one := range []struct {
		path  string
		begin func(io.Writer) error
		end   func(io.Writer) error
	}{
		{p.cpu, pprof.StartCPUProfile, func(io.Writer) error { pprof.StopCPUProfile(); return nil }},
		{p.trace, trace.Start, func(io.Writer) error { trace.Stop(); return nil }},
		{p.memory, func(io.Writer) error { return nil }, func(w io.Writer) error {
			runtime.GC() // the profile is as of the last collection
			return pprof.WriteHeapProfile(w)
		}},
	} {
		if one.path == "" {
			continue
		}
		f, err := os.Create(one.path)
		if err == nil {
			err = one.begin(f)
		}
		if err != nil {
			return nil, cmp.Or(stop(), plan.Fault(err))
		}
		ends = append(ends, func() error { return cmp.Or(one.end(f), f.Close()) })
	}
	return stop, nil
}
