package y2016

import (
	"fmt"
	"io"
	"slices"

	"descbench/eval/binary"
	"descbench/eval/fact"
	"descbench/eval/patches"
	"descbench/eval/scope"
	"descbench/eval/stats"
)

// Classes are the positive and the negative pairs, each in the order of the file.
type Classes struct {
	Positive, Negative []ComparedPair
	asked              string // digest of the pairs; empty if only results are known
}

// NewClasses returns the classes from a file of positives and a file of negatives.
func NewClasses(positives, negatives *Results) *Classes {
	return &Classes{positives.Pairs, negatives.Pairs, positives.Asked + negatives.Asked}
}

// Divide returns the classes from a single results file, by its labels.
func Divide(r *Results) (*Classes, error) {
	c := &Classes{asked: r.Asked}
	for _, p := range r.Pairs {
		if p.Label == Positive {
			c.Positive = append(c.Positive, p)
		} else {
			c.Negative = append(c.Negative, p)
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

// Protocols are the protocols of classification. The benchmark evaluates the first by its ROC
// curve, the second by precision and recall.
var Protocols = [...]string{"balanced", "imbalanced"}

// ByProtocol returns the classes of the balanced protocol, with the first negatives of the file, as
// many as there are positives, or all if there are fewer; and those of the imbalanced protocol, with
// all negatives.
func (c *Classes) ByProtocol() [len(Protocols)]*Classes {
	n := min(len(c.Positive), len(c.Negative))
	return [...]*Classes{{Positive: c.Positive, Negative: c.Negative[:n]}, c}
}

// within returns the pairs whose first patch is in a sequence of a group.
func (c *Classes) within(g group) *Classes {
	part := &Classes{}
	for _, class := range []struct {
		from []ComparedPair
		to   *[]ComparedPair
	}{{c.Positive, &part.Positive}, {c.Negative, &part.Negative}} {
		for _, p := range class.from {
			if g.includes(p.Sequence) {
				*class.to = append(*class.to, p)
			}
		}
	}
	return part
}

// curve returns the ROC and precision-recall points of the classes.
func (c *Classes) curve() (*binary.Curve, error) {
	var s binary.Samples
	for _, p := range c.Positive {
		s.Add(true, p.Distance)
	}
	for _, p := range c.Negative {
		s.Add(false, p.Distance)
	}
	return s.Curve()
}

// A ClassificationResult has the curves of classes and their metrics, by protocol. They are computed as in
// package binary: ties are one group.
type ClassificationResult struct {
	Curves    [len(Protocols)]*binary.Curve
	Summaries [len(Protocols)]binary.Summary
	Facts     []fact.Fact
}

// EvaluateClassification measures how well distances separate the classes.
func EvaluateClassification(c *Classes) (*ClassificationResult, error) {
	r := &ClassificationResult{}
	if p, n := len(c.Positive), len(c.Negative); n < p {
		r.Facts = append(r.Facts, fact.New(fact.FewNegatives).With("positives", float64(p)).With("negatives", float64(n)))
	}
	for i, classes := range c.ByProtocol() {
		curve, err := classes.curve()
		if err != nil {
			return nil, err
		}
		r.Curves[i], r.Summaries[i] = curve, curve.Summary()
		for _, f := range r.Summaries[i].Facts {
			r.Facts = append(r.Facts, f.Of(Protocols[i]))
		}
	}
	return r, nil
}

// Metrics returns the metrics of both protocols over all pairs. If the sequences of pairs are known,
// it also returns the metrics over the pairs whose first patch belongs to a category or a sequence.
// The balanced protocol selects its negatives before pairs are divided into scopes. A scope without
// positives or without negatives has no metrics. N is the number of pairs.
func (c *Classes) Metrics() ([]scope.Metric, error) {
	var list scope.List
	var sequences []string
	for _, p := range slices.Concat(c.Positive, c.Negative) {
		sequences = append(sequences, p.Sequence)
	}
	groups := groupsOf(sequences)
	if slices.Contains(sequences, "") {
		groups = groups[:1]
	}
	for _, g := range groups {
		for i, classes := range c.ByProtocol() {
			part := classes.within(g)
			if len(part.Positive) == 0 || len(part.Negative) == 0 {
				continue
			}
			curve, err := part.curve()
			if err != nil {
				return nil, err
			}
			s, n := curve.Summary(), len(part.Positive)+len(part.Negative)
			add := func(name string, value float64) {
				list.Add(g.name, "patch_classify_"+Protocols[i]+"_"+name, value, n, stats.NoInterval())
			}
			add("roc_auc", s.ROCAUC)
			add("eer", s.EER)
			add("fpr95", s.FPR95)
			add("average_precision", s.AveragePrecision)
		}
	}
	return list.Metrics, nil
}

// Digests returns the digest of the pairs and the digest of their distances. If only results are
// known, the first covers only the number of pairs.
func (c *Classes) Digests() (asked, answered string) {
	asked = patches.SHA256(func(w io.Writer) {
		fmt.Fprintln(w, len(c.Positive), len(c.Negative))
		fmt.Fprintln(w, c.asked)
	})
	return asked, patches.SHA256(func(w io.Writer) {
		for _, class := range [][]ComparedPair{c.Positive, c.Negative} {
			_ = patches.WriteLines(w, len(class), func(line []byte, i int) []byte { return appendDistance(line, class[i].Distance) })
			fmt.Fprintln(w)
		}
	})
}
