package config

import (
	"fmt"
	"slices"
	"strings"

	"descbench/descriptors"
)

// checkFusion checks the descriptors of a fusion and its weights. Their keypoints
// are already known.
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
		k.faultAt(key, "missing, want one weight for each of %s", strings.Join(f.Of, ", "))
	case !weighted && f.Weights != nil:
		k.faultAt(key, "found weights with aggregate %s, want them only with weighted", f.Aggregate)
	case weighted && len(f.Weights) != len(f.Of):
		k.faultAt(key, "found %d numbers, want %d, one for each of %s", len(f.Weights), len(f.Of), strings.Join(f.Of, ", "))
	}
}

// parts returns the descriptors of a fusion.
func (k *checker) parts(f *Fusion) ([]*Descriptor, error) {
	var parts []*Descriptor
	for _, name := range f.Of {
		part := k.config.Named(name)
		switch {
		case part == nil:
			return nil, fmt.Errorf("found %q, which is not the name of any descriptor, %s", name, oneOf(name, k.withRows(false)))
		case part.Fusion != nil:
			return nil, fmt.Errorf("found %q, which is itself a fusion, %s", name, oneOf("", k.withRows(false)))
		case part.Matches != nil:
			return nil, fmt.Errorf("found %q, imported matches without rows, %s", name, oneOf("", k.withRows(false)))
		}
		if k.elements(part) == descriptors.Bits {
			return nil, fmt.Errorf("found %q, want rows that are not binary: %s", name, bitsStay)
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// checkParts checks that the rows of the parts can be fused.
func (k *checker) checkParts(parts []*Descriptor, x *Descriptor) error {
	var sets []string
	for _, part := range parts {
		if !slices.Contains(sets, part.Keypoints) {
			sets = append(sets, part.Keypoints)
		}
		if x.Root == descriptors.L1 && !kindOf(part.Type).NonNegative {
			return fmt.Errorf("found %q with root l1: %s", part.Name, mayBeNegative)
		}
	}
	if _, ok := k.graph.common(sets); !ok {
		return fmt.Errorf("found descriptors of the keypoint sets %s, want one set, or the two sides of one intersection", strings.Join(sets, ", "))
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

// dimension returns the number of elements of a descriptor's rows, 0 if it depends
// on a file.
func (k *checker) dimension(x *Descriptor) int {
	if x.Command != nil || x.File != nil {
		return 0
	}
	dim, _ := kindOf(x.Type).Shape(x.Params)
	if x.Pooling != nil && x.Pooling.Aggregate == descriptors.Concatenate {
		dim *= len(x.Pooling.Scales)
	}
	return dim
}
