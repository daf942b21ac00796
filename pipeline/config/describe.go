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
func (s KeypointSet) String() string {
	var steps []string
	step := func(format string, args ...any) { steps = append(steps, fmt.Sprintf(format, args...)) }
	switch {
	case s.From != "":
		step("from %s", s.From)
	case s.Detect != nil && s.Detect.Command != nil:
		c := s.Detect.Command
		step("%s%s", cmp.Or(c.Imported(), "detect by "+strings.TrimPrefix(c.String(), filepath.Dir(c.Run[0])+"/")), sizes(c.DefaultSize))
	case s.Detect != nil:
		detector, _ := keypoints.FindDetector(s.Detect.Type)
		step("detect %s%s", s.Detect.Type, changed(s.Detect.Params, detector.Params))
	case s.Intersect != nil:
		step("intersect %s with %s, tolerance %g px", s.Intersect.A, s.Intersect.B, s.Intersect.TolerancePx)
	case s.Import != nil:
		step("imported from %s%s", location(s.Import.Path, s.Import.Origin), sizes(s.Import.DefaultSize))
	}
	if s.Border != nil && *s.Border != (keypoints.Border{}) {
		step("border %g px %s", s.Border.Px, s.Border.Rule)
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
	if r := s.Random; r != nil && r.Total > 0 {
		step("random %d in total, seed %d", r.Total, r.Seed)
	} else if r != nil {
		step("random %d per image, seed %d", r.PerImage, r.Seed)
	}
	if s.Spatial != nil {
		step("at least %g px apart", s.Spatial.MinDistancePx)
	}
	if s.Top != nil {
		step("%s", s.Top)
	}
	if s.Project != nil {
		step("project from image %d, carry %s, bounds %s", s.Project.FromImage, s.Project.Carry, s.Project.Bounds)
	}
	return strings.Join(steps, "; ")
}

// KeypointsOf describes in one line how the keypoints of a descriptor are made, "" for
// matches of points. Both sides of an intersection are the same points.
func (c *Config) KeypointsOf(descriptor string) string {
	var steps []string
	for _, set := range c.Graph().Chain(c.SetOf(*c.Named(descriptor))) {
		own := *set
		if own.From = ""; own.Intersect != nil {
			steps = nil
		}
		if text := own.String(); text != "" {
			steps = append(steps, strings.ReplaceAll(text, "; ", ", "))
		}
		if b := own.Border; own.Detect != nil && b != nil && b.Px == 0 && b.Rule == 0 { // instead of the default
			steps = append(steps, "border 0 px")
		}
	}
	return strings.Join(steps, ", ")
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
	return strings.Join(append([]string{d.Type}, d.settings(everything, nil)...), ", ")
}

// Settings lists what neither the type's defaults nor the name of the descriptor say about
// its rows, without files: "type: usift, pyramid: opencv, normalize: none".
func (d Descriptor) Settings() []string {
	bare := func(name string) string { return strings.ReplaceAll(spelling.Fold(name), "_", "") }
	name, kind := bare(d.Name), bare(d.Type)
	// Of types whose names are in the name, it says the longest: rgbsift, not sift.
	says := strings.Contains(name, kind) && !slices.ContainsFunc(typeNames(), func(other string) bool {
		return bare(other) != kind && strings.Contains(bare(other), kind) && strings.Contains(name, bare(other))
	})
	var parts []string
	switch {
	case d.Type == commandType:
		parts = append(parts, cmp.Or(d.Command.Imported(), "program: "+notOfProgram.ReplaceAllString(d.Command.String(), "")))
	case !says:
		parts = append(parts, "type: "+d.Type)
	}
	elsewhere := []string{"keypoints", "path", "run", "files", "matcher"}
	if _, builtIn := descriptors.FindKind(d.Type); builtIn && strings.Contains(name, "root") && d.Root == descriptors.NoNorm {
		parts = append(parts, "root: none")
	}
	return append(parts, d.settings(results, elsewhere)...)
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
func (d Descriptor) settings(v view, without []string) (parts []string) {
	fresh := Descriptor{Name: d.Name, Label: d.Label, Type: d.Type}
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
			parts = append(parts, c.Key+": "+c.Was)
		}
	}
	return parts
}

// String returns the program and its arguments.
func (c *Command) String() string { return strings.Join(c.Run, " ") }

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

// changed lists the parameters that are not at their defaults.
func changed(p keypoints.Params, specs []keypoints.Param) string {
	other := make(keypoints.Params)
	for _, s := range specs {
		if p[s.Name] != s.Default {
			other[s.Name] = p[s.Name]
		}
	}
	if len(other) == 0 {
		return ""
	}
	return " (" + other.String() + ")"
}
