// Package binary holds the statistics of binary classifiers that decide by a
// distance: a sample is a distance and what is true of it, positive or
// negative, and the classifier says Yes to every distance up to a threshold.
// Small distances of positives are good; scores of which large ones are good
// are negated before they come here.
//
// Samples collects, Curve is what its samples come to at every threshold,
// Confusion what they come to at one, Summary the figures over all thresholds.
// Every figure is made of counts: neither the order of the samples nor any
// monotone change of the distances alters it, and samples of one distance are
// always decided alike.
//
// A figure with an empty denominator is undefined: NaN as a number, absent
// from lists of eval.Metric.
//
// Sources: Fawcett, An introduction to ROC analysis, Pattern Recognition
// Letters 27, 2006; Davis and Goadrich, The relationship between
// Precision-Recall and ROC curves, ICML 2006.
package binary
