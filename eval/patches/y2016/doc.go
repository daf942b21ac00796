// Package y2016 reads, computes, writes and evaluates the file formats of 2016, the
// first version of the HPatches patch benchmark: patch pair classification, image
// matching, and patch and image retrieval, each with a benchmark file, labels and
// result files.
//
// The formats are those of 2016-08-12, v1, with blanks after commas. Variant v2, of
// 2016-08-25, has the labels of pairs in a file of their own; readers refuse it by name.
//
// The evaluation follows the benchmark's code without its bugs. Results are computed from the
// descriptors of the images that a file names (Want), without invalid rows (patches.Set.Zeroed).
package y2016

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/patches"
	"descbench/eval/text"
)

// A Task is a task of the benchmark, with the name of its folder.
type Task string

// The tasks.
const (
	Classification Task = "classification"
	Matching       Task = "matching"
	Retrieval      Task = "retrieval"
)

// ResultsPath returns the path of the results for a benchmark or pairs file.
func ResultsPath(root string, task Task, descriptor, benchmark string) string {
	return filepath.Join(root, string(task), descriptor, TaskName(benchmark)+".results")
}

// TaskName returns the name of a benchmark, pairs or results file without folder and
// extension.
func TaskName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// DescriptorOf returns the name of the descriptor from the path of a results file.
func DescriptorOf(results string) (string, error) {
	path, err := filepath.Abs(results)
	if err != nil {
		return "", err
	}
	name := filepath.Base(filepath.Dir(path))
	if slices.Contains([]Task{Classification, Matching, Retrieval}, Task(name)) {
		return "", &patches.Fault{File: results, Reason: "<descriptor>/<task>/<file>" + ofV2 + "<task>/<descriptor>/<file>, or --name"}
	}
	return name, nil
}

// Distances returns the distances that the tasks support. The benchmark's own results
// contain L2Squared.
func Distances() []patches.Distance {
	return []patches.Distance{patches.L1, patches.L2, patches.L2Squared}
}

// signatures parses the comma-separated signatures of the last line read.
func signatures(l *text.Lines, line []byte, read func([]byte) (patches.Signature, error)) ([]patches.Signature, error) {
	var list []patches.Signature
	fields := text.Fields(nil, line)
	if err := refuseV2(l, fields); err != nil {
		return nil, err
	}
	for _, f := range fields {
		s, err := read(f)
		if err != nil {
			return nil, l.Faultf("%v", err)
		}
		list = append(list, s)
	}
	return list, nil
}

// ofV2 is what faults say of a file of variant v2.
const ofV2 = " is of variant v2 of the formats, want v1: "

// refuseV2 returns an error if the fields are those of a line of classification that only
// variant v2 has: the name of a .pairs file, or a label alone.
func refuseV2(l *text.Lines, fields [][]byte) error {
	switch only := string(fields[0]); {
	case len(fields) > 1:
	case strings.HasSuffix(only, ".pairs"):
		return l.Faultf("a benchmark that names .pairs files" + ofV2 + "patches classify --pairs with labels in these files")
	case only == "0" || only == "1":
		return l.Faultf("a label alone" + ofV2 + "the label at the end of the line of its pair or distance")
	}
	return nil
}

// repeated returns the first signature that occurs twice in a list.
func repeated(list []patches.Signature) (patches.Signature, bool) {
	seen := make(map[patches.Signature]bool, len(list))
	for _, s := range list {
		if seen[s] {
			return s, true
		}
		seen[s] = true
	}
	return patches.Signature{}, false
}

// checkIndex returns an error if a line of a file names a patch that the set, which has its image,
// lacks. With a nil set, nothing is known.
func checkIndex(set *patches.Set, file string, line int, s patches.Signature) error {
	if set == nil || s.Index < set.Patches(s.Sequence) {
		return nil
	}
	return &patches.Fault{File: file, Line: line, Reason: fmt.Sprintf("%s: index %d, want 0 to %d", s, s.Index, set.Patches(s.Sequence)-1)}
}
