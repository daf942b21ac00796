package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"descbench/descriptors"
	"descbench/keypoints"
	"descbench/pipeline/files/importer"
)

// checkDescriptor checks the descriptor's keypoints, the parameters that it shares
// with their detector, and its fields that depend on each other.
func (k *checker) checkDescriptor(x *Descriptor) {
	if x.Command != nil {
		k.checkCommand(x)
	}
	if x.Matches != nil {
		if x.Keypoints != "" {
			k.checkName(x.key("keypoints"), x.Keypoints, nil)
		}
		return
	}
	k.checkRows(x)
	k.checkSimilarity(x)
	if x.Fusion != nil || !k.checkKeypoints(x) {
		return
	}
	chain := k.graph.Chain(x.Keypoints)
	if x.File != nil || x.Command != nil && x.Command.Operation == DetectRows {
		k.checkSource(chain, x)
		return
	}
	kind := kindOf(x.Type)
	if err := k.accepts(kind, chain, x); err != nil {
		k.faultAt(x.key("keypoints"), "found %q: %v", x.Keypoints, err)
		return
	}
	if detect := chain[0].Detect; detect != nil {
		k.shareParams(kind, chain[0], x)
	}
	k.checkAltered(kind, chain, x)
}

// checkAltered checks the parameters that moved or resized keypoints require.
func (k *checker) checkAltered(kind descriptors.Kind, chain []*KeypointSet, x *Descriptor) {
	for name, want := range kind.AnyKeypoint {
		if x.Params[name] == want {
			continue
		}
		if s := projecting(chain); s != nil {
			k.faultAt(x.key(name), "found %v, want %v, since keypoint_sets[%s] moves keypoints", x.Params[name], want, s.Name)
		} else if x.Pooling != nil {
			k.faultAt(x.key(name), "found %v, want %v, since pooling resizes keypoints", x.Params[name], want)
		}
	}
}

// checkRows checks the keys that do not apply to binary rows, for kinds whose
// parameters decide whether rows are binary.
func (k *checker) checkRows(x *Descriptor) {
	t := k.elements(x)
	words := normalizations(t)
	switch {
	case kindOf(x.Type).Unscaled: // as given, or the kind's default
	case !k.given(x.key("normalize")):
		x.Normalize = words[0]
	case !slices.Contains(words, x.Normalize):
		k.faultAt(x.key("normalize"), "found %q, %s: %s", x.Normalize, oneOf(x.Normalize.String(), namesOf(words)), bitsStay)
	}
	if t == descriptors.Bits && x.Root != descriptors.NoNorm {
		k.faultAt(x.key("root"), "found %q, want none: %s", x.Root, bitsStay)
	}
	if t == descriptors.Bits && x.Pooling != nil {
		k.faultAt(x.key("pooling"), "found a mapping, want no value: %s", bitsStay)
	}
}

// checkSimilarity checks that a matcher by the cosine of rows has rows of length 1.
func (k *checker) checkSimilarity(x *Descriptor) {
	if k.config.MatcherOf(*x).MinSimilarity == 0 || x.Normalize == descriptors.L2 || x.Normalize == descriptors.NoNorm && x.Root == descriptors.L1 {
		return
	}
	key := "evaluation.matcher.min_similarity"
	if x.Matcher != nil {
		key = x.key("matcher.min_similarity")
	}
	k.faultAt(key, "found it for %s, whose rows do not have length 1, want max_distance, or, for numbers, normalize: l2", x.Name)
}

// elements returns the type of a descriptor's rows, as far as the config knows it.
func (k *checker) elements(x *Descriptor) descriptors.ElementType {
	if x.File != nil && x.File.Elements == importer.Bits {
		return descriptors.Bits
	}
	_, t := kindOf(x.Type).Shape(x.Params)
	return t
}

// checkKeypoints checks that the descriptor has keypoints. The default is the only
// keypoint set of the config.
func (k *checker) checkKeypoints(x *Descriptor) bool {
	switch {
	case x.Keypoints == "" && len(k.own) == 1:
		x.Keypoints = k.own[0]
	case x.Keypoints == "":
		k.faultAt(x.key("keypoints"), "missing, %s", oneOf("", k.graph.names))
		return false
	}
	return k.checkName(x.key("keypoints"), x.Keypoints, nil)
}

// accepts returns an error with the reason if a descriptor's kind cannot describe keypoints
// from that chain of sets.
func (k *checker) accepts(kind descriptors.Kind, chain []*KeypointSet, x *Descriptor) error {
	byProgram := chain[0].Detect != nil && chain[0].Detect.Command != nil
	if detect := chain[0].Detect; detect != nil && !byProgram {
		if err := kind.Accepts(detect.Type); err != nil {
			return fmt.Errorf("%w%s", err, k.forAll(kind, x))
		}
	}
	if !kind.BoundToDetector() {
		return nil
	}
	switch {
	case chain[0].Import != nil:
		return fmt.Errorf("%s cannot describe imported keypoints: %s", kind.Name, kind.Because)
	case byProgram:
		return fmt.Errorf("%s cannot describe keypoints of a program: %s", kind.Name, kind.Because)
	}
	for _, s := range chain {
		if s.Project != nil && s.Project.Carry == CarryGeometry && !keypoints.FollowsSize(chain[0].Detect.Type) {
			return fmt.Errorf("%s cannot describe keypoints whose size keypoint_sets[%s] changes, want carry: position: %s", kind.Name, s.Name, kind.Because)
		}
	}
	return nil
}

// forAll ends the error of a kind that cannot describe the keypoints of a set: with a detector that suits all
// descriptors of the set, if there are several and one does.
func (k *checker) forAll(kind descriptors.Kind, x *Descriptor) string {
	for _, detector := range kind.Detectors {
		others, suited := 0, true
		for _, other := range k.config.Descriptors {
			if cmp.Or(other.Keypoints, x.Keypoints) == x.Keypoints && other.Type != x.Type {
				others, suited = others+1, suited && kindOf(other.Type).Accepts(detector) == nil
			}
		}
		if others > 0 && suited {
			return fmt.Sprintf("; for all descriptors of these keypoints: detect: {type: %s}", detector)
		}
	}
	return ""
}

// shareParams sets the parameters that the descriptor shares with the detector.
func (k *checker) shareParams(kind descriptors.Kind, root *KeypointSet, x *Descriptor) {
	for _, p := range kind.Params {
		detectors, shared := root.Detect.Params[p.Name]
		if p.SameAs != root.Detect.Type || !shared {
			continue
		}
		if key := x.key(p.Name); !k.given(key) {
			x.Params[p.Name] = detectors
		} else if x.Params[p.Name] != detectors {
			k.faultAt(key, "found %v, want %v as in keypoint_sets[%s].detect", x.Params[p.Name], detectors, root.Name)
		}
	}
}

// checkPatches checks how patches are normalised. prefix comes before the keys.
func (k *checker) checkPatches(prefix string, o *descriptors.PatchCut) {
	for _, f := range []struct {
		key string
		to  *[]float64
	}{{prefix + "mean", &o.Mean}, {prefix + "std", &o.Std}} {
		switch {
		case o.Standardize && k.given(f.key):
			k.faultAt(f.key, "found it with standardize, which uses the value of each patch; want one of the two")
		case o.Standardize:
			*f.to = nil
		case len(*f.to) == 2:
			k.faultAt(f.key, "found 2 numbers, want one, or one for each of three channels")
		case len(*f.to) == 3 && o.Channels == "gray":
			k.faultAt(f.key, "found 3 numbers, want one, since channels is gray")
		}
	}
}

// checkSource checks that rows and keypoints come from the same files, or from the same detection of a program.
func (k *checker) checkSource(chain []*KeypointSet, x *Descriptor) {
	from, detect, key := chain[0].Import, chain[0].Detect, x.key("keypoints")
	switch moves := projecting(chain); {
	case x.Command != nil && (detect == nil || detect.Command == nil || !detect.Command.Same(x.Command)):
		k.faultAt(key, "found %q, whose keypoints the program does not detect, want no value, or a set that starts with detect: {type: command} of the same run, files and function", x.Keypoints)
	case x.File != nil && (from == nil || from.Path != x.File.Path):
		what := "detected"
		if from != nil {
			what = "imported from " + printable(from.Path)
		}
		k.faultAt(key, "found %q, whose keypoints are %s, want no value, or a set that starts with the import of %s", x.Keypoints, what, printable(x.File.Path))
	case moves != nil:
		k.faultAt(key, "found %q, but there are no descriptors for the positions to which keypoint_sets[%s] moves keypoints", x.Keypoints, moves.Name)
	case x.File != nil && !k.given(x.key("origin")):
		x.File.Origin = from.Origin
	case x.File != nil && x.File.Origin != from.Origin:
		k.faultAt(x.key("origin"), "found %s, want %s as in keypoint_sets[%s].import", x.File.Origin, from.Origin, chain[0].Name)
	}
}

// checkFusion checks the descriptors of a fusion. Their keypoints are already known.
func (k *checker) checkFusion(x *Descriptor) {
	parts, err := k.parts(x.Fusion)
	if err == nil {
		err = k.checkParts(parts, x)
	}
	if err != nil {
		k.faultAt(x.key("of"), "%v", err)
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
