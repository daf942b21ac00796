package plan

import "testing"

func TestParseShard(t *testing.T) {
	slurm := map[string]string{"SLURM_ARRAY_TASK_ID": "12", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_COUNT": "4"}
	stepped := map[string]string{
		"SLURM_ARRAY_TASK_ID": "11", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "16", "SLURM_ARRAY_TASK_STEP": "5", "SLURM_ARRAY_TASK_COUNT": "4",
	}
	// What Slurm 22.05 sets for --array=1,3,7 and --array=2-14:3,20.
	gaps := map[string]string{
		"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "7", "SLURM_ARRAY_TASK_STEP": "1", "SLURM_ARRAY_TASK_COUNT": "3",
	}
	irregular := map[string]string{
		"SLURM_ARRAY_TASK_ID": "20", "SLURM_ARRAY_TASK_MIN": "2", "SLURM_ARRAY_TASK_MAX": "20", "SLURM_ARRAY_TASK_STEP": "3", "SLURM_ARRAY_TASK_COUNT": "6",
	}
	broken := map[string]string{"SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_MIN": "one", "SLURM_ARRAY_TASK_COUNT": "4"}
	step := map[string]string{"SLURM_PROCID": "0", "SLURM_NTASKS": "3"}
	kubernetes := map[string]string{"JOB_COMPLETION_INDEX": "7"}
	for _, c := range []struct {
		text string
		env  map[string]string
		want Shard // zero: an error
	}{
		{"1/1", nil, Shard{Index: 1, Count: 1}},
		{"2/8", nil, Shard{Index: 2, Count: 8}},
		{"0/8", nil, Shard{}},
		{"9/8", nil, Shard{}},
		{"2", nil, Shard{}},
		{"a/b", nil, Shard{}},
		{"", nil, Shard{}},
		{"auto", nil, Shard{}},
		{"auto", slurm, Shard{Index: 3, Count: 4}},
		{"auto/4", slurm, Shard{Index: 3, Count: 4}},
		{"auto/2", slurm, Shard{}}, // the third of two
		{"auto", stepped, Shard{Index: 3, Count: 4}},
		{"auto", gaps, Shard{}},
		{"auto", irregular, Shard{}},
		{"auto/8", gaps, Shard{Index: 3, Count: 8}},
		{"auto", broken, Shard{}},
		{"auto/x", slurm, Shard{}},
		{"auto", step, Shard{Index: 1, Count: 3}},
		{"auto", kubernetes, Shard{}}, // Kubernetes does not tell the count
		{"auto/8", kubernetes, Shard{Index: 8, Count: 8}},
		{"auto/7", kubernetes, Shard{}},
	} {
		got, err := ParseShard(c.text, func(name string) string { return c.env[name] })
		if got != c.want || (err == nil) != (c.want != Shard{}) {
			t.Errorf("%q with %v: got %v, %v; want %v", c.text, c.env, got, err, c.want)
		}
	}
}
