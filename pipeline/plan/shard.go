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
	return Shard{Index: i, Count: n}, nil
}

// schedulers lists the environment variables of the supported schedulers: the
// index of the process, the first and the last index and the distance between
// indices, if there are any, and the number of processes.
var schedulers = []struct{ index, first, last, step, count string }{
	{"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT"},
	{index: "SLURM_PROCID", count: "SLURM_NTASKS"},
	{index: "JOB_COMPLETION_INDEX"},
}

func autoShard(count string, getenv func(string) string) (Shard, error) {
	for _, s := range schedulers {
		if getenv(s.index) == "" {
			continue
		}
		world, err := numbers(getenv, s.index, s.first, s.last, s.step, s.count)
		if err != nil {
			return Shard{}, err
		}
		first, step, n := world[s.first], max(world[s.step], 1), world[s.count]
		if count != "" {
			if n, err = strconv.Atoi(count); err != nil {
				return Shard{}, fmt.Errorf("--shard: found %q, want auto/COUNT", "auto/"+count)
			}
		} else if n == 0 {
			return Shard{}, fmt.Errorf("--shard auto: %s is set, but the number of shards is not; give it as auto/COUNT", s.index)
		}
		out := Shard{Index: (world[s.index]-first)/step + 1, Count: n}
		// Slurm does not tell a task of the array 1,3,7 which others there are.
		if last, there := world[s.last]; there && count == "" && (last-first)/step+1 != n {
			return Shard{}, fmt.Errorf("--shard auto: the %d tasks of the array have gaps between %d and %d; number them without gaps, as in --array=1-%[1]d", n, first, last)
		}
		if world[s.index] < first || out.Count < 1 || out.Index > out.Count {
			return Shard{}, fmt.Errorf("--shard auto: %s=%d (first index %d) is out of range for %d shards", s.index, world[s.index], first, out.Count)
		}
		return out, nil
	}
	return Shard{}, fmt.Errorf("--shard auto: found neither SLURM_ARRAY_TASK_ID nor SLURM_PROCID nor JOB_COMPLETION_INDEX; give INDEX/COUNT")
}

// numbers returns those of the variables that are set.
func numbers(getenv func(string) string, names ...string) (map[string]int, error) {
	out := make(map[string]int)
	for _, name := range names {
		if name == "" || getenv(name) == "" {
			continue
		}
		n, err := strconv.Atoi(getenv(name))
		if err != nil || n < 0 {
			return nil, fmt.Errorf("--shard auto: found %s=%q, want a whole number", name, getenv(name))
		}
		out[name] = n
	}
	return out, nil
}

// Share returns the scenes of a shard: every Count-th of the plan, so that every process divides
// them in the same way.
func (p *Plan) Share(s Shard) (scenes []string) {
	if s.Whole() {
		return p.Scenes
	}
	for i := s.Index - 1; i < len(p.Scenes); i += s.Count {
		scenes = append(scenes, p.Scenes[i])
	}
	return scenes
}
