package speed

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A measurement fills a line of the table: it runs benchmarks and the program.
type measurement struct {
	*testing.T

	program  string
	measured string // the last column of the line
	*results
}

// results are what several lines need, each measured once.
type results struct {
	small      bool   // everything once at a small size, only to see that it works
	times      int    // number of measurements of each time, whose median counts
	binaries   string // folder of compiled tests
	benchmarks map[string]result
	extracted  []extraction
}

// result holds the metrics of a benchmark by unit.
type result map[string]float64

// lacks ends the measurement for want of data, configs or peers.
func (m *measurement) lacks(reason string) {
	m.measured = "not measured: " + reason
	m.Skip(reason)
}

// benchmark returns the metrics of the first benchmark of a package whose name
// matches pattern, as go test -bench would select it.
func (m *measurement) benchmark(pkg, pattern string) result {
	return m.timed(pkg, pattern, fmt.Sprint(m.times, "x"))
}

// timed does the same for a given -benchtime.
func (m *measurement) timed(pkg, pattern, benchtime string) result {
	if m.small {
		benchtime = "1x"
	}
	key := pkg + " " + pattern
	if m.benchmarks[key] == nil {
		m.benchmarks[key] = m.goTest(pkg, pattern, benchtime)
	}
	return m.benchmarks[key]
}

// goTest measures anew.
func (m *measurement) goTest(pkg, pattern, benchtime string) result {
	elements := strings.Split(pattern, "/")
	for i, e := range elements {
		elements[i] = "^" + e
	}
	args := []string{"-test.v", "-test.run", "^$", "-test.bench", strings.Join(elements, "/"), "-test.benchtime", benchtime, "-test.timeout", "2h", fmt.Sprint("-test.short=", m.small)}
	cmd := exec.CommandContext(m.Context(), m.testBinary(pkg), args...)
	cmd.Dir = pkg
	m.Log(strings.Join(cmd.Args, " "))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, os.Stderr), os.Stderr
	if err := cmd.Run(); err != nil {
		m.Fatalf("benchmark of %s: %v: %s", pkg, err, out.String())
	}
	r := parse(out.String())
	if r == nil {
		for line := range strings.Lines(out.String()) {
			if strings.Contains(line, "_test.go:") {
				_, reason, _ := strings.Cut(strings.TrimSpace(line), ": ")
				m.lacks(reason)
			}
		}
		m.Fatal("no such benchmark")
	}
	return r
}

// testBinary returns the path of the compiled tests of a package.
func (m *measurement) testBinary(pkg string) string {
	path := filepath.Join(m.binaries, strings.ReplaceAll(pkg, "/", "_"))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	if out, err := exec.CommandContext(m.Context(), "go", "test", "-c", "-o", path, pkg).CombinedOutput(); err != nil {
		m.Fatalf("go test -c %s: %v: %s", pkg, err, out)
	}
	return path
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
