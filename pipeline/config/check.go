package config

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"descbench/keypoints"
)

// A checker checks a decoded config for faults that involve two places, and fills
// in the defaults that depend on other places.
type checker struct {
	*decoder
	config *Config
	own    []string // names of the keypoints that the file itself defines
	graph  Graph
}

func (d *decoder) check(c *Config) {
	k := &checker{decoder: d, config: c}
	for key, command := range c.Commands() {
		command.Key, command.Folder = key, cmp.Or(command.Folder, d.folder)
	}
	if c.Dataset.Root == "" {
		k.faultAt("dataset.root", "missing, want a folder of scenes, here or with --data")
	}
	if len(c.Descriptors) == 0 {
		k.faultAt("descriptors", "missing, want a list of at least one descriptor")
	}
	k.checkPreset(c)
	k.checkEstimators()
	k.checkResize(c.Dataset.Resize)
	k.addMatchers()
	k.own = c.Graph().names
	k.addImports()
	if len(c.KeypointSets) == 0 && slices.ContainsFunc(c.Descriptors, func(x Descriptor) bool { return x.Matches == nil || x.Keypoints != "" }) {
		k.faultAt("keypoint_sets", "missing, want a list of at least one keypoint set")
	}
	k.graph = c.Graph()
	k.checkSets()
	if len(k.faults) > 0 {
		return
	}
	for i := range c.Descriptors {
		k.checkDescriptor(&c.Descriptors[i])
	}
	if len(k.faults) > 0 {
		return
	}
	k.takeKeypoints()
	for i := range c.Descriptors {
		if x := &c.Descriptors[i]; x.Fusion != nil {
			k.checkFusion(x)
		}
	}
	if len(k.faults) == 0 {
		k.checkRelevance()
		k.checkRegion()
		k.checkLabels()
	}
}

func (k *checker) checkResize(r *Resize) {
	switch {
	case r == nil:
	case (r.Width > 0) != (r.Height > 0):
		k.faultAt("dataset.resize", "found width without height or height without width, want both")
	case r.Crop && r.Width == 0:
		k.faultAt("dataset.resize.crop", "found true, want it only with width and height")
	case r.MultipleOf > 0 && r.Width > 0:
		k.faultAt("dataset.resize.multiple_of", "found %d, want it only without width", r.MultipleOf)
	}
}

// addImports adds a keypoint set for every descriptor of type file, or of a program that
// detects, that does not name one.
func (k *checker) addImports() {
	taken := k.config.Graph().sets
	for i := range k.config.Descriptors {
		x := &k.config.Descriptors[i]
		switch {
		case x.Keypoints != "" || x.File == nil && (x.Command == nil || x.Command.Operation != DetectRows):
		case taken[x.Name] != nil:
			k.faultAt(x.key("keypoints"), "missing: the set of its own keypoints would be named %[1]s, but keypoint_sets has a set of this name; want keypoints: %[1]s to use that one, or another name for one of them", x.Name)
		default:
			set := KeypointSet{Name: x.Name}
			if x.Command != nil {
				detects := *x.Command
				detects.Operation, detects.Key = "", set.key("detect")
				set.Detect = &Detect{Type: commandType, Params: keypoints.Defaults(nil), Command: &detects}
			} else {
				set.Import = &Import{Path: x.File.Path, Origin: x.File.Origin}
			}
			x.Keypoints = x.Name
			k.config.KeypointSets = append(k.config.KeypointSets, set)
		}
	}
}

// key returns the full name of a key of the set.
func (s *KeypointSet) key(key string) string { return fmt.Sprintf("keypoint_sets[%s].%s", s.Name, key) }

// key returns the full name of a key of the descriptor.
func (d *Descriptor) key(key string) string { return fmt.Sprintf("descriptors[%s].%s", d.Name, key) }

// given reports whether the config or an override sets the key.
func (d *decoder) given(key string) bool { return d.at[key] != nil }

// checkName checks that a name at key refers to keypoints. If a set by contains
// the key, the name must refer to another set.
func (k *checker) checkName(key, name string, by *KeypointSet) bool {
	if _, ok := k.graph.references[name]; ok {
		return true
	}
	if s := k.graph.sets[name]; s != nil {
		k.faultAt(key, "found %q, which is an intersection, want one of its sides, %s", name, strings.Join(s.Sides(), " or "))
		return false
	}
	what, names := "keypoint set", k.graph.names
	if by != nil {
		what, names = "other set", without(names, by.Sides())
	}
	k.faultAt(key, "found %q, which is not the name of any %s, %s", name, what, oneOf(name, names))
	return false
}
