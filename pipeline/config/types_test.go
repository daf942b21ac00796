package config

import (
	"slices"
	"strings"
	"testing"

	"descbench/eval/fact"
	"descbench/eval/must"
)

func TestNamesOfTheLiteratureLeadToWhatTheConfigSays(t *testing.T) {
	for word, want := range map[string]string{
		"RootSIFT":       "want type: sift with root: l1 in the descriptor",
		"hardnet":        "want type: command with a function of your own that calls it; see docs/own-functions.md",
		"BRIEF":          "want type: command with a function of your own that calls it in cv2.xfeatures2d (pip install opencv-contrib-python); see docs/own-functions.md",
		"onnx":           "want type: command with operation: patches, and run: [python3, -m, descbench, onnx, FILE] for an ONNX file; see docs/own-functions.md",
		"concat":         "want type: fusion; see 'descbench descriptors fusion'",
		"sfit":           "(did you mean sift?)",
		"something else": "want one of sift, rgbsift",
	} {
		_, err := NewDescriptor(word, "x", nil)
		if err == nil || !strings.HasPrefix(err.Error(), "--type "+word+": descriptors[x].type: ") || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("descriptor %s: error %v, want a line with %q", word, err, want)
		}
		_, err = FindDescriptorType(word)
		must.FailAbout(t, err, want)
	}
	_, err := NewDescriptor("sift", "sift", []string{"roto=l1"})
	must.FailAbout(t, err, "--set roto=l1: descriptors[sift].roto: unknown key")
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
		if w := fact.Without(c.Facts(), fact.OtherWindows); len(w) > 0 {
			t.Errorf("%s: the example has warnings %v", x.Name, w)
		}
	}
	if want := typeNames(); len(names) != len(want) || !slices.Equal(slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(want))) {
		t.Errorf("types %q, want %q", names, want)
	}
}

// The keys of a config are those that the list shows: name, type, and the keys.
func TestTheKeysOfATypeAreThoseOfItsSchema(t *testing.T) {
	file := must.Get(FindDescriptorType("file"))(t)
	var got []string
	for _, k := range file.Keys {
		got = append(got, k.Name+"="+k.Default)
	}
	want := []string{"keypoints=", "path=", "origin=center", "elements=", "root=none", "normalize=l2", "matcher="}
	if !slices.Equal(got, want) {
		t.Errorf("keys %q, want %q", got, want)
	}
}
