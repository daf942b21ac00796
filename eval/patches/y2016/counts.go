package y2016

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"descbench/eval/patches"
)

// Counts holds the number of patches in each image, taken from descriptors or from the
// labels of a matching benchmark, which list the patches of every image. nil means
// that the numbers are unknown.
type Counts struct {
	set *patches.Set
	// Number of patches per image by sequence, and the file it comes from.
	patches map[string]int
	source  map[string]string
}

// CountsOf returns the counts of a set, or nil if set is nil.
func CountsOf(set *patches.Set) *Counts {
	if set == nil {
		return nil
	}
	return &Counts{set: set}
}

// CountsBeside returns the counts from the matching benchmark next to the folder of a
// retrieval benchmark, as in the benchmark's own layout: matching/<name>.benchmark and
// .labels next to retrieval/. It returns nil if there is no such benchmark.
func CountsBeside(benchmark string) (*Counts, error) {
	folder, err := filepath.Abs(filepath.Dir(benchmark))
	if err != nil {
		return nil, err
	}
	folder = filepath.Join(filepath.Dir(folder), string(Matching))
	entries, err := os.ReadDir(folder)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c := &Counts{patches: map[string]int{}, source: map[string]string{}}
	for _, e := range entries {
		stem, isLabels := strings.CutSuffix(e.Name(), ".labels")
		path := filepath.Join(folder, stem+".benchmark")
		if _, err := os.Stat(path); !isLabels || err != nil {
			continue
		}
		if err := c.add(path, filepath.Join(folder, e.Name())); err != nil {
			return nil, err
		}
	}
	if len(c.patches) == 0 {
		return nil, nil
	}
	return c, nil
}

// add adds the counts from a matching benchmark and its labels.
func (c *Counts) add(benchmark, labels string) error {
	b, err := patches.ReadFile(benchmark, ReadMatchingBenchmark)
	if err != nil {
		return err
	}
	l, err := patches.ReadFile(labels, func(name string, r io.Reader) (*MatchingLabels, error) { return ReadMatchingLabels(name, r, b) })
	if err != nil {
		return err
	}
	for i, p := range b.Pairs {
		for _, sequence := range []string{p.A.Sequence, p.B.Sequence} {
			n, known := c.patches[sequence]
			if known && n != len(l.Target[i]) {
				return &patches.Fault{File: labels, Line: 3*i + 1, Reason: fmt.Sprintf("%d patches in %s, want %d as in %s", len(l.Target[i]), sequence, n, c.source[sequence])}
			}
			if !known {
				c.patches[sequence], c.source[sequence] = len(l.Target[i]), labels
			}
		}
	}
	return nil
}

// of returns the number of patches of an image.
func (c *Counts) of(image patches.Signature) (n int, known bool) {
	switch {
	case c == nil:
		return 0, false
	case c.set == nil:
		n, known = c.patches[image.Sequence]
		return n, known
	}
	m := c.set.Image(image.Sequence, image.Image)
	if m == nil {
		return 0, false
	}
	return m.Rows, true
}

// check returns an error if a line of a file names an image or patch that is known not
// to exist.
func (c *Counts) check(file string, line int, s patches.Signature) error {
	n, known := c.of(s)
	reason := ""
	switch {
	case c == nil:
	case known && s.Index >= n:
		reason = fmt.Sprintf("%s: index %d, want 0 to %d", s, s.Index, n-1)
		if c.set == nil {
			reason += " as in " + c.source[s.Sequence]
		}
	case !known && c.set != nil:
		reason = fmt.Sprintf("%s: %s has no descriptors of %s", s, c.set.Name, s.Whole())
	}
	if reason == "" {
		return nil
	}
	return &patches.Fault{File: file, Line: line, Reason: reason}
}
