package config

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestNamesOfTheLiteratureLeadToWhatTheConfigSays(t *testing.T) {
	for word, want := range map[string]string{
		"rootsift":       "want type: sift with root: l1",
		"RootSIFT":       "want type: sift with root: l1",
		"root-sift":      "want type: sift with root: l1",
		"rootrgbsift":    "want type: rgbsift with root: l1",
		"dspsift":        "want type: sift with pooling: {type: domain_size, scales: [0.85, 1, 1.3]}",
		"dsp_rootsift":   "want type: sift with root: l1 and pooling: {type: domain_size, scales: [0.85, 1, 1.3]}",
		"hardnet":        "want type: command with operation: patches, and a function that calls it or run: [python3, -m, descbench, onnx, FILE] with its ONNX file; see docs/own-functions.md",
		"SOSNet":         "want type: command with operation: patches",
		"superpoint":     "want type: command with operation: detect and a function that calls it, or type: file with keypoints and descriptors that it computed; see 'descbench descriptors command'",
		"lightglue":      "want type: command with operation: match and a function that calls it, or type: matches with matches that it found; see 'descbench descriptors command'",
		"disk":           "or type: file with",
		"ALIKED":         "or type: file with",
		"r2d2":           "or type: file with",
		"d2-net":         "or type: file with",
		"hdf5":           "want type: file, which reads descriptors of other programs",
		"freak":          "want type: file, which reads descriptors of other programs",
		"onnx":           "want type: command with operation: patches, and run: [python3, -m, descbench, onnx, FILE] for an ONNX file; see docs/own-functions.md",
		"pytorch":        "want type: command with operation: patches",
		"concat":         "want type: fusion; see 'descbench descriptors fusion'",
		"sfit":           "(did you mean sift?)",
		"something else": "want one of sift, rgbsift",
	} {
		_, err := NewDescriptor(word, "x", nil)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("descriptor %s: error %v, want a line with %q", word, err, want)
		}
		if _, err := FindDescriptorType(word); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("type %s: error %v, want one with %q", word, err, want)
		}
	}
	for word, want := range map[string]string{
		"superpoint": "want type: command with a function that calls it, or import: {path: ...} instead of detect; see 'descbench descriptors file'",
		"D2-Net":     "or import: {path: ...} instead of detect",
		"rootsift":   "want sift: the descriptor does not change the detector",
		"sfit":       "(did you mean sift?)",
	} {
		_, err := load("c.yaml", []byte("dataset: {root: .}\nkeypoint_sets: [{name: k, detect: {type: "+word+"}}]\ndescriptors: [{name: surf, type: surf}]"), Overrides{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("detector %s: error %v, want one with %q", word, err, want)
		}
	}
}

func TestTheExampleOfEveryTypeIsAConfig(t *testing.T) {
	var names []string
	for _, x := range DescriptorTypes() {
		names = append(names, x.Name)
		c, err := load("example.yaml", []byte(x.Example), Overrides{})
		if err != nil {
			t.Errorf("%s: %v in\n%s", x.Name, err, x.Example)
			continue
		}
		if last := c.Descriptors[len(c.Descriptors)-1]; last.Type != x.Name {
			t.Errorf("%s: the example's last descriptor is of type %s", x.Name, last.Type)
		}
		if w := c.Warnings(); len(w) > 0 {
			t.Errorf("%s: the example has warnings %q", x.Name, w)
		}
	}
	if want := typeNames(); len(names) != len(want) || !slices.Equal(slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(want))) {
		t.Errorf("types %q, want %q", names, want)
	}
}

// The keys of a config are those that the list shows: name, type, and the keys.
func TestTheKeysOfATypeAreThoseOfItsSchema(t *testing.T) {
	file, err := FindDescriptorType("file")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, k := range file.Keys {
		got = append(got, k.Name+"="+k.Default)
	}
	want := []string{"keypoints=", "path=", "origin=center", "elements=", "descriptors_path=", "transpose=", "root=none", "normalize=l2", "matcher="}
	if !slices.Equal(got, want) {
		t.Errorf("keys %q, want %q", got, want)
	}
}

func TestAnHDF5FileIsNoFilePerImage(t *testing.T) {
	text := `experiment: {name: t}
dataset: {root: scenes}
descriptors:
  - {name: d, type: file, path: feats.h5}
`
	_, err := load(filepath.Join(t.TempDir(), "t.yaml"), []byte(text), Overrides{})
	if err == nil || !strings.Contains(err.Error(), `descriptors[d].path: found "feats.h5", want .npz or CSV files with {scene} and {image} in their path; for HDF5 see docs/own-functions.md`) {
		t.Errorf("error %v", err)
	}
}
