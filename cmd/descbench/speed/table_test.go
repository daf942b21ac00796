// Package speed measures how fast descbench is and writes the table of
// docs/performance.md: what each piece of work costs, and the ratio to the cost
// of the same work elsewhere, measured in the same run. make bench runs it; -run
// selects lines, each a subtest. Without a table, every line is measured once at a small
// size, so that tests notice a line that no longer works.
//
// Costs are processor time, because wall time on a machine with other users says
// little. A line whose data, configs or peers are not here says so.
package speed

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"descbench/eval/must"
)

var tablePath = flag.String("speed.table", "", "file for the table of what was measured")

func TestSpeed(t *testing.T) {
	t.Chdir("../../..")
	known := &results{binaries: t.TempDir(), benchmarks: map[string]result{}, small: *tablePath == "", times: 5}
	if known.small {
		known.times = 1
		t.Setenv("DESCBENCH_REAL_DATA", likeRealScenes(t))
		*tablePath = filepath.Join(t.TempDir(), "speed.md")
	}
	program := filepath.Join(t.TempDir(), "descbench")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./cmd/descbench").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v: %s", err, out)
	}
	table := must.Get(os.Create(*tablePath))(t)
	defer table.Close()
	fmt.Fprintf(table, "| work | against | target | measured |\n|---|---|---|---|\n")
	for _, l := range lines() {
		t.Run(l.work+" "+l.against, func(t *testing.T) {
			m := &measurement{T: t, program: program, results: known, measured: "not measured: failed"}
			defer func() { fmt.Fprintf(table, "| %s | %s | %s | %s |\n", l.work, l.against, l.target, m.measured) }()
			m.measured = l.measure(m)
			t.Log(m.measured)
		})
	}
	if _, err := fmt.Fprintf(table, "\nMeasured on %s\n", machine()); err != nil {
		t.Error(err)
	}
}

// likeRealScenes returns a folder that looks like that of the real scenes.
func likeRealScenes(t *testing.T) string {
	dir := t.TempDir()
	scene, err := filepath.Abs("testdata/scenes/v_synth_001")
	if err == nil {
		err = os.Mkdir(filepath.Join(dir, "hpatches-sequences"), 0o777)
	}
	if err == nil {
		err = os.Symlink(scene, filepath.Join(dir, "hpatches-sequences", "v_graffiti"))
	}
	must.Do(t, err)
	return dir
}

// machine names the processor, the number of cores in use, and the compiler.
func machine() string {
	cpu := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(info)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				cpu = strings.TrimSpace(value)
				break
			}
		}
	}
	load := ""
	if average, err := os.ReadFile("/proc/loadavg"); err == nil {
		load = fmt.Sprintf(", load average %s", strings.Fields(string(average))[0])
	}
	return fmt.Sprintf("%d cores of %s%s, %s", runtime.GOMAXPROCS(0), cpu, load, runtime.Version())
}
