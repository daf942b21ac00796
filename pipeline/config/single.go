package config

import (
	"fmt"
	"strings"

	"descbench/descriptors"
)

// NewDescriptor returns a descriptor with a type and a name, checked and with all
// defaults, as from a config. set changes it like --set, with keys of the
// descriptor: root=l1, pooling.scales=0.85,1,1.3. Relative paths are relative to
// the current folder.
func NewDescriptor(kind, name string, set []string) (Descriptor, error) {
	known, _ := descriptors.FindKind(kind)
	c, err := loadSnippet("--type "+kind, Overrides{Set: set, Items: []string{"descriptors[" + name + "]"}}, fmt.Sprintf(
		"dataset: {root: .}\nkeypoint_sets: [{name: centre, detect: {type: %s}, border: 0}]\ndescriptors: [{name: %q, type: %q, keypoints: centre}]\n", known.Detector(), name, kind))
	if err != nil {
		return Descriptor{}, err
	}
	return c.Descriptors[0], nil
}

// NewDetections returns a config of scenes in the folder data (all if scenes is
// empty) with one keypoint set per type of detector, named after the type. set
// changes each set, like set of NewDescriptor. The config has one descriptor only
// because a config needs one.
func NewDetections(types, scenes []string, data string, set []string) (*Config, error) {
	var sets, items []string
	for _, t := range types {
		sets = append(sets, fmt.Sprintf("{name: %q, detect: {type: %[1]q}, border: 0}", t))
		items = append(items, "keypoint_sets["+t+"]")
	}
	var names []string
	for _, s := range scenes {
		names = append(names, fmt.Sprintf("%q", s))
	}
	return loadSnippet("--detect "+strings.Join(types, ","), Overrides{Set: set, Items: items, Data: data}, fmt.Sprintf(
		"dataset: {root: ., scenes: [%s]}\nkeypoint_sets: [%s]\ndescriptors: [{name: surf, type: surf, keypoints: %q}]\n",
		strings.Join(names, ", "), strings.Join(sets, ", "), types[0]))
}

// loadSnippet loads a config made from flags. Its faults refer to the flags and
// have no lines.
func loadSnippet(flags string, o Overrides, text string) (*Config, error) {
	c, err := load(known(), flags, []byte("experiment: {name: patches}\n"+text), o)
	faults := []error{err}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		faults = several.Unwrap()
	}
	for _, fault := range faults {
		if e, ok := fault.(*Error); ok {
			e.Line, e.Column = 0, 0
		}
	}
	return c, err
}
