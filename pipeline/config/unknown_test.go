package config

import (
	"errors"
	"testing"
)

func TestAnUnknownSetIsAnErrorThatNamesTheNearest(t *testing.T) {
	c := &Config{KeypointSets: []KeypointSet{
		{Name: "sift_8k", Detect: &Detect{Type: "sift"}},
		{Name: "surf", Detect: &Detect{Type: "surf"}},
		{Name: "both", Intersect: &Intersect{A: "sift_8k", B: "surf"}},
	}}
	for _, name := range []string{"sift_8k", "surf", "both.a", "both.b"} {
		if err := c.CheckSet("x.yaml", name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"sift8k": `x.yaml: keypoint_sets: found no keypoint set "sift8k", want one of sift_8k, surf, both.a, both.b (did you mean sift_8k?)`,
		"both":   `x.yaml: keypoint_sets: found no keypoint set "both", want one of sift_8k, surf, both.a, both.b (did you mean both.a?)`,
	} {
		err := c.CheckSet("x.yaml", name)
		if fault := (*Error)(nil); !errors.As(err, &fault) || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", name, err, want)
		}
	}
}
