package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"descbench/descriptors"
	"descbench/eval/matching"
	"descbench/eval/spelling"
	"descbench/keypoints"
	"descbench/pipeline/files/importer"
)

// String describes the recipe in one line, without defaults.
func (s KeypointSet) String() string { return strings.Join(Shorts(s.steps()), "; ") }

// steps returns the steps of the recipe, in their order.
func (s KeypointSet) steps() (steps []Step) {
	step := func(s Step) { steps = append(steps, s) }
	switch {
	case s.From != "":
		step(same("from %s", s.From))
	case s.Detect != nil && s.Detect.Command != nil:
		c := s.Detect.Command
		program, size := strings.TrimPrefix(c.String(), filepath.Dir(c.Run[0])+"/"), sizes(c.DefaultSize)
		if from := c.Imported(); from != "" {
			step(same("%s%s", from, size))
		} else {
			step(Step{"detect by " + program + size, "detected by " + program + size})
		}
	case s.Detect != nil:
		detector, _ := keypoints.FindDetector(s.Detect.Type)
		short, paper := "detect "+s.Detect.Type, strings.ToUpper(s.Detect.Type)+" detector"
		if params := changed(s.Detect.Params, detector.Params); params != nil {
			short += " (" + params.String() + ")"
			paper += " (" + strings.NewReplacer(" ", ", ", "=", " ", "_", " ").Replace(params.String()) + ")"
		}
		step(Step{short, paper})
	case s.Intersect != nil:
		step(same("intersect %s with %s, tolerance %g px", s.Intersect.A, s.Intersect.B, s.Intersect.TolerancePx))
	case s.Import != nil:
		step(same("imported from %s%s", location(s.Import.Path, s.Import.Origin), sizes(s.Import.DefaultSize)))
	}
	switch b := s.Border; {
	case b == nil:
	case b.Px > 0 || b.Rule != 0:
		step(Step{fmt.Sprintf("border %g px %s", b.Px, b.Rule), fmt.Sprintf("a margin of %g px at the edges", b.Px)})
	case s.Detect != nil: // instead of the default
		step(Step{"border 0 px", "no margin at the edges"})
	}
	if s.MinSize != nil {
		step(same("size at least %g px", *s.MinSize))
	}
	if s.MaxSize != nil {
		step(same("size at most %g px", *s.MaxSize))
	}
	if s.MinResponse != nil {
		step(same("response at least %g", *s.MinResponse))
	}
	if r := s.Random; r != nil {
		step(Step{fmt.Sprintf("random %d per image, seed %d", r.PerImage, r.Seed), fmt.Sprintf("%d random ones per image (seed %d)", r.PerImage, r.Seed)})
	}
	if s.Spatial != nil {
		step(same("at least %g px apart", s.Spatial.MinDistancePx))
	}
	if t := s.Top; t != nil && t.Total > 0 {
		step(Step{t.String(), fmt.Sprintf("the %d of highest %s in total", t.Total, t.By)})
	} else if t != nil {
		step(Step{t.String(), fmt.Sprintf("the %d of highest %s per image", t.PerImage, t.By)})
	}
	if s.Project != nil {
		step(same("project from image %d, carry %s, bounds %s", s.Project.FromImage, s.Project.Carry, s.Project.Bounds))
	}
	return steps
}

// RecipeOf returns the steps by which the keypoints of a descriptor are made, none for
// matches of points. Both sides of an intersection are the same points.
func (c *Config) RecipeOf(descriptor string) (steps []Step) {
	for _, set := range c.Graph().Chain(c.SetOf(*c.Named(descriptor))) {
		own := *set
		if own.From = ""; own.Intersect != nil {
			steps = nil
		}
		steps = append(steps, own.steps()...)
	}
	return steps
}

// String describes the selection in one line.
func (t Top) String() string {
	if t.Total > 0 {
		return fmt.Sprintf("top %d in total by %s", t.Total, t.By)
	}
	return fmt.Sprintf("top %d per image by %s", t.PerImage, t.By)
}

// String describes the descriptor in one line by its keys, without defaults.
func (d Descriptor) String() string {
	return strings.Join(append([]string{d.Type}, Shorts(d.settings(everything))...), ", ")
}

// Method describes the descriptor in one line by what makes it on any keypoints: those of several
// sets with equal lines are one method.
func (d Descriptor) Method() string {
	d.Keypoints = ""
	return d.String()
}

// Settings lists what neither the type's defaults nor the name of the descriptor say about
// its rows, without files: "type: usift, pyramid: opencv, normalize: none".
func (d Descriptor) Settings() []Step {
	bare := func(name string) string { return strings.ReplaceAll(spelling.Fold(name), "_", "") }
	name, kind := bare(d.Name), bare(d.Type)
	// Of types whose names are in the name, it says the longest: rgbsift, not sift.
	says := strings.Contains(name, kind) && !slices.ContainsFunc(typeNames(), func(other string) bool {
		return bare(other) != kind && strings.Contains(bare(other), kind) && strings.Contains(name, bare(other))
	})
	var steps []Step
	switch {
	case d.Type == commandType:
		if from := d.Command.Imported(); from != "" {
			steps = append(steps, same("%s", from))
		} else if !d.Command.Relayed() { // else its key function says it
			program := notOfProgram.ReplaceAllString(d.Command.String(), "")
			steps = append(steps, Step{"program: " + program, "program " + program})
		}
	case !says:
		steps = append(steps, d.setting("type", d.Type))
	}
	if _, builtIn := descriptors.FindKind(d.Type); builtIn && strings.Contains(name, "root") && d.Root == descriptors.NoNorm {
		steps = append(steps, d.setting("root", "none"))
	}
	return append(steps, d.settings(results, "keypoints", "path", "run", "files", "matcher")...)
}

// Origin returns the set that detects or imports the keypoints of a descriptor if it is computed
// from the image around them, or nil. Fusions leave it to their parts, and programs describe
// keypoints without a size or an angle, too.
func (c *Config) Origin(d Descriptor) *KeypointSet {
	if d.Fusion != nil || d.File != nil || d.Matches != nil || d.Command != nil && d.Command.Operation != DescribePatches {
		return nil
	}
	return c.Graph().Chain(d.Keypoints)[0]
}

// Unsized returns Origin if its keypoints may lack a size, or nil: keypoints that are imported or
// that a program detects.
func (c *Config) Unsized(d Descriptor) *KeypointSet {
	origin := c.Origin(d)
	if origin == nil || origin.Import == nil && (origin.Detect == nil || origin.Detect.Command == nil) {
		return nil
	}
	return origin
}

// Turns reports whether the keypoint's angle turns the window of a descriptor that is computed
// from the image. Others are upright or find an orientation.
func (d Descriptor) Turns() bool {
	kind, _ := descriptors.FindKind(d.Type)
	return !kind.OwnAngle && (d.Command == nil || d.Command.Patches == nil || !d.Command.Patches.Upright)
}

// DefaultSize returns the size of keypoints without one, px; nil: none.
func (s *KeypointSet) DefaultSize() *float64 {
	if s.Import != nil {
		return s.Import.DefaultSize
	}
	return s.Detect.Command.DefaultSize
}

// settings lists the keys that are not at their defaults with their values.
func (d Descriptor) settings(v view, without ...string) (steps []Step) {
	fresh := Descriptor{Name: d.Name, Label: d.Label, Type: d.Type, Variant: d.Variant}
	begin(&fresh)
	if d.Pooling != nil {
		fresh.Pooling = new(descriptors.Pooling)
	}
	if d.Matcher != nil {
		fresh.Matcher = new(matching.Matcher)
	}
	if d.Command != nil && d.Command.Patches != nil {
		patches := descriptors.DefaultPatchCut()
		fresh.Command.Patches = &patches
	}
	for _, c := range diff("", descriptor(&d).encode(v), descriptor(&fresh).encode(v)) {
		if section, _, _ := strings.Cut(c.Key, "."); c.Was != Absent && !slices.Contains(without, section) && (d.Matches == nil || section != "normalize") {
			steps = append(steps, d.setting(c.Key, c.Was))
		}
	}
	return steps
}

// String returns the program and its arguments, or names the function of the caller.
func (c *Command) String() string {
	if c.Relayed() {
		return "function " + c.Function
	}
	return strings.Join(c.Run, " ")
}

// location names the files with the keypoints or descriptors of images.
func location(path string, origin importer.Origin) string {
	if origin == importer.Center {
		return path
	}
	return path + ", origin at the " + string(origin)
}

// sizes says which size keypoints without one get; nil: none.
func sizes(size *float64) string {
	if size == nil {
		return ""
	}
	return fmt.Sprintf(", default size %g px", *size)
}

// changed returns the parameters that are not at their defaults, nil without any.
func changed(p keypoints.Params, specs []keypoints.Param) (other keypoints.Params) {
	for _, s := range specs {
		if p[s.Name] != s.Default {
			if other == nil {
				other = make(keypoints.Params)
			}
			other[s.Name] = p[s.Name]
		}
	}
	return other
}

// A Step is a step of a recipe of keypoints, or a setting of a descriptor, in words.
type Step struct {
	Short string // for terminals: with the keys and values of the config
	Paper string // for papers
}

// same returns a step with the same words everywhere.
func same(format string, args ...any) Step {
	text := fmt.Sprintf(format, args...)
	return Step{text, text}
}

// Shorts returns the words of steps for terminals.
func Shorts(steps []Step) []string {
	return spelling.Words(steps, func(s Step) string { return s.Short })
}

// Papers returns the words of steps for papers.
func Papers(steps []Step) []string {
	return spelling.Words(steps, func(s Step) string { return s.Paper })
}

// keyWords returns the words of a key.
var keyWords = strings.NewReplacer(".", " ", "_", " ")

// setting returns the step of a setting of a descriptor.
func (d Descriptor) setting(key, value string) Step {
	s := Step{key + ": " + value, keyWords.Replace(key) + " " + value}
	switch key {
	case "root":
		switch value {
		case "l1":
			s.Paper = "square roots after L1 normalisation"
		case "none":
			s.Paper = "no square roots"
		}
	case "type":
		s.Paper = value
	case "normalize":
		if value == "none" {
			s.Paper = "not normalised"
		}
	case "pooling.scales":
		scales := strings.Fields(strings.Trim(fmt.Sprint(d.Pooling.Scales), "[]"))
		if last := len(scales) - 1; last > 0 {
			s.Paper = "pooled over windows scaled by " + strings.Join(scales[:last], ", ") + " and " + scales[last]
		} else {
			s.Paper = "window scaled by " + scales[0]
		}
	}
	return s
}
