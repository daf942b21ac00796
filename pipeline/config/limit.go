package config

import (
	"fmt"

	"descbench/keypoints"
)

// A Limit is a detector's own limit on keypoints per image, which may keep the
// selection of a set from being filled.
type Limit struct {
	Set      *KeypointSet // selects Wanted keypoints
	Wanted   int          // per image, or in total if Set.TakesTotal
	Detector keypoints.Detector
	Origin   *KeypointSet // detects Max keypoints per image at most
	Max      int

	selection, param string
}

// Limits returns the limits of the detectors from which a set with a selection
// gets its keypoints.
func (g Graph) Limits(s *KeypointSet) []Limit {
	l := Limit{Set: s}
	switch {
	case s.TakesTotal():
		l.selection, l.Wanted = s.Total()
	case s.Top != nil:
		l.selection, l.Wanted = "top.per_image", s.Top.PerImage
	case s.Random != nil:
		l.selection, l.Wanted = "random.per_image", s.Random.PerImage
	default:
		return nil
	}
	var out []Limit
	for _, side := range s.Sides() {
		if l.Origin = g.Chain(side)[0]; l.Origin.Detect == nil {
			continue
		}
		l.Detector, _ = keypoints.FindDetector(l.Origin.Detect.Type)
		if l.param, l.Max = l.Detector.Max(l.Origin.Detect.Params); l.Max > 0 {
			out = append(out, l)
		}
	}
	return out
}

// Reached returns the warning that the limit was reached in some images, in which
// the selection is not filled.
func (l Limit) Reached(concerned, images int) string {
	return fmt.Sprintf("keypoint set %s: detector %s reached its own limit, %s %d, in %d of %d images, so %s %d is not filled; raise %[3]s of keypoint set %[9]s",
		l.Set.Name, l.Detector.Name, l.param, l.Max, concerned, images, l.selection, l.Wanted, l.Origin.Name)
}

// Warnings returns what is certain to disappoint a reader of the config.
func (c *Config) Warnings() []string {
	graph := c.Graph()
	var out []string
	for i := range c.KeypointSets {
		if text := graph.borderLeftBehind(&c.KeypointSets[i]); text != "" {
			out = append(out, text)
		}
		for _, l := range graph.Limits(&c.KeypointSets[i]) {
			if !l.Set.TakesTotal() && l.Max < l.Wanted {
				out = append(out, fmt.Sprintf("keypoint set %s: detector %s keeps only %d keypoints per image (%s), so %s %d cannot be filled; raise %[4]s of keypoint set %[7]s",
					l.Set.Name, l.Detector.Name, l.Max, l.param, l.selection, l.Wanted, l.Origin.Name))
			}
		}
	}
	return out
}

// borderLeftBehind returns a warning if a set projects keypoints that had a border, but
// has none itself, or "". The border of the set that projects holds for the projected
// keypoints.
func (g Graph) borderLeftBehind(s *KeypointSet) string {
	if s.Project == nil || s.Border != nil {
		return ""
	}
	text := ""
	g.Ancestors(s, func(of *KeypointSet) {
		if of != s && of.Border != nil && of.Border.Px > 0 && text == "" {
			text = fmt.Sprintf("keypoint set %s: the border of %s, %g px, holds for image 1; projected keypoints lie up to the edge of their images, unless %[1]s has a border, too",
				s.Name, of.Name, of.Border.Px)
		}
	})
	return text
}
