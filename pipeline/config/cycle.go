package config

import "slices"

// cycles returns the paths from a set back to itself. Each starts with its first set in
// the file. No two cycles share a set.
func (g Graph) cycles(sets []KeypointSet) (found [][]*KeypointSet) {
	left := make(map[*KeypointSet]bool) // sets whose sources are all known
	var way []*KeypointSet              // from where the search began to where it is
	var visit func(s *KeypointSet)
	visit = func(s *KeypointSet) {
		if left[s] {
			return
		}
		if at := slices.Index(way, s); at >= 0 {
			cycle := slices.Clone(way[at:])
			if !slices.ContainsFunc(slices.Concat(found...), func(s *KeypointSet) bool { return slices.Contains(cycle, s) }) {
				found = append(found, cycle)
			}
			return
		}
		way = append(way, s)
		g.made(s, func(_, _ string, of *KeypointSet) { visit(of) })
		way, left[s] = way[:len(way)-1], true
	}
	for i := range sets {
		visit(&sets[i])
	}
	for i, cycle := range found {
		first := slices.IndexFunc(cycle, func(s *KeypointSet) bool { return s == firstIn(sets, cycle) })
		found[i] = slices.Concat(cycle[first:], cycle[:first])
	}
	return found
}

func firstIn(sets []KeypointSet, some []*KeypointSet) *KeypointSet {
	return &sets[slices.IndexFunc(sets, func(s KeypointSet) bool {
		return slices.ContainsFunc(some, func(t *KeypointSet) bool { return t.Name == s.Name })
	})]
}
