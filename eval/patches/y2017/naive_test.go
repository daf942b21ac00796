package y2017

import (
	"math"
	"slices"
	"sort"

	"descbench/eval/patches"
	"descbench/eval/scope"
)

// naive evaluates by the definitions alone: lists of all distances, stable
// sorts, curves point by point. It is slow and shares no code with the package.
type naive struct {
	in       *Input
	protocol Protocol
	rows     func(sequence, image string, i int) []float64
	distance patches.Distance
	category string // or a sequence; empty: all
	float64s bool   // pairs are compared in float64 by P17 too
}

func newNaive(in *Input, protocol Protocol, distance patches.Distance) naive {
	rows := map[string][][]float64{}
	return naive{in: in, protocol: protocol, distance: distance, rows: func(sequence, image string, i int) []float64 {
		key := sequence + "/" + image
		if rows[key] == nil {
			m := in.Set.Image(sequence, image)
			for j := range m.Rows {
				var row []float64
				for _, v := range patches.AppendRow(nil, m, j) {
					row = append(row, float64(v))
				}
				rows[key] = append(rows[key], row)
			}
		}
		return rows[key][i]
	}}
}

func (n naive) between(a, b []float64) float64 {
	sum := 0.0
	switch n.distance {
	case patches.L2:
		for k := range a {
			sum += (a[k] - b[k]) * (a[k] - b[k])
		}
		sum = math.Sqrt(sum)
	default:
		for k := range a {
			sum += math.Abs(a[k] - b[k])
		}
	}
	if math.IsNaN(sum) {
		return math.Inf(1)
	}
	return sum
}

// curve is vl_pr and vl_roc: counts behind each item of a list by ascending
// distance, equals in the order of the list.
func curve(distance []float64, relevant []bool) (tp, fp []float64) {
	order := make([]int, len(distance))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return distance[order[i]] < distance[order[j]] })
	tp, fp = []float64{0}, []float64{0}
	for _, i := range order {
		if math.IsInf(distance[i], 1) {
			break // never retrieved
		}
		t, f := tp[len(tp)-1], fp[len(fp)-1]
		if relevant[i] {
			t++
		} else {
			f++
		}
		tp, fp = append(tp, t), append(fp, f)
	}
	return tp, fp
}

// ap takes a list whose equals stand as the protocol wants them, and the number
// of relevant items.
func (n naive) ap(distance []float64, relevant []bool, p float64) float64 {
	if p == 0 {
		return 0
	}
	if n.protocol == Grouped {
		return groupedAP(distance, relevant, p)
	}
	tp, fp := curve(distance, relevant)
	precision := func(k int) float64 {
		if k == 0 {
			return 1
		}
		return tp[k] / (tp[k] + fp[k])
	}
	sum := 0.0
	for k := 1; k < len(tp); k++ {
		rise := (tp[k] - tp[k-1]) / p
		if n.protocol == P17 {
			sum += rise * (precision(k) + precision(k-1)) / 2
		} else {
			sum += rise * precision(k)
		}
	}
	return sum
}

// groupedAP goes through all distances as thresholds.
func groupedAP(distance []float64, relevant []bool, p float64) float64 {
	thresholds := append([]float64(nil), distance...)
	sort.Float64s(thresholds)
	sum, before := 0.0, 0.0
	for _, t := range slices.Compact(thresholds) {
		if math.IsInf(t, 1) {
			break
		}
		found, seen := 0.0, 0.0
		for i, d := range distance {
			if d <= t {
				seen++
				if relevant[i] {
					found++
				}
			}
		}
		sum += (found - before) / p * found / seen
		before = found
	}
	return sum
}

// auc counts pairs. A positive at infinite distance is not retrieved.
func (n naive) auc(positive, negative []float64) float64 {
	wins := 0.0
	for _, p := range positive {
		for _, q := range negative {
			switch {
			case math.IsInf(p, 1):
			case p < q:
				wins++
			case p == q && n.protocol == Grouped:
				wins += 0.5
			case p == q && n.protocol != P17:
				wins++
			}
		}
	}
	return wins / float64(len(positive)*len(negative))
}

func (n naive) includes(p Patch) bool {
	name := n.in.Sequences[p.Sequence].Name
	return n.category == "" || n.category == name || n.category == scope.Category(name)
}

func (n naive) pairDistances(noise string, pairs []Pair) []float64 {
	var out []float64
	for _, p := range pairs {
		if !n.includes(p.A) {
			continue
		}
		image := func(p Patch) []float64 {
			return n.rows(n.in.Sequences[p.Sequence].Name, patches.ImageName(noise, int(p.Image)), int(p.Index))
		}
		d := n.between(image(p.A), image(p.B))
		if n.protocol == P17 && !n.float64s {
			d = float64(float32(d))
		}
		out = append(out, d)
	}
	return out
}

func (n naive) verification(noise string, negatives []Pair) (auc, ap float64) {
	positives := n.in.Positive
	count := len(negatives)
	if n.protocol == HB2016 {
		count = min(count, len(positives))
	}
	auc = n.auc(n.pairDistances(noise, positives), n.pairDistances(noise, negatives[:count]))
	kept := len(positives) / 5
	if n.protocol == M17 {
		kept = min(len(positives), len(negatives)/5)
	}
	pos, neg := n.pairDistances(noise, positives[:kept]), n.pairDistances(noise, negatives)
	var list []float64
	var relevant []bool
	add := func(d []float64, r bool) {
		for _, v := range d {
			list, relevant = append(list, v), append(relevant, r)
		}
	}
	if n.protocol == P17 {
		add(neg, false)
		add(pos, true)
	} else {
		add(pos, true)
		add(neg, false)
	}
	return auc, n.ap(list, relevant, float64(len(pos)))
}

func (n naive) matching(noise string) float64 {
	sum, count := 0.0, 0.0
	for s, sequence := range n.in.Split.Test {
		if !n.includes(Patch{Sequence: uint16(s)}) {
			continue
		}
		for k := 1; k <= 5; k++ {
			size := n.in.Sequences[s].Patches
			distance, correct := make([]float64, size), make([]bool, size)
			right := 0.0
			for i := range size {
				distance[i] = math.Inf(1)
				for j := range size {
					d := n.between(n.rows(sequence, "ref", i), n.rows(sequence, patches.ImageName(noise, k), j))
					if d < distance[i] {
						distance[i], correct[i] = d, i == j
					}
				}
				if correct[i] {
					right++
				}
			}
			p := float64(size)
			if n.protocol == HB2016 {
				p = right
			}
			sum += n.ap(distance, correct, p)
			count++
		}
	}
	return sum / count
}

func (n naive) retrieval(noise string, size int) float64 {
	sum, count := 0.0, 0.0
	for _, q := range n.in.Queries {
		if !n.includes(q) {
			continue
		}
		sequence := n.in.Sequences[q.Sequence].Name
		query := n.rows(sequence, "ref", int(q.Index))
		var distance []float64
		var relevant []bool
		for k := 1; k <= 5; k++ {
			distance = append(distance, n.between(query, n.rows(sequence, patches.ImageName(noise, k), int(q.Index))))
			relevant = append(relevant, true)
		}
		for _, d := range n.in.Distractors {
			if d.Sequence != q.Sequence && len(distance) < size {
				distance = append(distance, n.between(query, n.rows(n.in.Sequences[d.Sequence].Name, "ref", int(d.Index))))
				relevant = append(relevant, false)
			}
		}
		sum += n.ap(distance, relevant, 5)
		count++
	}
	return sum / count
}
