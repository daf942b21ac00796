package y2016

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"descbench/eval/patches"
	"descbench/eval/patches/internal/pairwise"
	"descbench/eval/text"
)

// MatchingBenchmark is a matching .benchmark file. Line i+1 is pair i. Matching finds the nearest
// patches in image B for each patch of image A.
type MatchingBenchmark struct {
	File  string
	Pairs []Pair
}

// ReadMatchingBenchmark reads a matching .benchmark file with lines im_a,im_b. name is
// the file name in faults.
func ReadMatchingBenchmark(name string, r io.Reader) (*MatchingBenchmark, error) {
	l := text.Read(name, r)
	b := &MatchingBenchmark{File: name}
	lines := make(map[Pair]int)
	for line, err := range l.All() {
		if err != nil {
			return nil, err
		}
		pair, err := readImagePair(l, line)
		if err != nil {
			return nil, err
		}
		if pair.A == pair.B {
			return nil, l.Faultf("%s is paired with itself, want two images", pair.A)
		}
		if first := lines[pair]; first > 0 {
			return nil, l.Faultf("%s is listed twice, first in line %d, want each image pair once", pair, first)
		}
		lines[pair] = l.Line
		b.Pairs = append(b.Pairs, pair)
	}
	if len(b.Pairs) == 0 {
		return nil, &patches.Fault{File: name, Reason: "no image pairs"}
	}
	return b, nil
}

func readImagePair(l *text.Lines, line []byte) (Pair, error) {
	list, err := signatures(l, line, patches.ParseImage)
	if err != nil {
		return Pair{}, err
	}
	if len(list) != 2 {
		return Pair{}, l.Faultf("%d fields, want im_a,im_b", len(list))
	}
	return Pair{list[0], list[1]}, nil
}

// Want adds the images of the benchmark to the images to load.
func (b *MatchingBenchmark) Want(w patches.Wanted) { want(w, b.Pairs) }

// MatchingLabels is a matching .labels file: the correct matches of each image pair.
type MatchingLabels struct {
	File string
	// Target[p][i] is the patch of im_b that shows the same place as patch i
	// of im_a.
	Target [][]int32
}

// ReadMatchingLabels reads the .labels file of a benchmark. Each image pair has three
// lines: the pair, indexes in im_a, and the corresponding indexes in im_b.
func ReadMatchingLabels(name string, r io.Reader, b *MatchingBenchmark) (*MatchingLabels, error) {
	labels := &MatchingLabels{File: name}
	return labels, b.readBlocks(name, r, 3, func(l *text.Lines, pair Pair, _ int) error {
		listed, err := indexes(l, fmt.Sprintf("indexes of %s", pair.A), -1)
		if err != nil {
			return err
		}
		target := slices.Repeat([]int32{-1}, len(listed))
		for _, a := range listed {
			if target[a] != -1 {
				return l.Faultf("index %d is listed twice, want each patch of %s once", a, pair.A)
			}
			target[a] = 0
		}
		corresponding, err := indexes(l, fmt.Sprintf("indexes of %s", pair.B), len(listed))
		for k := range corresponding {
			target[listed[k]] = corresponding[k]
		}
		labels.Target = append(labels.Target, target)
		return err
	})
}

// readBlocks reads a file that has as many lines for each image pair of the benchmark: the pair, and
// those that read reads for pair i.
func (b *MatchingBenchmark) readBlocks(name string, r io.Reader, lines int, read func(l *text.Lines, pair Pair, i int) error) error {
	l := text.Read(name, r)
	for i, want := range b.Pairs {
		line, err := l.Want(fmt.Sprintf("image pair %s", want))
		if err != nil {
			return err
		}
		pair, err := readImagePair(l, line)
		if err == nil && pair != want {
			err = l.Faultf("image pair %s, want %s as in %s", pair, want, b.File)
		}
		if err == nil {
			err = read(l, pair, i)
		}
		if err != nil {
			return err
		}
	}
	return l.End(fmt.Sprintf("%d lines for each of %d image pairs", lines, len(b.Pairs)))
}

// indexes reads a line of n patch indexes from 0 to n-1. n is -1 if the number of
// patches is unknown; then the number of indexes in the line is used.
func indexes(l *text.Lines, what string, n int) ([]int32, error) {
	return numbers(l, what, "indexes", n, func(f []byte, n int) (int32, string) {
		i, ok := text.Index(f)
		if !ok || i >= n {
			return 0, fmt.Sprintf("index %s, want 0 to %d", text.Quote(f), n-1)
		}
		return int32(i), ""
	})
}

// distances reads a line of n distances: not negative, not NaN.
func distances(l *text.Lines, what string, n int) ([]float64, error) {
	return numbers(l, what, "distances", n, func(f []byte, _ int) (float64, string) {
		d, ok := text.Number(string(f), 64)
		switch {
		case !ok:
			return d, fmt.Sprintf("distance %s, want a number", text.Quote(f))
		case math.IsNaN(d):
			return d, "distance NaN, want a number"
		case d < 0:
			return d, fmt.Sprintf("distance %v, want at least 0", d)
		}
		return d, ""
	})
}

// numbers reads a line of n numbers, or of any number of them if n is -1. parse gets a field and how
// many there are, and returns what is wrong with it.
func numbers[T any](l *text.Lines, what, noun string, n int, parse func(field []byte, n int) (T, string)) ([]T, error) {
	line, err := l.Want(what)
	if err != nil {
		return nil, err
	}
	fields := text.Fields(nil, line)
	if n >= 0 && len(fields) != n {
		return nil, l.Faultf("%d %s, want %d", len(fields), noun, n)
	}
	list := make([]T, len(fields))
	for k, f := range fields {
		var wrong string
		if list[k], wrong = parse(f, len(fields)); wrong != "" {
			return nil, l.Faultf("%s", wrong)
		}
	}
	return list, nil
}

// Matches holds, for each patch of im_a, the nearest and second nearest patches of
// im_b and their distances.
type Matches struct {
	Pair           Pair
	Nearest        []int32
	Distance       []float64
	Second         []int32
	SecondDistance []float64
}

// Match finds the nearest patches for every image pair.
func Match(ctx context.Context, set *patches.Set, b *MatchingBenchmark, d patches.Distance, workers int) ([]Matches, error) {
	for i, p := range b.Pairs {
		if n := set.Patches(p.A.Sequence); n != set.Patches(p.B.Sequence) || n < 2 {
			return nil, &patches.Fault{File: b.File, Line: i + 1, Reason: fmt.Sprintf("%s has %d patches and %s has %d, want equal numbers of at least 2", p.A, n, p.B, set.Patches(p.B.Sequence))}
		}
	}
	matches, measure := make([]Matches, len(b.Pairs)), pairwise.Measure(d)
	err := patches.Each(ctx, workers, len(b.Pairs), func(i int) error {
		p, m := b.Pairs[i], &matches[i]
		candidates, err := pairwise.NewCandidates(measure, set.Image(p.B.Sequence, p.B.Image))
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		m.Pair = p
		for _, near := range candidates.Nearest(set.Image(p.A.Sequence, p.A.Image), 2, nil) {
			m.Nearest, m.Second = append(m.Nearest, int32(near[0].Row)), append(m.Second, int32(near[1].Row))
			m.Distance, m.SecondDistance = append(m.Distance, measure.Distance(near[0].Key)), append(m.SecondDistance, measure.Distance(near[1].Key))
		}
		return nil
	})
	return matches, err
}

// WriteMatches writes a matching .results file. Each image pair has five lines: the
// pair, the nearest neighbours, their distances, the second nearest neighbours, and
// their distances.
func WriteMatches(w io.Writer, matches []Matches) error {
	return patches.WriteLines(w, 5*len(matches), func(line []byte, i int) []byte {
		m := matches[i/5]
		switch i % 5 {
		case 0:
			return append(line, m.Pair.String()...)
		case 1:
			return patches.AppendList(line, m.Nearest, appendIndex)
		case 2:
			return patches.AppendList(line, m.Distance, appendDistance)
		case 3:
			return patches.AppendList(line, m.Second, appendIndex)
		}
		return patches.AppendList(line, m.SecondDistance, appendDistance)
	})
}

func appendIndex(line []byte, i int32) []byte { return strconv.AppendInt(line, int64(i), 10) }

// ReadMatches reads the .results file of a matching benchmark. labels, if not nil,
// provide the number of patches of each pair. name is the file name in faults.
func ReadMatches(name string, r io.Reader, b *MatchingBenchmark, labels *MatchingLabels) (matches []Matches, err error) {
	err = b.readBlocks(name, r, 5, func(l *text.Lines, pair Pair, p int) (err error) {
		m, n := Matches{Pair: pair}, -1
		if labels != nil {
			n = len(labels.Target[p])
		}
		if m.Nearest, err = indexes(l, "indexes of nearest neighbours", n); err != nil {
			return err
		}
		n = len(m.Nearest)
		if m.Distance, err = distances(l, "distances of nearest neighbours", n); err != nil {
			return err
		}
		if m.Second, err = indexes(l, "indexes of second nearest neighbours", n); err != nil {
			return err
		}
		for i, j := range m.Second {
			if j == m.Nearest[i] {
				return l.Faultf("patch %d of %s has %d as both nearest and second nearest neighbour", i, pair.A, j)
			}
		}
		if m.SecondDistance, err = distances(l, "distances of second nearest neighbours", n); err != nil {
			return err
		}
		for i, d := range m.Distance {
			if d > m.SecondDistance[i] {
				return l.Faultf("patch %d of %s: the second nearest neighbour is at %v, nearer than the nearest at %v", i, pair.A, m.SecondDistance[i], d)
			}
		}
		matches = append(matches, m)
		return nil
	})
	return matches, err
}
