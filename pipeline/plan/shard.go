package plan

import (
	"fmt"
	"strconv"
	"strings"
)

// A Shard is one part of a run's scenes: part Index of Count, counted from 1.
// The zero value is the whole run.
type Shard struct{ Index, Count int }

// Whole reports whether the shard is the whole run.
func (s Shard) Whole() bool { return s.Count <= 1 }

// Has reports whether the scene at this index of the plan's sorted list belongs
// to the shard. Scenes are assigned round-robin, because alphabetical neighbours
// (first all i_, then all v_) tend to have similar costs.
func (s Shard) Has(scene int) bool { return s.Whole() || scene%s.Count == s.Index-1 }

// String returns "2/8".
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, s.Count) }

// ParseShard parses "2/8", "auto/8" or "auto". The latter two take the index,
// and "auto" also the count, from the environment variables that Slurm sets in
// job arrays and job steps and Kubernetes sets in indexed jobs.
func ParseShard(text string, getenv func(string) string) (Shard, error) {
	index, count, both := strings.Cut(text, "/")
	if index == "auto" {
		return autoShard(count, getenv)
	}
	i, err1 := strconv.Atoi(index)
	n, err2 := strconv.Atoi(count)
	if !both || err1 != nil || err2 != nil || n < 1 || i < 1 || i > n {
		return Shard{}, fmt.Errorf("--shard: found %q, want INDEX/COUNT with 1 ≤ INDEX ≤ COUNT, or auto", text)
	}
	return Shard{i, n}, nil
}

// schedulers lists the environment variables of the supported schedulers: the
// index of the process, the first index (or a constant), and the number of
// processes.
var schedulers = []struct{ index, first, count string }{
	{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_COUNT"},
	{"SLURM_PROCID", "", "SLURM_NTASKS"},
	{"JOB_COMPLETION_INDEX", "", ""},
}

func autoShard(count string, getenv func(string) string) (Shard, error) {
	for _, s := range schedulers {
		if getenv(s.index) == "" {
			continue
		}
		first := "0"
		if s.first != "" && getenv(s.first) != "" {
			first = getenv(s.first)
		}
		n := count
		if n == "" && s.count != "" {
			n = getenv(s.count)
		}
		if n == "" {
			return Shard{}, fmt.Errorf("--shard auto: %s is set, but the number of shards is not; give it as auto/COUNT", s.index)
		}
		i, err1 := strconv.Atoi(getenv(s.index))
		f, err2 := strconv.Atoi(first)
		c, err3 := strconv.Atoi(n)
		if err1 != nil || err2 != nil || err3 != nil || c < 1 || i-f < 0 || i-f >= c {
			return Shard{}, fmt.Errorf("--shard auto: %s=%s (first index %s) is out of range for %s shards", s.index, getenv(s.index), first, n)
		}
		return Shard{i - f + 1, c}, nil
	}
	return Shard{}, fmt.Errorf("--shard auto: found neither SLURM_ARRAY_TASK_ID nor SLURM_PROCID nor JOB_COMPLETION_INDEX; give INDEX/COUNT")
}
