package speed

import (
	"maps"
	"testing"
)

func TestTheFirstBenchmarkOfAnOutputIsRead(t *testing.T) {
	got := parse(`goos: linux
=== RUN   BenchmarkFold
BenchmarkFold
BenchmarkFold/scenes=116/descriptors=10-2         	       3	  1500000 ns/op	         2.5 cpu-s/op	       700 MB
BenchmarkFold/scenes=5/descriptors=5-2            	       3	  1 ns/op
PASS
`)
	if want := (result{"ns/op": 1.5e6, "cpu-s/op": 2.5, "MB": 700}); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := parse("BenchmarkFold\n    bench_test.go:5: no data\n--- SKIP: BenchmarkFold\nPASS\n"); got != nil {
		t.Errorf("%v of a skipped benchmark", got)
	}
}

func TestDurationsHaveTwoDigits(t *testing.T) {
	for seconds, want := range map[float64]string{0.00449: "4.5 ms", 0.039: "39 ms", 0.3: "0.3 s", 2.345: "2.3 s", 41.4: "41 s"} {
		if got := duration(seconds); got != want {
			t.Errorf("%v s: %s, want %s", seconds, got, want)
		}
	}
}
