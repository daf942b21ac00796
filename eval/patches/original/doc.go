// Package original reads, computes, writes and evaluates the first formats of
// the HPatches patch benchmark, of 2016: patch pair classification, image
// matching, and patch and image retrieval, each with a benchmark file, labels
// and result files.
//
// There are two variants. In v1 a line of a .pairs or classification .results
// file ends in a label; in v2 labels have a file of their own, one per line.
// Readers accept both. Blanks after commas are accepted everywhere.
//
// The evaluation is that of the benchmark without its faults: where a file
// meets one, a warning says which figure the original code would print.
package original

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"descbench/eval/patches"
	"descbench/eval/patches/internal/text"
)

// A Task is one of the benchmark's, as its folders are named.
type Task string

// The tasks.
const (
	Classification Task = "classification"
	Matching       Task = "matching"
	Retrieval      Task = "retrieval"
)

// A Variant is a generation of the formats.
type Variant int

// The variants: of 2016-08-12, and of 2016-08-25 on.
const (
	V1 Variant = 1
	V2 Variant = 2
)

// ResultsPath returns where the results for a benchmark or pairs file belong.
func ResultsPath(root string, v Variant, task Task, descriptor, benchmark string) string {
	name := TaskName(benchmark) + ".results"
	if v == V2 {
		return filepath.Join(root, descriptor, string(task), name)
	}
	return filepath.Join(root, string(task), descriptor, name)
}

// TaskName returns what a benchmark or pairs file, or one of results, is called:
// its name without folder and extension.
func TaskName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// DescriptorOf returns the name of the descriptor that the place of a results
// file tells, in either variant's layout.
func DescriptorOf(results string) string {
	dir := filepath.Dir(results)
	if slices.Contains([]Task{Classification, Matching, Retrieval}, Task(filepath.Base(dir))) {
		dir = filepath.Dir(dir)
	}
	return filepath.Base(dir)
}

// Distances returns those that the tasks can use. The benchmark's own results
// hold L2Squared.
func Distances() []patches.Distance {
	return []patches.Distance{patches.L1, patches.L2, patches.L2Squared, patches.Hamming}
}

// signatures parses the comma separated signatures of the line handed out last.
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

// repeated returns the first signature that a list holds twice.
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

// sameList fails if the line handed out last, which must repeat a list of image
// signatures, does not.
func sameList(l *text.Lines, line []byte, r *patches.SignatureReader, want []patches.Signature, source string) error {
	got, err := signatures(l, line, r.Image)
	if err != nil {
		return err
	}
	if !slices.Equal(got, want) {
		return l.Faultf("%s, want %s as in %s", join(got), join(want), source)
	}
	return nil
}

// join writes signatures as a line has them, cut if there are many.
func join(list []patches.Signature) string {
	var b strings.Builder
	for i, s := range list {
		if i == 4 {
			fmt.Fprintf(&b, ",... (%d)", len(list))
			break
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(s.String())
	}
	return b.String()
}
