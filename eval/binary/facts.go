package binary

import "descbench/eval/fact"

// Limits beyond which metrics get a warning.
const (
	fewSamples = 10   // samples per class
	skewed     = 0.01 // proportion of positives
)

// facts returns what a reader of the metrics must know, in fixed order.
func facts(s Summary) []fact.Fact {
	out, both := factsOfSamples(s.Positives, s.Negatives)
	if !both {
		return out
	}
	all := s.Positives + s.Negatives
	if s.points == 2 {
		out = append(out, fact.New(fact.ConstantDistance).With("samples", float64(all)))
	}
	if share := ratio(s.Positives, all); share < skewed {
		out = append(out, fact.New(fact.Skewed).Counting(int(s.Positives), int(all)).With("share", share))
	}
	if s.ROCAUC < 0.5 {
		out = append(out, fact.New(fact.AUCBelowHalf).With("auc", s.ROCAUC))
	}
	return out
}

// Facts returns what a reader of the ratios of a single confusion matrix must know.
func (c Confusion) Facts() []fact.Fact {
	out, both := factsOfSamples(c.Positives(), c.Negatives())
	if both && c.YoudenJ() < 0 {
		out = append(out, fact.New(fact.BelowDiagonal).With("j", c.YoudenJ()))
	}
	return out
}

// factsOfSamples tells of missing and small classes. both reports whether there are samples of
// both.
func factsOfSamples(positives, negatives int64) (out []fact.Fact, both bool) {
	all := float64(positives + negatives)
	switch {
	case all == 0:
		out = append(out, fact.New(fact.NoSamples))
	case positives == 0:
		out = append(out, fact.New(fact.SingleClass).With("samples", all).Naming("class", "positives"))
	case negatives == 0:
		out = append(out, fact.New(fact.SingleClass).With("samples", all).Naming("class", "negatives"))
	case positives < fewSamples || negatives < fewSamples:
		out = append(out, fact.New(fact.FewSamples).With("positives", float64(positives)).With("negatives", float64(negatives)))
	}
	return out, positives > 0 && negatives > 0
}
