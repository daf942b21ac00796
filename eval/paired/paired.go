// Package paired compares the cost of two pieces of work in benchmarks. It runs them
// in turn and counts processor time, because on a machine with other users wall time
// says little, and neither do two measurements made at different times.
package paired

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Work is a piece of work. It returns the processor time that it took.
type Work func() time.Duration

// CPU returns the user and system time of all threads of this process so far.
func CPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err) // only for an unknown RUSAGE constant
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Here returns the work of calling f in this process. Its time includes that of
// everything else that the process does meanwhile.
func Here(f func()) Work {
	return func() time.Duration {
		start := CPU()
		f()
		return CPU() - start
	}
}

// Python returns the work of a script that prints the processor seconds that it took,
// on one thread. Unless BENCH_PEERS names an interpreter, which has the packages that the
// script imports, it skips the benchmark or, with -short, takes no time.
func Python(b *testing.B, script string, args ...string) Work {
	b.Helper()
	python := os.Getenv("BENCH_PEERS")
	if python == "" && testing.Short() {
		return func() time.Duration { return 0 }
	} else if python == "" {
		b.Skip("run make bench-peers, which needs packages of Debian's Python")
	}
	return func() time.Duration {
		cmd := exec.CommandContext(b.Context(), python, append([]string{script}, args...)...)
		cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			b.Fatalf("%s: %v", strings.Join(cmd.Args, " "), err)
		}
		var seconds float64
		if _, err := fmt.Sscan(string(out), &seconds); err != nil {
			b.Fatalf("%s printed %q, want seconds: %v", script, out, err)
		}
		return time.Duration(seconds * float64(time.Second))
	}
}

// Compare runs ours and then the peer's work in every iteration. It reports the
// median time of each as cpu-s and peer-cpu-s, and the median of the ratios of the
// two as ratio.
func Compare(b *testing.B, ours, peer Work) {
	b.Helper()
	var a, p, ratios []float64
	for b.Loop() {
		x, y := ours().Seconds(), peer().Seconds()
		a, p, ratios = append(a, x), append(p, y), append(ratios, x/y)
	}
	b.ReportMetric(median(a), "cpu-s")
	b.ReportMetric(median(p), "peer-cpu-s")
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(0, "ns/op") // the sum of both says nothing
}

// median returns the median of v, the lower one of an even number of values.
func median(v []float64) float64 {
	slices.Sort(v)
	return v[(len(v)-1)/2]
}

// PerOp starts to count processor time; the function that it returns reports the time
// per iteration as cpu-s/op.
func PerOp(b *testing.B) (report func()) {
	start := CPU()
	return func() { b.ReportMetric((CPU()-start).Seconds()/float64(b.N), "cpu-s/op") }
}
