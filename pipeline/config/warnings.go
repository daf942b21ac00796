package config

import (
	"fmt"
	"slices"

	"descbench/keypoints"
)

// Warnings returns what is certain to disappoint a reader of the config.
func (c *Config) Warnings() []string {
	graph := c.Graph()
	var out []string
	for i := range c.KeypointSets {
		if text := graph.borderLeftBehind(&c.KeypointSets[i]); text != "" {
			out = append(out, text)
		}
		out = append(out, graph.unfilled(&c.KeypointSets[i])...)
	}
	m, p := c.Evaluation.Matcher, c.Preset()
	selects := m != nil && (m.TopK > 0 || m.MaxDistance > 0) && (p == nil || valueOf(&p.Sets, "evaluation.matcher") == nil) // see PresetDeviations
	for _, d := range c.Descriptors {
		chain := graph.Chain(d.Keypoints)
		some := slices.ContainsFunc(chain, func(s *KeypointSet) bool { return s.Selects() || s.Border != nil && s.Border.Px > 0 })
		if some && d.Matches != nil && d.Command != nil && d.Command.Imported() != "" && (chain[0].Detect == nil || chain[0].Detect.Command != nil) {
			out = append(out, fmt.Sprintf("%s: its matches number all keypoints of the HDF5 file; scenes fail where the keypoint set leaves some out (%s); define a set with border: 0 and no selection, and name it in keypoints", d.Name, c.KeypointsOf(d.Name)))
		}
		if text := d.UnitPixels(); text != "" {
			out = append(out, text)
		}
		if selects && d.Matches != nil && d.Matcher == nil {
			out = append(out, fmt.Sprintf("%s: all of its matches are evaluated, since evaluation.matcher does not apply to matches of a program or file; set %s", d.Name, d.key("matcher")))
		}
	}
	return out
}

// UnitPixels returns a warning if a program's patches are scaled as pixels from 0 to 1, or "".
// A mean of 0 and a std of 1 send pixels as they are.
func (d Descriptor) UnitPixels() string {
	if d.Command == nil || d.Command.Patches == nil || d.Command.Patches.Standardize {
		return ""
	}
	mean, std := d.Command.Patches.Mean, d.Command.Patches.Std
	if slices.Max(std) >= 2 || slices.Equal(mean, []float64{0}) && slices.Equal(std, []float64{1}) {
		return ""
	}
	return fmt.Sprintf("%s: std %v is that of pixels from 0 to 1, but patches have pixels from 0 to 255: multiply mean and std by 255", d.key("patches"), std)
}

// unfilled returns a warning for each detector whose own limit on keypoints per image
// keeps the selection of a set from being filled.
func (g Graph) unfilled(s *KeypointSet) []string {
	selection, wanted := "", 0
	switch {
	case s.TakesTotal(): // depends on the number of images
		return nil
	case s.Top != nil:
		selection, wanted = "top.per_image", s.Top.PerImage
	case s.Random != nil:
		selection, wanted = "random.per_image", s.Random.PerImage
	}
	var out []string
	for _, side := range s.Sides() {
		origin := g.Chain(side)[0]
		if origin.Detect == nil {
			continue
		}
		detector, _ := keypoints.FindDetector(origin.Detect.Type)
		if param, most := detector.Max(origin.Detect.Params); most > 0 && most < wanted {
			out = append(out, fmt.Sprintf("keypoint set %s: detector %s keeps only %d keypoints per image (%s), so %s %d cannot be filled; raise %[4]s of keypoint set %[7]s",
				s.Name, detector.Name, most, param, selection, wanted, origin.Name))
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
	for _, of := range g.Ancestors(s) {
		if of != s && of.Border != nil && of.Border.Px > 0 {
			return fmt.Sprintf("keypoint set %s: the border of %s, %g px, holds for image 1; projected keypoints lie up to the edge of their images, unless %[1]s has a border, too",
				s.Name, of.Name, of.Border.Px)
		}
	}
	return ""
}
