package binary

import "math"

// areas accumulates areas under curves between neighbouring points. Areas under
// the precision-recall curve are in units of positives.
type areas struct {
	roc                      int64 // twice the number of pairs in which the positive is nearer
	steps                    GroupedPrecision
	trapezoids, interpolated float64
}

func (a *areas) add(from, to Confusion) {
	positives := to.TP - from.TP
	a.steps.Add(positives, to.FP-from.FP)
	if positives == 0 {
		return
	}
	a.roc += positives * (to.TN + from.TN)
	precision, before := to.Precision(), 1.0
	if from.Yes() > 0 {
		before = from.Precision()
	}
	n := float64(positives)
	a.trapezoids += float64(n * (before + precision) / 2)
	a.interpolated += interpolated(from, to)
}

// interpolated returns the area between two points, in units of positives, if
// false positives grow linearly with true positives between them.
//
// Source: Davis and Goadrich, section 4, with steps of size 0. With s = ΔFP/ΔTP
// and y = TP + FP, precision is TP/y, and TP = (y-c)/(1+s) with c = FP - s·TP
// at either point. The integral over TP is (ΔTP - c/(1+s)·ln(y₂/y₁)) / (1+s).
func interpolated(from, to Confusion) float64 {
	rise := float64(to.TP - from.TP)
	s := float64(to.FP-from.FP) / rise
	if from.Yes() == 0 {
		return rise / (1 + s)
	}
	c := float64(from.FP) - float64(s*float64(from.TP))
	growth := float64(to.Yes()-from.Yes()) / float64(from.Yes())
	return (rise - float64(c/(1+s)*math.Log1p(growth))) / (1 + s)
}
