package config

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"descbench/descriptors"
	"descbench/eval/matching"
	"descbench/pipeline/files/importer"
)

// commandType is the type of descriptors and detectors that a program of the user
// computes, as a child of this one.
const commandType = "command"

// A Command is a program that computes descriptors, keypoints or matches; see package
// child.
type Command struct {
	Key       string    // of the entry of the config that has it, such as descriptors[mine]
	Run       []string  // the program and its arguments
	Files     []string  // absolute paths of what it reads; results depend on their content
	Folder    string    // absolute; where it runs
	Operation Operation // of a descriptor or an estimator; "" of a detector, which detects
	Function  string    // that the program serves; "": its only one of the operation
	Timeout   time.Duration
	Instances int // processes at the same time

	Patches *descriptors.PatchCut // how to cut patches, of Operation DescribePatches, else nil
	Of      string                // the descriptor whose rows a Match gets; "": none
	// DefaultSize is the size of keypoints without one, px, of a detector; nil: none.
	DefaultSize *float64
}

// An Operation is what a program does.
type Operation string

// The values of Operation.
const (
	Describe        Operation = "describe" // an image and keypoints: rows
	DescribePatches Operation = "patches"  // patches: rows
	DetectRows      Operation = "detect"   // an image: keypoints and rows
	Match           Operation = "match"    // two images: matches
	Estimate        Operation = "estimate" // matches: a homography or a pose; not of descriptors
)

func newCommand() *Command {
	return &Command{Timeout: time.Minute, Instances: 1}
}

// commandFields are the keys of a program.
func commandFields(c *Command) []field {
	return []field{
		{key: "run", doc: "The program and its arguments, such as [python3, mine.py]. It runs in the folder of the config file. See docs/own-functions.md.", value: list[string]{to: &c.Run, of: "words", min: 1, item: func(s *string) codec { return text{to: s, rule: argument} }}, required: "want the program and its arguments, such as [python3, mine.py]"},
		{key: "files", doc: "Files that the program reads, such as its source and weights, or folders of such files; relative to the config file. If one changes, cached rows are not used, and a run that was begun with it needs --overwrite.", value: list[string]{to: &c.Files, of: "paths", distinct: true, optional: true, item: func(s *string) codec { return path{to: s} }}},
		{key: "function", doc: "Name of the function, if the program serves several for the operation.", value: text{to: &c.Function, rule: argument}},
		{key: "timeout", doc: "Longest time for one call, such as 60s or 5m.", value: duration(&c.Timeout), inert: true},
		{key: "instances", doc: "Number of processes of the program; on a machine with several GPUs, one for each.", value: integer{min: 1, max: 64}.into(&c.Instances), inert: true},
		{key: "folder", doc: "Where the program runs; by default the folder of the config file.", value: path{to: &c.Folder}, inert: true},
	}
}

var argument = textRule{want: "text without control characters", pattern: regexp.MustCompile(`^[^\x00-\x1f\x7f]+$`), max: 4096}

// detectorFields are the keys of a detector of type command.
func detectorFields(c *Command) []field {
	return append(commandFields(c), field{
		key: "default_size", doc: "Size of keypoints for which the program returns none, px. Every descriptor that is computed from the image needs a size.",
		value: sizeBound(&c.DefaultSize),
	})
}

// describerFields are the keys of a descriptor of type command.
func describerFields(c *Command) []field {
	return append(commandFields(c),
		field{key: "operation", doc: "What the program does: describe, rows from an image and keypoints; patches, rows from patches; detect, keypoints and rows from an image; match, matches of two images.", value: oneWord(&c.Operation, Describe, DescribePatches, DetectRows, Match)},
		field{key: "patches", doc: "How to cut patches, for operation patches.", value: maybe(&c.Patches, descriptors.DefaultPatchCut(), func(o *descriptors.PatchCut) mapping { return mapping{fields: patchFields(o)} })},
		field{key: "of", doc: "Name of the descriptor whose keypoints and rows the program gets, for operation match.", value: text{to: &c.Of, rule: nameRule}},
	)
}

// ownEstimator describes a program that estimates.
func ownEstimator(o *OwnEstimator) mapping {
	if o.Command.Operation == "" { // it is new
		o.Command = *newCommand()
		o.Command.Operation = Estimate
	}
	return mapping{fields: append([]field{
		{key: "name", doc: "Its name in evaluation.estimators, after own_pose_ or own_homography_.", value: text{to: &o.Name, rule: textRule{want: "a lower-case letter, then such letters and digits", pattern: matching.OwnName, max: 40}}, required: "want a name"},
	}, commandFields(&o.Command)...)}
}

// Key returns the key of the program in the config.
func (o OwnEstimator) Key() string { return fmt.Sprintf("evaluation.own_estimators[%s]", o.Name) }

// checkEstimators checks that own estimators and the programs for them name each other. Programs of
// the file are dropped if an override or a preset lists other estimators.
func (k *checker) checkEstimators() {
	e, used := &k.config.Evaluation, make(map[string]bool)
	for _, name := range e.Estimators {
		at, _ := matching.ParseEstimator(name)
		used[at.Own] = true
		if at.IsOwn() && !slices.ContainsFunc(e.OwnEstimators, func(o OwnEstimator) bool { return o.Name == at.Own }) {
			k.faultAt("evaluation.estimators", "found %s, want the program of %s in evaluation.own_estimators", name, at.Own)
		}
	}
	for _, o := range e.OwnEstimators {
		if !used[o.Name] && k.inFile("evaluation.estimators") {
			k.faultAt(o.Key(), "found a program that does not estimate, want own_pose_%s or own_homography_%[1]s in evaluation.estimators", o.Name)
		}
	}
	e.OwnEstimators = slices.DeleteFunc(e.OwnEstimators, func(o OwnEstimator) bool { return !used[o.Name] })
}

// patchFields are the keys of how to cut patches.
func patchFields(o *descriptors.PatchCut) []field {
	return []field{
		{key: "input_size", doc: "Side of a patch, px. Pixels are bilinear in the two nearest levels of a pyramid (each halved after the filter (1, 4, 6, 4, 1)/16), mixed by log2 of the sample distance; cv2.resize differs.", value: integer{min: 1, max: 1024}.into(&o.InputSize)},
		{key: "magnification", doc: "Ratio of the patch side to the keypoint size; 6 is the width of SIFT's 4×4 cells.", value: number{min: 0, max: 1000, above: true}.into(&o.Magnification)},
		{key: "channels", doc: "Channels of a patch, in their order.", value: oneWord(&o.Channels, "gray", "bgr", "rgb")},
		{key: "mean", doc: "Mean to subtract from pixel values (0 to 255); one number, or one per channel.", value: channels(&o.Mean, number{min: -math.MaxFloat64, max: math.MaxFloat64})},
		{key: "std", doc: "Standard deviation to divide by after that; one number, or one per channel.", value: channels(&o.Std, number{min: 0, max: math.MaxFloat64, above: true})},
		{key: "standardize", doc: "Standardise each patch by its own mean and standard deviation instead.", value: boolean(&o.Standardize)},
		{key: "upright", doc: "Do not rotate the patch by the keypoint's angle.", value: boolean(&o.Upright)},
		{key: "batch", doc: "Largest number of patches per call.", value: integer{min: 1, max: 4096}.into(&o.Batch)},
	}
}

// addMatchers makes the descriptors of operation match imported matches without files,
// so that whatever applies to those applies to them. They have the keypoints of the
// descriptor whose rows they get.
func (k *checker) addMatchers() {
	for i := range k.config.Descriptors {
		if x := &k.config.Descriptors[i]; x.Command != nil && x.Command.Operation == Match {
			x.Matches = &Matches{Origin: importer.Center}
		}
	}
	for i := range k.config.Descriptors {
		x := &k.config.Descriptors[i]
		c := x.Command
		if c == nil || c.Operation != Match {
			continue
		}
		ofRows := map[string]bool{ // keys, and whether they are set
			"root": x.Root != descriptors.NoNorm, "pooling": x.Pooling != nil, "normalize": x.Normalize != descriptors.NoNorm,
		}
		for _, key := range matchersOfRows {
			ofRows["matcher."+key] = true
		}
		for key, set := range ofRows {
			if set && k.given(x.key(key)) {
				k.faultAt(x.key(key), "found it with operation match, want no value: its matches are pairs, without rows and other candidates")
			}
		}
		x.Normalize = descriptors.NoNorm
		if x.Matcher != nil { // as in pairMatcher
			x.Matcher.CrossCheck, x.Matcher.Ratio, x.Matcher.MinSimilarity = false, 0, 0
		}
		if of := k.config.Named(c.Of); c.Of != "" && (of == nil || of.Matches != nil) {
			k.faultAt(x.key("of"), "found %q, which is not the name of a descriptor with rows, %s", c.Of, oneOf(c.Of, k.withRows(true)))
		}
	}
}

// takeKeypoints gives matchers the keypoints of the descriptors whose rows they get, once
// these are known.
func (k *checker) takeKeypoints() {
	for i := range k.config.Descriptors {
		x := &k.config.Descriptors[i]
		if x.Command == nil || x.Command.Operation != Match || x.Command.Of == "" {
			continue
		}
		set := k.config.SetOf(*k.config.Named(x.Command.Of))
		if k.given(x.key("keypoints")) && x.Keypoints != set {
			k.faultAt(x.key("keypoints"), "found %q, want no value: the keypoints are those of %s, %s", x.Keypoints, x.Command.Of, set)
		}
		x.Keypoints = set
	}
}

// withRows returns the names of the descriptors that have rows, with fusions or without.
func (k *checker) withRows(fusions bool) []string {
	var names []string
	for _, x := range k.config.Descriptors {
		if x.Matches == nil && (fusions || x.Fusion == nil) {
			names = append(names, x.Name)
		}
	}
	return names
}

// checkCommand checks the keys of a program that depend on its operation.
func (k *checker) checkCommand(x *Descriptor) {
	c := x.Command
	switch {
	case c.Patches != nil && c.Operation != DescribePatches:
		k.faultAt(x.key("patches"), "found it with operation %s, want it only with patches", c.Operation)
	case c.Of != "" && c.Operation != Match:
		k.faultAt(x.key("of"), "found it with operation %s, want it only with match", c.Operation)
	case c.Operation == DescribePatches:
		if c.Patches == nil {
			fresh := descriptors.DefaultPatchCut()
			c.Patches = &fresh
		}
		k.checkPatches(x.key("patches")+".", c.Patches)
	}
	if x.Pooling != nil && c.Operation == DetectRows {
		k.faultAt(x.key("pooling"), "found a mapping, want no value: the program describes its own keypoints")
	}
}

// Same reports whether two commands are the same program with the same function.
func (c *Command) Same(d *Command) bool {
	return slices.Equal(c.Run, d.Run) && slices.Equal(c.Files, d.Files) && c.Folder == d.Folder && c.Function == d.Function
}

// Relay is what run says of a function of the program that has started descbench, which calls it
// through a socket.
var Relay = []string{"descbench", "relay"}

// Relayed reports whether the function is one of the program that has started descbench.
func (c *Command) Relayed() bool { return slices.Equal(c.Run, Relay) }

// Imported returns "imported from feats.h5" of descbench.py hdf5 feats.h5, "" of other programs.
func (c *Command) Imported() string {
	if i := slices.Index(c.Run, "hdf5"); i >= 0 {
		return "imported from " + strings.Join(c.Run[i+1:], " ")
	}
	return ""
}

// OfPackage reports whether the program is descbench.py serving an installed package, whose version
// stands for files.
func (c *Command) OfPackage() bool {
	i := slices.Index(c.Run, "descbench") + 1
	return i > 1 && i < len(c.Run) && c.Run[i-2] == "-m" && slices.Contains([]string{"vismatch", "easy-local-features", "poselib", "pycolmap", "pydegensac"}, c.Run[i])
}

// notOfProgram is what Settings do not say of a program: Python with its flags, and folders.
var notOfProgram = regexp.MustCompile(`^[^ ]*python[^ /]* (-[^ ]+ )*|[^= ]*/`)

// Commands returns the programs of the config by the keys that have them, such as
// descriptors[mine] and keypoint_sets[points].detect.
func (c *Config) Commands() map[string]*Command {
	all := make(map[string]*Command)
	for _, s := range c.KeypointSets {
		if s.Detect != nil && s.Detect.Command != nil {
			all[fmt.Sprintf("keypoint_sets[%s].detect", s.Name)] = s.Detect.Command
		}
	}
	for _, d := range c.Descriptors {
		if d.Command != nil {
			all[fmt.Sprintf("descriptors[%s]", d.Name)] = d.Command
		}
	}
	for i := range c.Evaluation.OwnEstimators {
		o := &c.Evaluation.OwnEstimators[i]
		all[o.Key()] = &o.Command
	}
	return all
}

// ProgramsOf returns the keys of the programs that the results of a descriptor depend on:
// its own, those of its parts, those that detect its keypoints, and those of estimators.
func (c *Config) ProgramsOf(name string) []string {
	d := c.Named(name)
	if d == nil {
		return nil
	}
	keys := []string{fmt.Sprintf("descriptors[%s]", name)}
	if d.Fusion != nil {
		for _, part := range d.Fusion.Of {
			keys = append(keys, c.ProgramsOf(part)...)
		}
	}
	if d.Command != nil && d.Command.Of != "" {
		keys = append(keys, c.ProgramsOf(d.Command.Of)...)
	}
	graph := c.Graph()
	set, _ := graph.Find(c.SetOf(*d))
	for _, s := range graph.Ancestors(set) {
		keys = append(keys, fmt.Sprintf("keypoint_sets[%s].detect", s.Name))
	}
	for _, o := range c.Evaluation.OwnEstimators {
		keys = append(keys, o.Key())
	}
	return keys
}

// Concerns reports whether a part of a run is behind any of the chosen descriptors: one of
// them, its keypoint set, or an entry of the config that starts its program. So is "", the whole.
func (c *Config) Concerns(part string, chosen func(descriptor string) bool) bool {
	others := false
	for _, d := range c.Descriptors {
		behind := d.Name == part || slices.Contains(c.ProgramsOf(d.Name), part) ||
			slices.ContainsFunc(c.Graph().Chain(c.SetOf(d)), func(s *KeypointSet) bool { return s.Name == part })
		if behind && chosen(d.Name) {
			return true
		}
		others = others || behind
	}
	return !others
}

// Only returns the config with some of its descriptors and the keypoint sets behind them.
func (c *Config) Only(chosen func(descriptor string) bool) *Config {
	part := *c
	part.Descriptors = slices.DeleteFunc(slices.Clone(c.Descriptors), func(d Descriptor) bool { return !chosen(d.Name) })
	var keys []string
	for _, d := range part.Descriptors {
		keys = append(keys, c.ProgramsOf(d.Name)...)
	}
	part.KeypointSets = slices.DeleteFunc(slices.Clone(c.KeypointSets), func(s KeypointSet) bool {
		return !slices.Contains(keys, fmt.Sprintf("keypoint_sets[%s].detect", s.Name))
	})
	return &part
}

// duration returns the codec for a time above zero.
func duration(to *time.Duration) codec {
	read := func(word string) (time.Duration, bool) {
		v, err := time.ParseDuration(word)
		return v, err == nil && v > 0
	}
	kind := object{"type": "string", "pattern": `^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`}
	return plain[time.Duration]{to, read, "a time above zero with its unit, such as 60s or 5m", kind, []string{"!!str"}}
}
