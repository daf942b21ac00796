package original

import (
	"fmt"

	"descbench/eval/patches"
)

// Classes are the distances of positive and of negative pairs, each in the
// order of their file.
type Classes struct {
	Positive, Negative []float64
	// The sequence of the first patch of each pair; nil where results alone
	// are known, which do not tell.
	PositiveSequence, NegativeSequence []string
	asked                              string // digest of the pairs; empty likewise
}

// NewClasses takes the classes from a file of positives and one of negatives.
// Labels, where the files have any, must be those of the file's role.
func NewClasses(positives, negatives *Results) (*Classes, error) {
	for _, c := range []struct {
		*Results
		want Label
	}{{positives, Positive}, {negatives, Negative}} {
		for i, label := range c.Label {
			if label != c.want {
				return nil, &patches.Fault{File: c.File, Line: i + 1, Reason: fmt.Sprintf("label %d, want %d throughout", label, c.want)}
			}
		}
	}
	c := &Classes{Positive: positives.Distance, Negative: negatives.Distance, asked: positives.Asked + negatives.Asked}
	if positives.Sequence != nil && negatives.Sequence != nil {
		c.PositiveSequence, c.NegativeSequence = positives.Sequence, negatives.Sequence
	}
	return c, nil
}

// Divide takes the classes from one file of results, by its own labels (v1) or
// by those of a .labels file (v2).
func Divide(r *Results, labels []Label) (*Classes, error) {
	if labels == nil {
		labels = r.Label
	}
	if len(labels) != len(r.Distance) {
		return nil, &patches.Fault{File: r.File, Reason: fmt.Sprintf("%d distances, want one per label, of which there are %d", len(r.Distance), len(labels))}
	}
	c := &Classes{asked: r.Asked}
	for i, label := range labels {
		if r.Label != nil && r.Label[i] != label {
			return nil, &patches.Fault{File: r.File, Line: i + 1, Reason: fmt.Sprintf("label %d, want %d as in the file of labels", r.Label[i], label)}
		}
		distances, sequences := &c.Negative, &c.NegativeSequence
		if label == Positive {
			distances, sequences = &c.Positive, &c.PositiveSequence
		}
		*distances = append(*distances, r.Distance[i])
		if r.Sequence != nil {
			*sequences = append(*sequences, r.Sequence[i])
		}
	}
	switch {
	case c.Positive == nil:
		return nil, &patches.Fault{File: r.File, Reason: "no positive pairs"}
	case c.Negative == nil:
		return nil, &patches.Fault{File: r.File, Reason: "no negative pairs"}
	}
	return c, nil
}

// Balanced returns the classes with as many negatives as there are positives,
// from the start of the file; all of them if there are fewer.
func (c *Classes) Balanced() *Classes {
	n := min(len(c.Positive), len(c.Negative))
	b := &Classes{Positive: c.Positive, Negative: c.Negative[:n]}
	if c.NegativeSequence != nil {
		b.PositiveSequence, b.NegativeSequence = c.PositiveSequence, c.NegativeSequence[:n]
	}
	return b
}

// of returns the pairs whose first patch is of sequences that include says.
func (c *Classes) of(include func(sequence string) bool) *Classes {
	part := &Classes{}
	for i, s := range c.PositiveSequence {
		if include(s) {
			part.Positive = append(part.Positive, c.Positive[i])
		}
	}
	for i, s := range c.NegativeSequence {
		if include(s) {
			part.Negative = append(part.Negative, c.Negative[i])
		}
	}
	return part
}
