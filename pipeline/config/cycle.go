package config

import "slices"

// cycles returns the paths from a set back to itself. Each starts with its first
// set in the file. No two cycles share a set.
func (g Graph) cycles(sets []KeypointSet) [][]*KeypointSet {
	s := cycleSearch{graph: g, place: make(map[*KeypointSet]int), taken: make(map[*KeypointSet]bool)}
	order := make(map[*KeypointSet]int, len(sets))
	for i := range sets {
		order[&sets[i]] = i
		s.visit(&sets[i])
	}
	for i, cycle := range s.found {
		first := slices.Index(cycle, slices.MinFunc(cycle, func(a, b *KeypointSet) int { return order[a] - order[b] }))
		s.found[i] = slices.Concat(cycle[first:], cycle[:first])
	}
	return s.found
}

// A cycleSearch goes through a graph, depth first, each set once.
type cycleSearch struct {
	graph Graph
	way   []*KeypointSet       // from where the search began to where it is
	place map[*KeypointSet]int // in way, from 1; left for what the search has left
	taken map[*KeypointSet]bool
	found [][]*KeypointSet
}

const left = -1

func (c *cycleSearch) visit(s *KeypointSet) {
	switch at := c.place[s]; {
	case at == left:
		return
	case at > 0:
		c.take(c.way[at-1:])
		return
	}
	c.way = append(c.way, s)
	c.place[s] = len(c.way)
	c.graph.made(s, func(_, _ string, of *KeypointSet) { c.visit(of) })
	c.way = c.way[:len(c.way)-1]
	c.place[s] = left
}

// take keeps a cycle unless it shares a set with a kept one.
func (c *cycleSearch) take(cycle []*KeypointSet) {
	if slices.ContainsFunc(cycle, func(s *KeypointSet) bool { return c.taken[s] }) {
		return
	}
	for _, s := range cycle {
		c.taken[s] = true
	}
	c.found = append(c.found, slices.Clone(cycle))
}
