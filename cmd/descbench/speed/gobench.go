package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// measurements runs benchmarks and the program, each once.
type measurements struct {
	ctx     context.Context
	times   int
	dir     string // for runs; "" until the first one
	results map[string]result
	// extracted is what several lines need.
	extracted []extraction
}

// result holds the metrics of a benchmark by unit.
type result map[string]float64

func newMeasurements(ctx context.Context, times int) *measurements {
	return &measurements{ctx: ctx, times: times, results: map[string]result{}}
}

func (m *measurements) close() {
	if m.dir != "" {
		if err := os.RemoveAll(m.dir); err != nil {
			fmt.Fprintln(os.Stderr, "speed:", err)
		}
	}
}

// benchmark returns the metrics of the first benchmark of a package whose name
// matches pattern, as go test -bench would select it.
func (m *measurements) benchmark(pkg, pattern string) (result, error) {
	return m.timed(pkg, pattern, fmt.Sprint(m.times, "x"))
}

// timed does the same for a given -benchtime.
func (m *measurements) timed(pkg, pattern, benchtime string) (result, error) {
	key := pkg + " " + pattern
	if r, ok := m.results[key]; ok {
		return r, nil
	}
	r, err := m.goTest(pkg, pattern, benchtime)
	if err == nil {
		m.results[key] = r
	}
	return r, err
}

// goTest measures anew.
func (m *measurements) goTest(pkg, pattern, benchtime string) (result, error) {
	elements := strings.Split(pattern, "/")
	for i, e := range elements {
		elements[i] = "^" + e
	}
	args := []string{"test", "-v", "-run", "^$", "-bench", strings.Join(elements, "/"), "-benchtime", benchtime, "-timeout", "2h", pkg}
	fmt.Fprintln(os.Stderr, "go", strings.Join(args, " "))
	cmd := exec.CommandContext(m.ctx, "go", args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, os.Stderr), os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go test %s: %w", pkg, err)
	}
	r := parse(out.String())
	if r == nil {
		reason := "no such benchmark"
		for line := range strings.Lines(out.String()) {
			if strings.Contains(line, "_test.go:") {
				_, reason, _ = strings.Cut(strings.TrimSpace(line), ": ")
			}
		}
		return nil, errors.New(reason)
	}
	return r, nil
}

// parse returns the metrics of the first benchmark in go test's output, or nil if
// there is none.
func parse(output string) result {
	for line := range strings.Lines(output) {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		r := result{}
		for pair := range slices.Chunk(fields[2:], 2) {
			if v, err := strconv.ParseFloat(pair[0], 64); err == nil && len(pair) == 2 {
				r[pair[1]] = v
			}
		}
		return r
	}
	return nil
}
