// Package binary computes statistics of binary classifiers that decide by
// distance. A sample has a distance and a true class, positive or negative. The
// classifier answers Yes to every distance up to a threshold. Small distances
// are expected for positives; negate scores for which large values are better.
//
// Samples collects distances. Curve holds the confusion matrices at all
// thresholds, Confusion the one at a single threshold, and Summary the metrics
// over all thresholds. All metrics are computed from counts. They depend
// neither on the order of the samples nor on monotonic changes of the
// distances, and samples of equal distance always get the same answer.
//
// A metric with an empty denominator is undefined: NaN as a number, absent from
// lists of scope.Metric.
//
// Sources: Fawcett, An introduction to ROC analysis, Pattern Recognition
// Letters 27, 2006; Davis and Goadrich, The relationship between
// Precision-Recall and ROC curves, ICML 2006.
package binary
