// Package y2016 reads, computes, writes and evaluates the file formats of 2016, the
// first version of the HPatches patch benchmark: patch pair classification, image
// matching, and patch and image retrieval, each with a benchmark file, labels and
// result files.
//
// There are two variants. In v1, the lines of .pairs and classification .results files
// end with a label. In v2, labels are in a separate file, one per line. Readers accept
// both variants, and blanks after commas.
//
// The evaluation follows the benchmark's code without its bugs. If a bug affects the
// results of a file, a warning reports the value that the original code would print.
package y2016

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/internal/text"
	"descbench/eval/patches"
)

// A Task is a task of the benchmark, with the name of its folder.
type Task string

// The tasks.
const (
	Classification Task = "classification"
	Matching       Task = "matching"
	Retrieval      Task = "retrieval"
)

// A Variant is a generation of the formats.
type Variant string

// The variants: the formats of 2016-08-12, and the formats since 2016-08-25.
const (
	V1 Variant = "v1"
	V2 Variant = "v2"
)

// ResultsPath returns the path of the results for a benchmark or pairs file.
func ResultsPath(root string, v Variant, task Task, descriptor, benchmark string) string {
	name := TaskName(benchmark) + ".results"
	if v == V2 {
		return filepath.Join(root, descriptor, string(task), name)
	}
	return filepath.Join(root, string(task), descriptor, name)
}

// TaskName returns the name of a benchmark, pairs or results file without folder and
// extension.
func TaskName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// DescriptorOf returns the name of the descriptor from the path of a results file, in
// the layout of either variant.
func DescriptorOf(results string) string {
	dir := filepath.Dir(results)
	if slices.Contains([]Task{Classification, Matching, Retrieval}, Task(filepath.Base(dir))) {
		dir = filepath.Dir(dir)
	}
	return filepath.Base(dir)
}

// Distances returns the distances that the tasks support. The benchmark's own results
// contain L2Squared.
func Distances() []patches.Distance {
	return []patches.Distance{patches.L1, patches.L2, patches.L2Squared, patches.Hamming}
}

// signatures parses the comma-separated signatures of the last line read.
func signatures(l *text.Lines, line []byte, read func([]byte) (patches.Signature, error)) ([]patches.Signature, error) {
	var list []patches.Signature
	for _, f := range text.Fields(nil, line) {
		s, err := read(f)
		if err != nil {
			return nil, l.Faultf("%v", err)
		}
		list = append(list, s)
	}
	return list, nil
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

// join returns signatures in the form used in files, truncated if there are many.
func join(list []patches.Signature) string {
	const most = 4
	text := string(patches.AppendList(nil, list[:min(len(list), most)], patches.AppendSignature))
	if len(list) > most {
		text += fmt.Sprintf(",... (%d)", len(list))
	}
	return text
}
