package main

import "fmt"

// retired says what to use instead of a command ("submit", "cache list"), a flag ("--names") or
// a flag of one command ("eval --metric") that descbench had before its first release.
var retired = map[string]string{
	"cache list":   "descbench cache prune prints the folder and its size",
	"cache verify": "a damaged entry is recomputed when a run needs it",
	"--names":      "set label in the config, or --set 'descriptors[NAME].label=TEXT'; patches describe takes --name",
	"--tasks":      "run one scene (--set dataset.scenes=NAME) to see what a scene costs",
	"database":     "use descbench results RUN... for tables of several runs, and SQL for the file of output.database; see docs/results.md",
	"--variant":    "descbench reads and writes the 2016 formats in variant v1",
	"--wilcoxon":   "compare always makes a permutation test",
	"submit":       "use sbatch --array=1-40 array.sbatch CONFIG, with a copy of configs/slurm/array.sbatch; see docs/cluster.md",

	"status --watch": "use watch descbench status RUN",
	"eval --figure":  "plot what --sweep prints with --format csv; see docs/results.md",
	"eval --metric":  "--columns shows metrics, as for results",
}

// gone returns the error about a retired command or flag, or nil if there never was one.
func gone(name string) error {
	if instead, was := retired[name]; was {
		return usageError{fmt.Errorf("%s is no longer part of descbench: %s", name, instead)}
	}
	return nil
}
