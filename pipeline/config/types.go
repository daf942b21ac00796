package config

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"descbench/descriptors"
	"descbench/eval/spelling"
)

// A DescriptorType is a type that a descriptor may have, for readers.
type DescriptorType struct {
	Name string
	Doc  string // one line
	// Elements are the elements of a row: number, type and range.
	Elements  string
	Computed  string // by what
	Keypoints string // which it describes
	Keys      []Key
	// Example is a config with a descriptor of the type. Check accepts it.
	Example string
}

// A Key is a key of a descriptor in a config.
type Key struct {
	Name     string
	Default  string // as in YAML; "" without a default
	Required bool
	Doc      string
}

// DescriptorTypes returns every type that a descriptor may have: the types that
// read, run or combine what a user has, then the built-in kinds.
func DescriptorTypes() []DescriptorType {
	types := []DescriptorType{
		{
			Name: fileType, Doc: "keypoints and descriptors that another program computed, one .npz or CSV file per image",
			Elements:  "as in the files: bits, uint8 or float32, up to " + fmt.Sprint(descriptors.MaxDim) + " elements",
			Computed:  "by the other program",
			Keypoints: "those of the same files: an .npz has the arrays keypoints (N×2: x, y in px) and descriptors (N×D), a CSV the columns x, y, d0, d1 and so on; size, angle, scores (in a CSV response) and octave are optional",
			Example:   example("", "{name: mine, type: file, path: 'features/{scene}/{image}.npz'}"),
		},
		{
			Name: commandType, Doc: "a program of your own, in any language, that runs next to the benchmark: a function in Python is enough; see docs/own-functions.md",
			Elements:  "as the program returns them: bits, uint8 or float32",
			Computed:  "by the program",
			Keypoints: "of every detector; or those that the program detects (operation: detect)",
			Example:   example("sift", "{name: mine, type: command, run: [python3, mine.py], files: [mine.py]}"),
		},
		{
			Name: fusionType, Doc: "the rows of other descriptors of the same keypoints, concatenated or averaged",
			Elements:  "float32; binary descriptors cannot be fused",
			Computed:  "in Go, from the rows of its parts",
			Keypoints: "those of its parts",
			Example:   example("sift", "{name: sift, type: sift}", "{name: surf, type: surf}", "{name: both, type: fusion, of: [sift, surf], aggregate: concatenate}"),
		},
		{
			Name: matchesType, Doc: "matches that another program found, one .npz file per image pair (1, K)",
			Elements:  "none: ranking, ratio tests and tasks do not apply; classify uses the scores",
			Computed:  "by the other program",
			Keypoints: "those of the set that the key keypoints names; matches are then row numbers of this set: the array matches0 (for each keypoint of image 1 the row in image K, or -1) or matches (M×2). Without the key, matches are positions: keypoints0 and keypoints1 (M×2 each). Optional: scores from 0 to 1, or distances",
			Example:   example("", "{name: mine, type: matches, path: 'matches/{scene}/1_{image}.npz'}"),
		},
	}
	for _, k := range descriptors.Kinds() {
		computed := "by OpenCV"
		if k.InGo {
			computed = "in Go"
		}
		types = append(types, DescriptorType{
			Name: k.Name, Doc: k.Doc, Computed: computed, Keypoints: accepted(k),
			Elements: fmt.Sprintf("%d of %s, %s", k.Dim, k.Type, k.Range),
			Example:  example(k.Detector(), fmt.Sprintf("{name: mine, type: %s}", k.Name)),
		})
	}
	for i := range types {
		types[i].Keys = keysOf(types[i].Name)
	}
	return types
}

// FindDescriptorType returns the type of the given name. Its error says what to
// write instead.
func FindDescriptorType(name string) (DescriptorType, error) {
	for _, t := range DescriptorTypes() {
		if t.Name == name {
			return t, nil
		}
	}
	if meant := spelling.Alias(name); meant != "" {
		return DescriptorType{}, fmt.Errorf("found %q, want %s", name, meant)
	}
	return DescriptorType{}, fmt.Errorf("found %q, %s", name, oneOf(name, typeNames()))
}

// accepted names the detectors whose keypoints a kind can describe.
func accepted(k descriptors.Kind) string {
	if k.Detectors == nil {
		return "of every detector"
	}
	return "of " + strings.Join(k.Detectors, ", ") + " only: " + k.Because
}

// keysOf returns the keys of a type of descriptor, except name and type.
func keysOf(name string) []Key {
	x := &Descriptor{Type: name}
	begin(x)
	var keys []Key
	fields := descriptorFields(x)
	if x.Command != nil {
		cut := descriptors.DefaultPatchCut()
		for _, f := range patchFields(&cut) {
			f.key = "patches." + f.key
			fields = append(fields, f)
		}
	}
	for _, f := range fields {
		k := Key{Name: f.key, Doc: f.doc, Required: f.required != ""}
		if n := f.value.encode(everything); n != nil && !k.Required {
			n.Style = yaml.FlowStyle
			k.Default = strings.TrimSpace(string(marshal(n)))
		}
		keys = append(keys, k)
	}
	return keys
}

// example returns a config with these descriptors, of keypoints of the detector.
// Those of type file bring their own.
func example(detector string, items ...string) string {
	text := "experiment: {name: example}\ndataset: {root: /data/hpatches-sequences-release}\n"
	if detector != "" {
		if detector == "orb" { // which finds no more than 500 otherwise
			detector += ", nfeatures: 2000"
		}
		text += fmt.Sprintf("keypoint_sets:\n  - {name: points, detect: {type: %s}, border: 40, top: {by: response, per_image: 2000}}\n", detector)
	}
	return text + "descriptors:\n  - " + strings.Join(items, "\n  - ") + "\n"
}
