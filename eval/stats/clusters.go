package stats

import "slices"

// FewestGroups is the number of groups from which scenes are drawn by group. Fewer have too few
// different resamples and sign patterns.
const FewestGroups = 6

// A Clustering says which scenes are drawn together in resamples and exchanged together in tests,
// because they are alike: pairs of images of one place, for example, are not independent.
type Clustering struct {
	of []int // cluster by scene, numbered by first occurrence
	n  int
}

// Cluster returns the clusters of scenes, given the group of each: the groups if there are at least
// FewestGroups, else each scene by itself.
func Cluster(groups []string) Clustering {
	c := Clustering{of: make([]int, len(groups))}
	known := make(map[string]int)
	for i, g := range groups {
		if _, found := known[g]; !found {
			known[g] = len(known)
		}
		c.of[i] = known[g]
	}
	if c.n = len(known); c.n < FewestGroups {
		c.n = len(groups)
		for i := range c.of {
			c.of[i] = i
		}
	}
	return c
}

// Len returns the number of clusters.
func (c Clustering) Len() int { return c.n }

// Of returns the cluster of scene i.
func (c Clustering) Of(i int) int { return c.of[i] }

// Sums returns the sum of the values of the scenes of each cluster.
func (c Clustering) Sums(values []float64) []float64 {
	sums := make([]float64, c.n)
	for i, v := range values {
		sums[c.of[i]] += v
	}
	return sums
}

// Times returns how often each scene is drawn, given how often each cluster is.
func (c Clustering) Times(clusters []uint8) []uint8 {
	if clusters == nil || c.n == len(c.of) {
		return clusters
	}
	times := make([]uint8, len(c.of))
	for i, k := range c.of {
		times[i] = clusters[k]
	}
	return times
}

// ones returns the weights of scenes that all count once.
func ones(n int) []float64 { return slices.Repeat([]float64{1}, n) }
