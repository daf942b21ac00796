package config

import (
	"fmt"
	"path/filepath"
	"strings"

	"descbench/descriptors"
	"descbench/descriptors/importer"
	"descbench/keypoints"
)

// String describes the recipe in one line, without defaults.
func (s KeypointSet) String() string {
	var steps []string
	step := func(format string, args ...any) { steps = append(steps, fmt.Sprintf(format, args...)) }
	switch {
	case s.From != "":
		step("from %s", s.From)
	case s.Detect != nil && s.Detect.Command != nil:
		step("detect by %s", s.Detect.Command)
	case s.Detect != nil:
		detector, _ := keypoints.FindDetector(s.Detect.Type)
		step("detect %s%s", s.Detect.Type, changed(s.Detect.Params, detector.Params))
	case s.Intersect != nil:
		step("intersect %s with %s, tolerance %g px", s.Intersect.A, s.Intersect.B, s.Intersect.TolerancePx)
	case s.Import != nil:
		step("import %s%s", location(s.Import.Path, s.Import.Origin), sizes(s.Import.DefaultSize))
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

// String describes the selection in one line.
func (t Top) String() string {
	if t.Total > 0 {
		return fmt.Sprintf("top %d in total by %s", t.Total, t.By)
	}
	return fmt.Sprintf("top %d per image by %s", t.PerImage, t.By)
}

// String describes the descriptor in one line, without defaults.
func (d Descriptor) String() string {
	var text string
	switch {
	case d.Fusion != nil:
		text = d.Fusion.String()
	case d.Command != nil:
		text = string(d.Command.Operation) + " by " + d.Command.String()
		if d.Keypoints != "" {
			text += " of " + d.Keypoints
		}
		if d.Matches != nil {
			return text
		}
	case d.Matches != nil:
		text = "matches read from " + location(d.Matches.Path, d.Matches.Origin)
		if d.Keypoints != "" {
			text += " for " + d.Keypoints
		}
		return text
	case d.File != nil:
		text = "read from " + location(d.File.Path, d.File.Origin)
		if d.File.Descriptors != "" {
			text += " and " + d.File.Descriptors
		}
		if d.File.Elements != "" {
			text += " as " + string(d.File.Elements)
		}
		if d.File.Transpose {
			text += " transposed"
		}
		text += " for " + d.Keypoints
	case d.ONNX != nil:
		text = d.ONNX.String() + " of " + d.Keypoints
	default:
		kind, _ := descriptors.FindKind(d.Type)
		text = d.Type + changed(d.Params, kind.Params) + " of " + d.Keypoints
	}
	if d.Pooling != nil {
		text += ", " + d.Pooling.String()
	}
	if d.Root != descriptors.NoNorm {
		text += ", root " + d.Root.String()
	}
	return text + ", normalize " + d.Normalize.String()
}

// String describes the fusion in one line.
func (f Fusion) String() string {
	text := "fusion of " + strings.Join(f.Of, ", ") + ": " + f.Aggregate.String()
	if f.Weights != nil {
		text += " " + bracketed(f.Weights)
	}
	return text
}

// String describes the network and its patches in one line.
func (o ONNX) String() string {
	text := fmt.Sprintf("network %s on %s patches of %g times the size, %d px", filepath.Base(o.Model), o.Channels, o.Magnification, o.InputSize)
	if o.Upright {
		text += ", upright"
	}
	if o.Standardize {
		return text + ", standardized"
	}
	return text + ", mean " + bracketed(o.Mean) + ", std " + bracketed(o.Std)
}

// String returns the program and its arguments.
func (c *Command) String() string { return strings.Join(c.Run, " ") }

// String describes the pooling in one line, without defaults.
func (p Pooling) String() string {
	text := fmt.Sprintf("%s over domain sizes %s", p.Aggregate, bracketed(p.Scales))
	switch p.Weights {
	case descriptors.UniformWeights:
	case descriptors.ListedWeights:
		text += " with weights " + bracketed(p.WeightList)
	default:
		text += " with " + p.Weights.String() + " weights"
	}
	if p.FixedOctave {
		text += " in a fixed octave"
	}
	if p.RootEach != descriptors.NoNorm {
		text += ", root each " + p.RootEach.String()
	}
	if p.NormalizeEach != descriptors.NoNorm {
		text += ", normalize each " + p.NormalizeEach.String()
	}
	return text
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

// bracketed formats one number without brackets, several in brackets.
func bracketed(numbers []float64) string {
	if len(numbers) == 1 {
		return fmt.Sprint(numbers[0])
	}
	return "[" + strings.Join(strings.Fields(strings.Trim(fmt.Sprint(numbers), "[]")), ", ") + "]"
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
