package config

import (
	"fmt"
	"slices"
	"strings"

	"descbench/descriptors"
)

// checkFusion sees to the descriptors that a fusion names, whose keypoints are
// known, and to its weights.
func (k *checker) checkFusion(x *Descriptor) {
	parts, err := k.parts(x.Fusion)
	if err == nil {
		err = k.checkParts(parts, x)
	}
	if err != nil {
		k.faultAt(x.key("of"), "%v", err)
	}
	f, key := x.Fusion, x.key("weights")
	switch weighted := f.Aggregate == descriptors.Weighted; {
	case weighted && f.Weights == nil:
		k.faultAt(key, "missing, want a weight for each of %s", strings.Join(f.Of, ", "))
	case !weighted && f.Weights != nil:
		k.faultAt(key, "found them with aggregate %s, want them with weighted only", f.Aggregate)
	case weighted && len(f.Weights) != len(f.Of):
		k.faultAt(key, "found %d numbers, want %d, one for each of %s", len(f.Weights), len(f.Of), strings.Join(f.Of, ", "))
	}
}

// parts returns the descriptors that are fused.
func (k *checker) parts(f *Fusion) ([]*Descriptor, error) {
	var parts []*Descriptor
	for _, name := range f.Of {
		part := k.descriptors[name]
		switch {
		case part == nil:
			return nil, fmt.Errorf("found %q, but no descriptor of this name, %s", name, oneOf(name, k.fusible()))
		case part.Fusion != nil:
			return nil, fmt.Errorf("found %q, which is a fusion itself, %s", name, oneOf("", k.fusible()))
		}
		if _, t := k.kind(part.Type).Shape(part.Params); t == descriptors.Bits {
			return nil, fmt.Errorf("found %q, whose rows are bits: %s", name, bitsStay)
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// fusible returns the names of the descriptors that are no fusions.
func (k *checker) fusible() []string {
	var names []string
	for _, x := range k.config.Descriptors {
		if x.Fusion == nil {
			names = append(names, x.Name)
		}
	}
	return names
}

// checkParts sees to it that the rows of the parts belong together.
func (k *checker) checkParts(parts []*Descriptor, x *Descriptor) error {
	var sets []string
	for _, part := range parts {
		if !slices.Contains(sets, part.Keypoints) {
			sets = append(sets, part.Keypoints)
		}
		if x.Root == descriptors.L1 && !k.kind(part.Type).NonNegative {
			return fmt.Errorf("found %q with root l1: %s", part.Name, mayBeNegative)
		}
	}
	if _, ok := k.graph.common(sets); !ok {
		return fmt.Errorf("found descriptors of the keypoints %s, want those of one set, or of the two sides of one intersection", strings.Join(sets, ", "))
	}
	if x.Fusion.Aggregate == descriptors.Concatenate {
		return nil
	}
	var first *Descriptor // of known dimension
	for _, part := range parts {
		switch dim := k.dimension(part); {
		case dim == 0:
		case first == nil:
			first = part
		case dim != k.dimension(first):
			return fmt.Errorf("found %q of dimension %d and %q of %d with aggregate %s, want equal ones, or concatenate", first.Name, k.dimension(first), part.Name, dim, x.Fusion.Aggregate)
		}
	}
	return nil
}

// dimension returns the elements of a descriptor's rows, 0 if only a file tells.
func (k *checker) dimension(x *Descriptor) int {
	if x.ONNX != nil || x.File != nil {
		return 0
	}
	dim, _ := k.kind(x.Type).Shape(x.Params)
	if x.Pooling != nil && x.Pooling.Aggregate == descriptors.Concatenate {
		dim *= len(x.Pooling.Scales)
	}
	return dim
}
