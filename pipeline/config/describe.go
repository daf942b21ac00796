package config

import (
	"cmp"
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
func (s KeypointSet) String() string { return strings.Join(s.steps(), "; ") }

// steps returns the steps of the recipe in words, in their order.
func (s KeypointSet) steps() (steps []string) {
	step := func(format string, args ...any) { steps = append(steps, fmt.Sprintf(format, args...)) }
	switch {
	case s.From != "":
		step("from %s", s.From)
	case s.Detect != nil && s.Detect.Command != nil:
		c := s.Detect.Command
		by := cmp.Or(c.Imported(), "detected by "+strings.TrimPrefix(c.String(), filepath.Dir(c.Run[0])+"/"))
		step("%s%s", by, sizes(c.DefaultSize))
	case s.Detect != nil:
		detector, _ := keypoints.FindDetector(s.Detect.Type)
		var others []string // parameters that are not at their defaults
		for _, p := range detector.Params {
			if v := s.Detect.Params[p.Name]; v != p.Default {
				others = append(others, keyWords.Replace(p.Name)+" "+fmt.Sprint(v))
			}
		}
		if step("%s detector", strings.ToUpper(s.Detect.Type)); others != nil {
			steps[0] += " (" + strings.Join(others, ", ") + ")"
		}
	case s.Intersect != nil:
		step("intersect %s with %s, tolerance %g px", s.Intersect.A, s.Intersect.B, s.Intersect.TolerancePx)
	case s.Import != nil:
		from := s.Import.Path
		if s.Import.Origin != importer.Center {
			from += ", origin at the " + string(s.Import.Origin)
		}
		step("imported from %s%s", from, sizes(s.Import.DefaultSize))
	}
	switch b := s.Border; {
	case b == nil:
	case b.Rule == keypoints.HalfOpen:
		step("a margin of %g px at the edges, half open", b.Px)
	case b.Px > 0:
		step("a margin of %g px at the edges", b.Px)
	case s.Detect != nil: // instead of the default
		step("no margin at the edges")
	}
	if s.MinSize != nil {
		step("size at least %g px", *s.MinSize)
	}
	if s.MaxSize != nil {
		step("size at most %g px", *s.MaxSize)
	}
	if s.MinResponse != nil {
		step("response at least %g", *s.MinResponse)
	}
	if s.Random != nil {
		step("%d random ones per image (seed %d)", s.Random.PerImage, s.Random.Seed)
	}
	if s.Spatial != nil {
		step("at least %g px apart", s.Spatial.MinDistancePx)
	}
	if t := s.Top; t != nil && t.Total > 0 {
		step("the %d of highest %s in total", t.Total, t.By)
	} else if t != nil {
		step("the %d of highest %s per image", t.PerImage, t.By)
	}
	if s.Project != nil {
		step("project from image %d, carry %s, bounds %s", s.Project.FromImage, s.Project.Carry, s.Project.Bounds)
	}
	return steps
}

// RecipeOf returns the steps by which the keypoints of a descriptor are made, in words, none for
// matches of points. Both sides of an intersection are the same points.
func (c *Config) RecipeOf(descriptor string) (steps []string) {
	for _, set := range c.Graph().Chain(c.SetOf(*c.Named(descriptor))) {
		own := *set
		if own.From = ""; own.Intersect != nil {
			steps = nil
		}
		steps = append(steps, own.steps()...)
	}
	return steps
}

// String describes the descriptor in one line by its keys, without defaults.
func (d Descriptor) String() string {
	text := d.Type
	for _, c := range d.settings(everything) {
		text += ", " + c.Key + ": " + c.Was
	}
	return text
}

// Method describes the descriptor in one line by what makes it on any keypoints: those of several
// sets with equal lines are one method.
func (d Descriptor) Method() string {
	d.Keypoints = ""
	return d.String()
}

// Settings lists in words what neither the type's defaults nor the name of the descriptor say about
// its rows, without files: "usift", "pyramid opencv", "not normalised".
func (d Descriptor) Settings() (words []string) {
	bare := func(name string) string { return strings.ReplaceAll(spelling.Fold(name), "_", "") }
	name, kind := bare(d.Name), bare(d.Type)
	// Of types whose names are in the name, it says the longest: rgbsift, not sift.
	says := strings.Contains(name, kind) && !slices.ContainsFunc(typeNames(), func(other string) bool {
		return bare(other) != kind && strings.Contains(bare(other), kind) && strings.Contains(name, bare(other))
	})
	switch {
	case d.Type == commandType:
		if from := d.Command.Imported(); from != "" {
			words = append(words, from)
		} else if !d.Command.Relayed() { // else its key function says it
			words = append(words, "program "+notOfProgram.ReplaceAllString(d.Command.String(), ""))
		}
	case !says:
		words = append(words, d.Type)
	}
	if _, builtIn := descriptors.FindKind(d.Type); builtIn && strings.Contains(name, "root") && d.Root == descriptors.NoNorm {
		words = append(words, d.inWords("root", "none"))
	}
	for _, c := range d.settings(results, "keypoints", "path", "run", "files", "matcher") {
		words = append(words, d.inWords(c.Key, c.Was))
	}
	return words
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

// settings lists the keys that are not at their defaults with their values, which are Was.
func (d Descriptor) settings(v view, without ...string) (set []Change) {
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
			set = append(set, c)
		}
	}
	return set
}

// String returns the program and its arguments, or names the function of the caller.
func (c *Command) String() string {
	if c.Relayed() {
		return "function " + c.Function
	}
	return strings.Join(c.Run, " ")
}

// sizes says which size keypoints without one get; nil: none.
func sizes(size *float64) string {
	if size == nil {
		return ""
	}
	return fmt.Sprintf(", default size %g px", *size)
}

// keyWords returns the words of a key.
var keyWords = strings.NewReplacer(".", " ", "_", " ")

// inWords returns a setting of the descriptor in words.
func (d Descriptor) inWords(key, value string) string {
	switch {
	case key == "root" && value == "l1":
		return "square roots after L1 normalisation"
	case key == "root" && value == "none":
		return "no square roots"
	case key == "normalize" && value == "none":
		return "not normalised"
	case key == "pooling.scales":
		scales := strings.Fields(strings.Trim(fmt.Sprint(d.Pooling.Scales), "[]"))
		if last := len(scales) - 1; last > 0 {
			return "pooled over windows scaled by " + strings.Join(scales[:last], ", ") + " and " + scales[last]
		}
		return "window scaled by " + scales[0]
	}
	return keyWords.Replace(key) + " " + value
}
