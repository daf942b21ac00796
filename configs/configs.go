// Package configs holds the experiments and presets that the program contains.
package configs

import "embed"

// Workbench holds the experiments with which DescriptorWorkbench's results were
// published.
//
//go:embed workbench_*.yaml
var Workbench embed.FS

// Presets holds the evaluations of papers, as data, and what they published.
//
//go:embed presets/*.yaml presets/published.csv
var Presets embed.FS
