package config

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"descbench/descriptors"
	"descbench/eval/fact"
	"descbench/keypoints"
)

// Facts tells what is certain to disappoint a reader of the config.
func (c *Config) Facts() (out []fact.Fact) {
	graph := c.Graph()
	for i := range c.KeypointSets {
		out = slices.Concat(out, graph.borderLeftBehind(&c.KeypointSets[i]), graph.unfilled(&c.KeypointSets[i]))
	}
	const exact = 0.5 // px; localization errors in HPatches are 0.83 (SIFT) to 1.16 px (SuperPoint: DeTone et al., 2018, table 4)
	if px := c.Evaluation.TolerancePx; 0 < px && px < exact {
		out = append(out, fact.New(fact.SmallTolerance).With("px", px))
	}
	m, p := c.Evaluation.Matcher, c.Preset()
	if c.Dataset.Corner && p != nil && valueOf(&p.Sets, "dataset.origin") != nil {
		out = append(out, fact.New(fact.CornerOrigin).Naming("preset", p.Name))
	}
	selects := m != nil && (m.TopK > 0 || m.MaxDistance > 0) && (p == nil || valueOf(&p.Sets, "evaluation.matcher") == nil) // see PresetDeviations
	for _, d := range c.Descriptors {
		chain := graph.Chain(d.Keypoints)
		some := slices.ContainsFunc(chain, func(s *KeypointSet) bool { return s.Selects() || s.Border != nil && s.Border.Px > 0 })
		if some && d.Matches != nil && d.Command != nil && d.Command.Imported() != "" && (chain[0].Detect == nil || chain[0].Detect.Command != nil) {
			out = append(out, fact.New(fact.NumbersAll).On(d.Name).Naming("recipe", c.RecipeOf(d.Name)...))
		}
		out = append(out, d.UnitPixels()...)
		if selects && d.Matches != nil && d.Matcher == nil {
			out = append(out, fact.New(fact.MatcherNotApplied).On(d.Name).Naming("key", d.key("matcher")))
		}
	}
	return out
}

// UnitPixels tells if a program's patches are scaled as pixels from 0 to 1. A mean of 0 and a
// std of 1 send pixels as they are.
func (d Descriptor) UnitPixels() []fact.Fact {
	if d.Command == nil || d.Command.Patches == nil || d.Command.Patches.Standardize {
		return nil
	}
	mean, std := d.Command.Patches.Mean, d.Command.Patches.Std
	if slices.Max(std) >= 2 || slices.Equal(mean, []float64{0}) && slices.Equal(std, []float64{1}) {
		return nil
	}
	return []fact.Fact{fact.New(fact.UnitPixels).On(d.Name).Naming("std", fmt.Sprint(std))}
}

// unfilled returns a fact for each detector whose own limit on keypoints per image
// keeps the selection of a set from being filled.
func (g Graph) unfilled(s *KeypointSet) (out []fact.Fact) {
	selection, wanted := "", 0
	switch {
	case s.TakesTotal(): // depends on the number of images
		return nil
	case s.Top != nil:
		selection, wanted = "top.per_image", s.Top.PerImage
	case s.Random != nil:
		selection, wanted = "random.per_image", s.Random.PerImage
	}
	for _, side := range s.Sides() {
		origin := g.Chain(side)[0]
		if origin.Detect == nil {
			continue
		}
		detector, _ := keypoints.FindDetector(origin.Detect.Type)
		if param, most := detector.Max(origin.Detect.Params); most > 0 && most < wanted {
			out = append(out, fact.New(fact.Unfilled).Of(s.Name).With("most", float64(most)).With("wanted", float64(wanted)).
				Naming("detector", detector.Name).Naming("param", param).Naming("selection", selection).Naming("origin", origin.Name))
		}
	}
	return out
}

// borderLeftBehind returns a fact if a set projects keypoints that had a border, but
// has none itself. The border of the set that projects holds for the projected
// keypoints.
func (g Graph) borderLeftBehind(s *KeypointSet) []fact.Fact {
	if s.Project == nil || s.Border != nil {
		return nil
	}
	for _, of := range g.Ancestors(s) {
		if of != s && of.Border != nil && of.Border.Px > 0 {
			return []fact.Fact{fact.New(fact.BorderLeftBehind).Of(s.Name).With("px", of.Border.Px).Naming("of", of.Name)}
		}
	}
	return nil
}

// Windows returns a fact for each keypoint set whose descriptors describe parts of the image
// that differ in size. That may decide more than the descriptor does.
func Windows(list []Descriptor) (out []fact.Fact) {
	bySet := make(map[string]map[float64][]string) // names of descriptors by the sides of their windows, in keypoint sizes
	for _, d := range list {
		kind, _ := descriptors.FindKind(d.Type)
		size := kind.Window(d.Params)
		switch {
		case d.Command != nil && d.Command.Patches != nil:
			size = d.Command.Patches.Magnification
		case size == 0, kind.Levels == "orb": // unknown, or decided by the level, whatever the size is
			continue
		}
		if d.Pooling != nil {
			size *= slices.Max(d.Pooling.Scales)
		}
		if bySet[d.Keypoints] == nil {
			bySet[d.Keypoints] = make(map[float64][]string)
		}
		size = math.Round(10*size) / 10
		bySet[d.Keypoints][size] = append(bySet[d.Keypoints][size], d.Name)
	}
	for _, set := range slices.Sorted(maps.Keys(bySet)) {
		f := fact.New(fact.OtherWindows).Of(set)
		var sizes []string
		for _, size := range slices.Backward(slices.Sorted(maps.Keys(bySet[set]))) {
			sizes = append(sizes, fmt.Sprint(size))
			f = f.Naming(fmt.Sprint(size), bySet[set][size]...)
		}
		if len(sizes) > 1 {
			out = append(out, f.Naming("sizes", sizes...))
		}
	}
	return out
}
