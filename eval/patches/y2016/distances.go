package y2016

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"golang.org/x/sync/errgroup"

	"descbench/eval/binary"
	"descbench/eval/patches"
	"descbench/eval/patches/internal/pairwise"
)

// Results is a classification .results file: the distance and label of each pair, in
// the order of the pairs file. Line i+1 is pair i.
type Results struct {
	File     string
	Distance []float64
	Label    []Label  // nil in variant v2
	Sequence []string // sequences of the pairs' first patches; nil if the pairs are unknown
	Asked    string   // digest of the pairs and their labels; empty if the pairs are unknown
}

// pairsPerChunk is the number of pairs that a worker compares at a time.
const pairsPerChunk = 1 << 14

// Compare computes the distances of the pairs. It returns an error if a descriptor is
// not finite.
func Compare(ctx context.Context, set *patches.Set, p *Pairs, d patches.Distance, workers int) (*Results, error) {
	set, measure, err := pairwise.Prepare(set, d)
	if err != nil {
		return nil, err
	}
	r := &Results{Distance: make([]float64, len(p.List))}
	for i, pair := range p.List {
		for _, s := range []patches.Signature{pair.A, pair.B} {
			if err := exists(set, p.File, i+1, s); err != nil {
				return nil, err
			}
			if set.Image(s.Sequence, s.Image).IsInvalid(s.Index) {
				return nil, &patches.Fault{File: p.File, Line: i + 1, Reason: fmt.Sprintf("the descriptor of %s is not finite", s)}
			}
		}
		if pair.Label != Unlabelled {
			r.Label = append(r.Label, pair.Label)
		}
	}
	r.Sequence, r.Asked = p.sequences(), p.digest()
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(patches.Workers(workers))
	for start := 0; start < len(p.List); start += pairsPerChunk {
		g.Go(func() error {
			for i := start; i < min(start+pairsPerChunk, len(p.List)); i++ {
				a, b := p.List[i].A, p.List[i].B
				key := measure.Key(set.Image(a.Sequence, a.Image), a.Index, set.Image(b.Sequence, b.Image), b.Index)
				r.Distance[i] = measure.Distance(key)
			}
			return ctx.Err()
		})
	}
	return r, g.Wait()
}

// Write writes a .results file, in variant v1 if there are labels. Distances have
// enough digits to be read back exactly.
func (r *Results) Write(w io.Writer) error {
	return patches.WriteLines(w, len(r.Distance), func(line []byte, i int) []byte {
		line = strconv.AppendFloat(line, r.Distance[i], 'g', -1, 64)
		if r.Label != nil {
			line = append(line, ',', byte('0'+r.Label[i]))
		}
		return line
	})
}

// ReadResults reads a .results file with lines distance,label or distance. name is the
// file name in faults, of the label of all its pairs.
func ReadResults(name string, r io.Reader, of Label) (*Results, error) {
	res := &Results{File: name}
	labelled := false
	for line, err := range binary.Lines(r, false) {
		if err != nil {
			var fault *binary.LineError
			if errors.As(err, &fault) {
				return nil, &patches.Fault{File: name, Line: fault.Line, Reason: fault.Err.Error()}
			}
			return nil, err
		}
		has := line.Label != binary.NoLabel
		if line.Number == 1 {
			labelled = has
		}
		reason := ""
		switch {
		case line.Distance < 0:
			reason = fmt.Sprintf("distance %v, want at least 0", line.Distance)
		case has && !labelled:
			reason = "found a label, want no label as in line 1"
		case labelled && !has:
			reason = "no label, want a label as in line 1"
		case has:
			reason = of.refuses(Label(line.Label))
		}
		if reason != "" {
			return nil, &patches.Fault{File: name, Line: line.Number, Reason: reason}
		}
		res.Distance = append(res.Distance, line.Distance)
		if has {
			res.Label = append(res.Label, Label(line.Label))
		}
	}
	return res, nil
}

// Check returns an error unless the results match the pairs in number and labels. It
// copies the sequences and the digest of the pairs.
func (r *Results) Check(p *Pairs) error {
	if len(r.Distance) != len(p.List) {
		return &patches.Fault{File: r.File, Reason: fmt.Sprintf("%d lines, want %d as in %s", len(r.Distance), len(p.List), p.File)}
	}
	for i, label := range r.Label {
		if want := p.List[i].Label; want != Unlabelled && label != want {
			return &patches.Fault{File: r.File, Line: i + 1, Reason: fmt.Sprintf("label %d, want %d as in %s", label, want, p.File)}
		}
	}
	r.Sequence, r.Asked = p.sequences(), p.digest()
	return nil
}
