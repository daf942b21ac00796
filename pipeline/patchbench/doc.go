// Package patchbench runs the HPatches patch benchmark: it cuts patches out of
// scenes (extract), draws tasks over them, describes them, evaluates
// descriptors on the tasks of 2017 and of 2016, and compares what is kept in
// SQLite files. What figures mean is in descbench/eval/patches.
package patchbench
