package classify

import (
	"math"

	"descbench/eval/matching"
	"descbench/eval/record"
	"descbench/eval/stats"
)

// matchValues collects what is worth a distribution of the matches of one descriptor: all
// queries that the first matcher accepts with their nearest neighbours.
type matchValues struct {
	descriptor  string
	index       int
	matcher     matching.Matcher
	tolerancePx float64

	right, wrong []float64 // descriptor distances
	errors       []float64 // back-projection errors, px
	tp, fp       []float64 // by image pair
	relevant     []float64 // by image pair
	// within holds, for each keypoint, the smallest descriptor distance to another
	// keypoint of its image; nil if it is not known.
	within []float64
}

// newMatchValues returns an empty collection, nil unless distributions are asked for.
func (r Request) newMatchValues(descriptor string, index int, tolerancePx float64) *matchValues {
	if !r.Distributions {
		return nil
	}
	m := &matchValues{descriptor: descriptor, index: index, tolerancePx: tolerancePx}
	if len(r.Matchers) > 0 {
		m.matcher = r.Matchers[0]
	}
	return m
}

// add adds the matches of an image pair with a number of relevant pairs of keypoints.
func (m *matchValues) add(queries []record.Query, relevant int64) {
	if m == nil {
		return
	}
	tp, fp := 0, 0
	for _, i := range m.matcher.Match(queries) {
		q := &queries[i]
		if q.NearestError <= m.tolerancePx {
			tp++
			m.right = append(m.right, q.NearestDistance)
		} else {
			fp++
			m.wrong = append(m.wrong, q.NearestDistance)
		}
		if !math.IsInf(q.NearestError, 1) {
			m.errors = append(m.errors, q.NearestError)
		}
	}
	m.tp, m.fp = append(m.tp, float64(tp)), append(m.fp, float64(fp))
	m.relevant = append(m.relevant, float64(relevant))
}

// distributions returns the distributions of all descriptors. Descriptor distances of
// two descriptors may have different units, so that each has a figure of its own.
func distributions(all []*matchValues, relevant string) []stats.Distribution {
	var out, own []stats.Distribution
	common := func(name, label string, log bool, of func(*matchValues) []float64) {
		d := stats.Distribution{Name: name, Label: label, Log: log}
		for _, m := range all {
			d.Series = append(d.Series, stats.Series{Name: m.descriptor, Index: m.index, Values: of(m)})
		}
		out = append(out, d)
	}
	common("backprojection_error", "back-projection error of matches (px)", true, func(m *matchValues) []float64 { return m.errors })
	common("true_positives_per_pair", "true matches per image pair", false, func(m *matchValues) []float64 { return m.tp })
	common("false_positives_per_pair", "false matches per image pair", false, func(m *matchValues) []float64 { return m.fp })
	common("relevant_per_pair", relevant+" per image pair", false, func(m *matchValues) []float64 { return m.relevant })
	for _, m := range all {
		own = append(own, stats.Distribution{
			Name: "match_distance_" + m.descriptor, Label: "descriptor distance of matches, " + m.descriptor,
			Series: []stats.Series{{Name: "true", Index: 0, Values: m.right}, {Name: "false", Index: 1, Values: m.wrong}},
		})
		if m.within != nil {
			own = append(own, stats.Distribution{
				Name: "distance_within_image_" + m.descriptor, Label: "smallest descriptor distance within an image, " + m.descriptor,
				Series: []stats.Series{{Name: m.descriptor, Index: m.index, Values: m.within}},
			})
		}
	}
	return append(out, own...)
}

// distribute adds the distributions of the matches of all descriptors. relevant says
// what the relevant pairs are.
func (r *Result) distribute(all []*matchValues, relevant string) {
	if len(all) > 0 && all[0] != nil {
		r.Distributions = distributions(all, relevant)
	}
}
