package plan

import "testing"

func TestShardsDealEverySceneToExactlyOne(t *testing.T) {
	for count := 1; count <= 7; count++ {
		for scene := range 20 {
			owners := 0
			for index := 1; index <= count; index++ {
				if (Shard{index, count}).Has(scene) {
					owners++
				}
			}
			if owners != 1 {
				t.Errorf("scene %d of %d shards has %d owners, want 1", scene, count, owners)
			}
		}
	}
	if !(Shard{}).Has(3) {
		t.Error("the zero shard lacks a scene, want all of them")
	}
}

func TestParseShard(t *testing.T) {
	slurm := map[string]string{"SLURM_ARRAY_TASK_ID": "12", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_COUNT": "4"}
	step := map[string]string{"SLURM_PROCID": "0", "SLURM_NTASKS": "3"}
	kubernetes := map[string]string{"JOB_COMPLETION_INDEX": "7"}
	for _, c := range []struct {
		text string
		env  map[string]string
		want Shard // zero: an error
	}{
		{"1/1", nil, Shard{1, 1}},
		{"2/8", nil, Shard{2, 8}},
		{"0/8", nil, Shard{}},
		{"9/8", nil, Shard{}},
		{"2", nil, Shard{}},
		{"a/b", nil, Shard{}},
		{"", nil, Shard{}},
		{"auto", nil, Shard{}},
		{"auto", slurm, Shard{3, 4}},
		{"auto/4", slurm, Shard{3, 4}},
		{"auto/2", slurm, Shard{}}, // the third of two
		{"auto", step, Shard{1, 3}},
		{"auto", kubernetes, Shard{}}, // Kubernetes does not tell the count
		{"auto/8", kubernetes, Shard{8, 8}},
		{"auto/7", kubernetes, Shard{}},
	} {
		got, err := ParseShard(c.text, func(name string) string { return c.env[name] })
		if got != c.want || (err == nil) != (c.want != Shard{}) {
			t.Errorf("%q with %v: got %v, %v; want %v", c.text, c.env, got, err, c.want)
		}
	}
}
