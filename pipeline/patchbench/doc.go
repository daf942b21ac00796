// Package patchbench runs the HPatches patch benchmark. It cuts patches out of
// scenes, draws tasks from them, computes their descriptors, evaluates descriptors
// on the tasks of 2017 and 2016, and compares the results stored in SQLite files.
// Package descbench/eval/patches defines the metrics.
package patchbench
