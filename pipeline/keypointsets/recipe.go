package keypointsets

import (
	"fmt"

	"descbench/pipeline/config"
)

// Recipe returns the steps that make the set, one line for each set that it is made
// from and for the set itself, which comes last. A side of an intersection has one
// more line, with its name. Sets are numbered, so that the recipe does not depend on
// their names and order in the config.
func (s Source) Recipe() []string {
	graph := s.Config.Graph()
	var lines []string
	renamed := make(map[*config.KeypointSet]string)
	var visit func(name string) string
	visit = func(name string) string {
		set, side := graph.Find(name)
		if _, ok := renamed[set]; !ok {
			steps := *set
			if steps.From != "" {
				steps.From = visit(steps.From)
			}
			if steps.Intersect != nil {
				steps.Intersect = &config.Intersect{
					A: visit(set.Intersect.A), B: visit(set.Intersect.B), TolerancePx: set.Intersect.TolerancePx,
				}
			}
			renamed[set] = fmt.Sprintf("set%d", len(renamed)+1)
			lines = append(lines, renamed[set]+": "+steps.String())
		}
		if set.Intersect == nil {
			return renamed[set]
		}
		return renamed[set] + [...]string{".a", ".b"}[side]
	}
	name := visit(s.Name)
	if set, _ := graph.Find(s.Name); set.Intersect != nil {
		lines = append(lines, name)
	}
	return lines
}
