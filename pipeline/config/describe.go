package config

import (
	"fmt"
	"strings"

	"descbench/descriptors"
	"descbench/keypoints"
)

// String describes the recipe in one line, leaving out what is default.
func (s KeypointSet) String() string {
	var steps []string
	switch {
	case s.From != "":
		steps = append(steps, "from "+s.From)
	case s.Detect != nil:
		steps = append(steps, "detect "+s.Detect.Type+changed(s.Detect.Params, detectorParams(s.Detect.Type)))
	}
	if s.Border != nil {
		steps = append(steps, fmt.Sprintf("border %g px %s", s.Border.Px, s.Border.Rule))
	}
	if s.Top != nil {
		steps = append(steps, fmt.Sprintf("top %d per image by %s", s.Top.PerImage, s.Top.By))
	}
	if s.Project != nil {
		steps = append(steps, fmt.Sprintf("project from image %d, carry %s, bounds %s", s.Project.FromImage, s.Project.Carry, s.Project.Bounds))
	}
	return strings.Join(steps, "; ")
}

// String describes the descriptor in one line, leaving out what is default.
func (d Descriptor) String() string {
	text := d.Type + changed(d.Params, kindParams(d.Type)) + " of " + d.Keypoints
	if d.Root != "none" {
		text += ", root " + d.Root
	}
	return text + ", normalize " + d.Normalize
}

func detectorParams(name string) []keypoints.Param {
	for _, d := range keypoints.Detectors() {
		if d.Name == name {
			return d.Params
		}
	}
	return nil
}

func kindParams(name string) []keypoints.Param {
	for _, k := range descriptors.Kinds() {
		if k.Name == name {
			return k.Params
		}
	}
	return nil
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
