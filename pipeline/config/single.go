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
	flags := "--type " + kind
	c, err := load(flags, fmt.Appendf(nil, "experiment: {name: patches}\ndataset: {root: .}\nkeypoint_sets: [{name: centre, detect: {type: %s}, border: 0}]\ndescriptors: [{name: %q, type: %q, keypoints: centre}]\n",
		known.Detector(), name, kind), Overrides{Set: set, Item: "descriptors[" + name + "]"})
	if err == nil {
		return c.Descriptors[0], nil
	}
	faults := []error{err}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		faults = several.Unwrap()
	}
	for _, fault := range faults {
		if e, ok := fault.(*Error); ok {
			e.Line, e.Column = 0, 0 // the user has no file
		}
	}
	return Descriptor{}, err
}
