package y2016

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"descbench/eval/patches"
	"descbench/eval/text"
)

// WriteMatches writes a matching .results file. Each image pair has five lines: the
// pair, the nearest neighbours, their distances, the second nearest neighbours, and
// their distances.
func WriteMatches(w io.Writer, matches []Matches) error {
	index := func(line []byte, i int32) []byte { return strconv.AppendInt(line, int64(i), 10) }
	return patches.WriteLines(w, 5*len(matches), func(line []byte, i int) []byte {
		m := matches[i/5]
		switch i % 5 {
		case 0:
			return append(line, m.Pair.String()...)
		case 1:
			return patches.AppendList(line, m.Nearest, index)
		case 2:
			return patches.AppendList(line, m.Distance, appendDistance)
		case 3:
			return patches.AppendList(line, m.Second, index)
		}
		return patches.AppendList(line, m.SecondDistance, appendDistance)
	})
}

// ReadMatches reads the .results file of a matching benchmark. labels, if not nil,
// provide the number of patches of each pair. name is the file name in faults.
func ReadMatches(name string, r io.Reader, b *MatchingBenchmark, labels *MatchingLabels) ([]Matches, error) {
	l, err := text.Read(name, r)
	if err != nil {
		return nil, err
	}
	var matches []Matches
	for i, pair := range b.Pairs {
		if err := wantPair(l, b, i); err != nil {
			return nil, err
		}
		patches := -1
		if labels != nil {
			patches = len(labels.Target[i])
		}
		m, err := readMatches(l, pair, patches)
		if err != nil {
			return nil, err
		}
		matches = append(matches, m)
	}
	return matches, l.End(fmt.Sprintf("5 lines for each of %d image pairs", len(b.Pairs)))
}

// readMatches reads the four lines below a pair. n is the number of patches, or -1 if
// it is unknown.
func readMatches(l *text.Lines, pair ImagePair, n int) (Matches, error) {
	m := Matches{Pair: pair}
	for _, of := range []struct {
		rank     string
		rows     *[]int32
		distance *[]float64
	}{{"nearest", &m.Nearest, &m.Distance}, {"second nearest", &m.Second, &m.SecondDistance}} {
		line, err := l.Want("indexes of " + of.rank + " neighbours")
		if err != nil {
			return m, err
		}
		if *of.rows, err = indexes(l, line, n); err != nil {
			return m, err
		}
		n = len(m.Nearest)
		for i, j := range m.Second {
			if j == m.Nearest[i] {
				return m, l.Faultf("patch %d of %s has %d as both nearest and second nearest neighbour", i, pair.A, j)
			}
		}
		if line, err = l.Want("distances of " + of.rank + " neighbours"); err != nil {
			return m, err
		}
		if *of.distance, err = distances(l, line, n); err != nil {
			return m, err
		}
	}
	for i, d := range m.Distance {
		if d > m.SecondDistance[i] {
			return m, l.Faultf("patch %d of %s: the second nearest neighbour is at %v, nearer than the nearest at %v", i, pair.A, m.SecondDistance[i], d)
		}
	}
	return m, nil
}

// distances parses a line of n distances: not negative, not NaN.
func distances(l *text.Lines, line []byte, n int) ([]float64, error) {
	fields := text.Fields(nil, line)
	if len(fields) != n {
		return nil, l.Faultf("%d distances, want %d", len(fields), n)
	}
	list := make([]float64, n)
	for k, f := range fields {
		d, ok := text.Number(string(f), 64)
		switch {
		case !ok:
			return nil, l.Faultf("distance %s, want a number", text.Quote(f))
		case math.IsNaN(d):
			return nil, l.Faultf("distance NaN, want a number")
		case d < 0:
			return nil, l.Faultf("distance %v, want at least 0", d)
		}
		list[k] = d
	}
	return list, nil
}
