package y2016

import (
	"fmt"
	"io"
	"slices"

	"descbench/eval/patches"
	"descbench/eval/text"
)

// ListLength is the number of patches per query in a retrieval result: the query
// itself and its 50 nearest neighbours.
const ListLength = 51

// RetrievalBenchmark is a retrieval .benchmark file. Line 1 lists the images whose
// patches form the pool. Line i+2 is query i, a patch of the pool.
type RetrievalBenchmark struct {
	File    string
	Pool    []patches.Signature // images
	Queries []patches.Signature // patches
	inPool  map[patches.Signature]bool
}

// ReadRetrievalBenchmark reads a retrieval .benchmark file. name is the file name in
// faults.
func ReadRetrievalBenchmark(name string, r io.Reader) (*RetrievalBenchmark, error) {
	l, pool, err := readPool(name, r)
	if err != nil {
		return nil, err
	}
	b := &RetrievalBenchmark{File: name, Pool: pool, inPool: map[patches.Signature]bool{}}
	if s, twice := repeated(b.Pool); twice {
		return nil, l.Faultf("%s is listed twice in the pool", s)
	}
	for _, s := range b.Pool {
		b.inPool[s] = true
	}
	lines := make(map[patches.Signature]int)
	for line, err := range l.All() {
		if err != nil {
			return nil, err
		}
		list, err := b.members(l, line, nil)
		if err != nil {
			return nil, err
		}
		if len(list) != 1 {
			return nil, l.Faultf("%d patches, want one query", len(list))
		}
		if first := lines[list[0]]; first > 0 {
			return nil, l.Faultf("query %s is listed twice, first in line %d, want each query once", list[0], first)
		}
		lines[list[0]] = l.Line
		b.Queries = append(b.Queries, list[0])
	}
	if len(b.Queries) == 0 {
		return nil, &patches.Fault{File: name, Reason: "no queries"}
	}
	return b, nil
}

// readPool reads the first line of a file, the images of the pool.
func readPool(name string, r io.Reader) (*text.Lines, []patches.Signature, error) {
	l := text.Read(name, r)
	line, err := l.Want("the images of the pool")
	if err != nil {
		return nil, nil, err
	}
	pool, err := signatures(l, line, patches.ParseImage)
	return l, pool, err
}

// members parses a line of patches of the pool. Each patch may be listed only once.
func (b *RetrievalBenchmark) members(l *text.Lines, line []byte, set *patches.Set) ([]patches.Signature, error) {
	list, err := signatures(l, line, patches.ParsePatch)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		if !b.inPool[s.Whole()] {
			return nil, l.Faultf("%s is not in the pool", s)
		}
		if err := checkIndex(set, l.File, l.Line, s); err != nil {
			return nil, err
		}
	}
	if s, twice := repeated(list); twice {
		return nil, l.Faultf("%s is listed twice", s)
	}
	return list, nil
}

// Want adds the images of the pool to the images to load.
func (b *RetrievalBenchmark) Want(w patches.Wanted) {
	for _, s := range b.Pool {
		w.Add(s.Sequence, s.Image)
	}
}

// readLists reads a file of the benchmark that repeats the line of the pool and then
// has one line per query.
func (b *RetrievalBenchmark) readLists(name string, r io.Reader, set *patches.Set, check func(l *text.Lines, query patches.Signature, list []patches.Signature) error) ([][]patches.Signature, error) {
	l, pool, err := readPool(name, r)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(pool, b.Pool) {
		return nil, l.Faultf("other images of the pool than in line 1 of %s, want the same", b.File)
	}
	var lists [][]patches.Signature
	for _, query := range b.Queries {
		line, err := l.Want(fmt.Sprintf("the line of query %s", query))
		if err != nil {
			return nil, err
		}
		list, err := b.members(l, line, set)
		if err != nil {
			return nil, err
		}
		if err := check(l, query, list); err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	return lists, l.End(fmt.Sprintf("one line for each of %d queries", len(b.Queries)))
}

// ReadClusters reads a retrieval .labels file: for each query, all patches of the pool
// that show the same place, including the query. If set is not nil, it must have the
// patches.
func ReadClusters(name string, r io.Reader, b *RetrievalBenchmark, set *patches.Set) ([][]patches.Signature, error) {
	return b.readLists(name, r, set, func(l *text.Lines, query patches.Signature, list []patches.Signature) error {
		if !slices.Contains(list, query) {
			return l.Faultf("query %s is missing in its own list", query)
		}
		return nil
	})
}

// SamePlace returns the clusters if patch n shows the same place in all images of a
// sequence: for each query, the patches with its index in the pool's images of its
// sequence, in the order of the pool.
func (b *RetrievalBenchmark) SamePlace() [][]patches.Signature {
	clusters := make([][]patches.Signature, len(b.Queries))
	for i, query := range b.Queries {
		for _, image := range b.Pool {
			if image.Sequence == query.Sequence {
				image.Index = query.Index
				clusters[i] = append(clusters[i], image)
			}
		}
	}
	return clusters
}

// ReadRankings reads a retrieval .results file: for each query, ListLength patches in
// ascending order of distance, starting with the query. set is as in ReadClusters.
func ReadRankings(name string, r io.Reader, b *RetrievalBenchmark, set *patches.Set) ([][]patches.Signature, error) {
	return b.readLists(name, r, set, func(l *text.Lines, query patches.Signature, list []patches.Signature) error {
		if len(list) != ListLength {
			return l.Faultf("%d patches, want %d", len(list), ListLength)
		}
		if list[0] != query {
			return l.Faultf("the first patch is %s, want the query %s", list[0], query)
		}
		return nil
	})
}

// WriteRankings writes a retrieval .results file.
func WriteRankings(w io.Writer, b *RetrievalBenchmark, rankings [][]patches.Signature) error {
	return patches.WriteLines(w, 1+len(rankings), listLines(b.Pool, rankings))
}

// listLines returns the lines of the images of a pool and of lists of patches.
func listLines(pool []patches.Signature, lists [][]patches.Signature) func(line []byte, i int) []byte {
	return func(line []byte, i int) []byte {
		if i == 0 {
			return patches.AppendList(line, pool, patches.AppendSignature)
		}
		return patches.AppendList(line, lists[i-1], patches.AppendSignature)
	}
}
