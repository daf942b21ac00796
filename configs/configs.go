// Package configs holds the templates that come with the program, next to the
// experiments that use them.
package configs

import "embed"

// Slurm holds the templates of batch scripts in slurm/.
//
//go:embed slurm/*.sbatch
var Slurm embed.FS

// Workbench holds the experiments with which DescriptorWorkbench's results were
// published.
//
//go:embed workbench_*.yaml
var Workbench embed.FS

// Presets holds the evaluations of papers, as data, and what they published.
//
//go:embed presets/*.yaml presets/published.csv
var Presets embed.FS
