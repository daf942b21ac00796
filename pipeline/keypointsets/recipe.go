package keypointsets

// Recipe returns the steps that make the set, one line for each set that it is made
// from and for the set itself, which comes last. A side of an intersection has one
// more line, with its name.
func (s Source) Recipe() (lines []string) {
	graph := s.Config.Graph()
	set, _ := graph.Find(s.Name)
	for _, step := range graph.Ancestors(set) {
		lines = append(lines, step.Name+": "+step.String())
	}
	if set.Intersect != nil {
		lines = append(lines, s.Name)
	}
	return lines
}
