package keypointsets

import "descbench/pipeline/config"

// Recipe returns the steps that make the set in words, one line for each set that it is made
// from and for the set itself, which comes last. A side of an intersection has one
// more line, with its name.
func (s Source) Recipe() []string {
	return s.lines(func(set *config.KeypointSet) string { return set.Name + ": " + set.String() })
}

// Values is Recipe as configs say it, see [config.KeypointSet.Values].
func (s Source) Values() []string { return s.lines((*config.KeypointSet).Values) }

func (s Source) lines(line func(*config.KeypointSet) string) (lines []string) {
	graph := s.Config.Graph()
	set, _ := graph.Find(s.Name)
	for _, step := range graph.Ancestors(set) {
		lines = append(lines, line(step))
	}
	if set.Intersect != nil {
		lines = append(lines, s.Name)
	}
	return lines
}
