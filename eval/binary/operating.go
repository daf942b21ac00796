package binary

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// An OperatingPoint selects a threshold of a curve.
type OperatingPoint struct {
	rule  string
	value float64
}

// BestYouden is the point of the largest Youden J.
var BestYouden = OperatingPoint{rule: byYouden}

// Rules of operating points; the last two have a number.
const (
	byYouden    = "youden"
	byAccuracy  = "accuracy"
	byEER       = "eer"
	byTPR       = "tpr"
	byThreshold = "threshold"
)

// ParseOperatingPoint parses one of
//
//	youden         the largest Youden J
//	accuracy       the largest accuracy
//	eer            the smallest difference between false positive and false negative rate
//	tpr=0.95       a true positive rate of at least 0.95 (0 < rate ≤ 1)
//	threshold=0.7  Yes up to distance 0.7
//
// If several thresholds qualify, the smallest is used.
func ParseOperatingPoint(text string) (OperatingPoint, error) {
	rule, number, found := strings.Cut(text, "=")
	switch rule {
	case byYouden, byAccuracy, byEER:
		if !found {
			return OperatingPoint{rule: rule}, nil
		}
	case byTPR, byThreshold:
		if !found {
			break
		}
		value, err := strconv.ParseFloat(number, 64)
		if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
			return OperatingPoint{}, fmt.Errorf("operating point %q: %q, want a finite number", text, number)
		}
		if rule == byTPR && !(value > 0 && value <= 1) {
			return OperatingPoint{}, fmt.Errorf("operating point %q: %s, want a rate above 0 and at most 1", text, number)
		}
		return OperatingPoint{rule, value}, nil
	}
	return OperatingPoint{}, fmt.Errorf("operating point %q, want youden, accuracy, eer, tpr=RATE or threshold=DISTANCE", text)
}

// String returns the text that ParseOperatingPoint parses.
func (o OperatingPoint) String() string {
	if o.rule == byTPR || o.rule == byThreshold {
		return o.rule + "=" + strconv.FormatFloat(o.value, 'g', -1, 64)
	}
	return o.rule
}

// Words says in words where the point is.
func (o OperatingPoint) Words() string {
	words := map[string]string{byYouden: "best Youden index", byAccuracy: "best accuracy", byEER: "equal error rate", byTPR: "true positive rate ", byThreshold: "threshold "}[o.rule]
	if o.rule == byTPR || o.rule == byThreshold {
		words += strconv.FormatFloat(o.value, 'g', -1, 64)
	}
	return words
}

// Threshold returns the distance of threshold=DISTANCE; ok is false for other rules.
func (o OperatingPoint) Threshold() (distance float64, ok bool) {
	return o.value, o.rule == byThreshold
}

// of returns the confusion matrix of the curve, which has the summary s, at the operating
// point. Its threshold is NaN if a class that it needs has no samples, or without a rule.
func (o OperatingPoint) of(c *Curve, s Summary) Confusion {
	switch o.rule {
	case byThreshold:
		return c.At(o.value)
	case byTPR:
		return c.AtTruePositiveRate(o.value)
	case byYouden:
		return s.Youden
	case byAccuracy:
		return s.BestAccuracy
	case byEER:
		return s.EqualError
	}
	return undefined()
}
