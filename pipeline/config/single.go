package config

import (
	"fmt"

	"descbench/descriptors"
)

// NewDescriptor returns a descriptor with a type and a name, checked and with all
// defaults, as from a config. set changes it like --set, with keys of the
// descriptor: root=l1, pooling.scales=0.85,1,1.3. Relative paths are relative to
// the current folder.
func NewDescriptor(kind, name string, set []string) (Descriptor, error) {
	known, _ := descriptors.FindKind(kind)
	c, err := loadSnippet("--type "+kind, Overrides{Set: set, Item: "descriptors[" + name + "]"}, fmt.Sprintf(
		"dataset: {root: .}\nkeypoint_sets: [{name: centre, detect: {type: %s}, border: 0}]\ndescriptors: [{name: %q, type: %q, keypoints: centre}]\n", known.Detector(), name, kind))
	if err != nil {
		return Descriptor{}, err
	}
	return c.Descriptors[0], nil
}

// loadSnippet loads a config made from flags. Its faults refer to the flags and
// have no lines.
func loadSnippet(flags string, o Overrides, text string) (*Config, error) {
	c, err := load(flags, []byte("experiment: {name: patches}\n"+text), o)
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
