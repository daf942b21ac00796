package y2016

import "descbench/eval/patches"

// Classes holds the distances of positive and negative pairs, each in the order of the
// file.
type Classes struct {
	Positive, Negative []float64
	// The sequence of the first patch of each pair; nil if only results are known,
	// which do not contain it.
	PositiveSequence, NegativeSequence []string
	asked                              string // digest of the pairs; empty if only results are known
}

// NewClasses returns the classes from a file of positives and a file of negatives.
func NewClasses(positives, negatives *Results) *Classes {
	c := &Classes{Positive: positives.Distance, Negative: negatives.Distance, asked: positives.Asked + negatives.Asked}
	if positives.Sequence != nil && negatives.Sequence != nil {
		c.PositiveSequence, c.NegativeSequence = positives.Sequence, negatives.Sequence
	}
	return c
}

// Divide returns the classes from a single results file, by its labels.
func Divide(r *Results) (*Classes, error) {
	c := &Classes{asked: r.Asked}
	for i, label := range r.Label {
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

// Balanced returns the classes with the first negatives of the file, as many as there
// are positives, or all negatives if there are fewer.
func (c *Classes) Balanced() *Classes {
	n := min(len(c.Positive), len(c.Negative))
	b := &Classes{Positive: c.Positive, Negative: c.Negative[:n]}
	if c.NegativeSequence != nil {
		b.PositiveSequence, b.NegativeSequence = c.PositiveSequence, c.NegativeSequence[:n]
	}
	return b
}

// of returns the pairs whose first patch is in a sequence accepted by include.
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
