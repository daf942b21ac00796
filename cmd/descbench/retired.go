package main

import "fmt"

// retired says what to use instead of a command ("submit", "cache list") or a flag ("--names")
// that descbench had before its first release.
var retired = map[string]string{
	"database":   "descbench results RUN... for tables of several runs, and SQL for the file of output.database; see docs/results.md",
	"--wilcoxon": "the permutation test that compare always makes",
	"submit":     "sbatch --array=1-40 array.sbatch CONFIG, with a copy of configs/slurm/array.sbatch; see docs/cluster.md",
}

// gone returns the error about a retired command or flag, or nil if there never was one.
func gone(name string) error {
	if instead, was := retired[name]; was {
		return usageError{fmt.Errorf("%s is no longer part of descbench; use %s", name, instead)}
	}
	return nil
}
