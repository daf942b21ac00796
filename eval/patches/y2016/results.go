package y2016

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"descbench/eval/binary"
	"descbench/eval/patches"
	"descbench/eval/patches/internal/pairwise"
)

// Results is a classification .results file, in the order of the pairs file. Line i+1 is
// pair i.
type Results struct {
	File      string
	Positive  bool // all pairs have the label 1, else 0
	Distances []float64
	Sequences []string // of the first patches; nil if the pairs are unknown
}

// Compare computes the distances of the pairs.
func Compare(ctx context.Context, set *patches.Set, p *Pairs, d patches.Distance, workers int) (*Results, error) {
	r := &Results{Positive: p.Positive, Distances: make([]float64, len(p.List))}
	for i, pair := range p.List {
		r.Sequences = append(r.Sequences, pair.A.Sequence)
		for _, s := range []patches.Signature{pair.A, pair.B} {
			if err := checkIndex(set, p.File, i+1, s); err != nil {
				return nil, err
			}
		}
	}
	measure := pairwise.Measure(d)
	return r, patches.EachBlock(ctx, workers, len(p.List), pairwise.BlockPairs, func(start, end int) error {
		for i := start; i < end; i++ {
			a, b := p.List[i].A, p.List[i].B
			key := measure.Key(set.Image(a.Sequence, a.Image), a.Index, set.Image(b.Sequence, b.Image), b.Index)
			r.Distances[i] = measure.Distance(key)
		}
		return ctx.Err()
	})
}

// Write writes a .results file.
func (r *Results) Write(w io.Writer) error {
	return patches.WriteLines(w, len(r.Distances), func(line []byte, i int) []byte {
		return fmt.Appendf(appendDistance(line, r.Distances[i]), ",%d", labelOf(r.Positive))
	})
}

// appendDistance appends a distance with enough digits to be read back exactly.
func appendDistance(line []byte, d float64) []byte { return strconv.AppendFloat(line, d, 'g', -1, 64) }

// ReadResults reads a .results file with lines distance,label. name is the file name in
// faults.
func ReadResults(name string, r io.Reader) (*Results, error) {
	res := &Results{File: name}
	for line, err := range binary.Lines(name, r, false) {
		if err != nil {
			return nil, err
		}
		if len(res.Distances) == 0 {
			res.Positive = line.Label == 1
		}
		reason := otherClass(res.Positive, line.Label == 1)
		switch {
		case line.Distance < 0:
			reason = fmt.Sprintf("distance %v, want at least 0", line.Distance)
		case line.Label == binary.NoLabel:
			reason = "a distance without label" + ofV2 + "distance,label"
		}
		if reason != "" {
			return nil, &patches.Fault{File: name, Line: line.Number, Reason: reason}
		}
		res.Distances = append(res.Distances, line.Distance)
	}
	return res, nil
}
