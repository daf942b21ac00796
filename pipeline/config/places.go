package config

import "fmt"

// NeedsPlaces returns the keys of the config that need to know where a point lies in another image,
// as a homography says.
func (c *Config) NeedsPlaces() (keys []string) {
	for _, s := range c.KeypointSets {
		if s.Project != nil {
			keys = append(keys, fmt.Sprintf("keypoint_sets[%s].project", s.Name))
		}
	}
	e := c.Evaluation
	for _, k := range []struct {
		key string
		set bool
	}{
		{"relevance", e.Relevance == IdentityRelevant}, {"fixed_gallery", e.FixedGallery != nil}, {"shared_top_k", e.SharedTopK > 0},
		{"bojanic_2019", e.Bojanic2019 != nil}, {"workbench_tasks", e.WorkbenchTasks != nil},
	} {
		if k.set {
			keys = append(keys, "evaluation."+k.key)
		}
	}
	return keys
}
