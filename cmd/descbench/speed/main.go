// Command speed measures how fast descbench is and prints the table of the README's
// chapter on performance: what each piece of work costs, and the ratio to the cost
// of the same work elsewhere, measured in the same run. Start it from the top of the
// repository; make bench does.
//
// Costs are processor time, because wall time on a machine with other users says
// little. A line whose data, configs or peers are not here says so.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"strings"
)

func main() {
	only := flag.String("only", "", "measure only lines whose work or peer matches this regular expression")
	times := flag.Int("times", 5, "number of measurements of each time, whose median counts")
	peers := flag.Bool("peers", false, "also measure the peers that run in Debian's python3")
	flag.Parse()
	log.SetFlags(0)
	log.SetPrefix("speed: ")
	wanted, err := regexp.Compile(*only)
	if err != nil {
		log.Fatal(err)
	}
	if *peers {
		if err := checkPeers(); err != nil {
			log.Fatal(err)
		}
		if err := os.Setenv(peersVariable, python); err != nil {
			log.Fatal(err)
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	m := newMeasurements(ctx, *times)
	defer m.close()
	fmt.Printf("| work | against | target | measured |\n|---|---|---|---|\n")
	for _, l := range lines() {
		if !wanted.MatchString(l.work + " " + l.against) {
			continue
		}
		measured, err := l.measure(m)
		if err != nil {
			measured = "not measured: " + err.Error()
		}
		fmt.Printf("| %s | %s | %s | %s |\n", l.work, l.against, l.target, measured)
		if ctx.Err() != nil {
			return
		}
	}
	fmt.Printf("\nMeasured on %s\n", machine())
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
