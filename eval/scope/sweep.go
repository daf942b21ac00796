package scope

import "slices"

// A Sweep holds one metric of every descriptor under several values of a setting
// of the evaluation section.
type Sweep struct {
	Key    string // the setting: tolerance_px
	Values []float64
	Metric string
	Scope  string
	Rows   []SweepRow
	Notes  []string // the protocol, then what was left out
}

// Has reports whether a descriptor has a row.
func (s *Sweep) Has(descriptor string) bool {
	return slices.ContainsFunc(s.Rows, func(r SweepRow) bool { return r.Descriptor == descriptor })
}

// A SweepRow holds the metric of one descriptor, by value; nil where it is
// undefined, and its warnings over all scenes.
type SweepRow struct {
	Descriptor string
	Group      string // of rows on the same keypoints: the best of them is marked
	Metrics    []*Metric
	Matches    []float64 // per pair, by value; NaN where unknown
	Warnings   [][]Warning
}
