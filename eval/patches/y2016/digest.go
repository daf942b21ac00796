package y2016

import (
	"fmt"
	"io"

	"descbench/eval/patches"
)

// MatchingDigests returns the digest of a matching benchmark, that is of its image
// pairs and their correct matches, and the digest of the results.
func MatchingDigests(matches []Matches, labels *MatchingLabels) (asked, answered string) {
	asked = patches.SHA256(func(w io.Writer) {
		for p, m := range matches {
			fmt.Fprintln(w, m.Pair, labels.target(p, m))
		}
	})
	return asked, patches.SHA256(func(w io.Writer) { _ = WriteMatches(w, matches) })
}

// RetrievalDigests returns the digests of a retrieval benchmark and of its rankings.
func RetrievalDigests(b *RetrievalBenchmark, clusters, rankings [][]patches.Signature) (asked, answered string) {
	asked = patches.SHA256(func(w io.Writer) {
		fmt.Fprintln(w, b.Pool)
		for q, cluster := range clusters {
			fmt.Fprintln(w, b.Queries[q], cluster)
		}
	})
	return asked, patches.SHA256(func(w io.Writer) { _ = WriteRankings(w, b, rankings) })
}

// ClassificationDigests returns the digest of the pairs and the digest of their
// distances. If only results are known, the first covers only the number of pairs.
func ClassificationDigests(c *Classes) (asked, answered string) {
	asked = patches.SHA256(func(w io.Writer) {
		fmt.Fprintln(w, len(c.Positive), len(c.Negative))
		fmt.Fprintln(w, c.asked)
	})
	return asked, patches.SHA256(func(w io.Writer) {
		for _, distances := range [][]float64{c.Positive, c.Negative} {
			_ = patches.WriteLines(w, len(distances), func(line []byte, i int) []byte { return appendDistance(line, distances[i]) })
			fmt.Fprintln(w)
		}
	})
}

// digest returns the digest of the pairs and their labels, in their order.
func (p *Pairs) digest() string {
	return patches.SHA256(func(w io.Writer) {
		for _, pair := range p.List {
			fmt.Fprintln(w, pair.A, pair.B, pair.Label)
		}
	})
}
