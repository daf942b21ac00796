package descriptors

import (
	"slices"
	"strings"
	"testing"

	"descbench/keypoints"
)

func TestEveryKindIsDocumented(t *testing.T) {
	names := map[string]bool{}
	for _, k := range Kinds() {
		for what, text := range map[string]string{"doc": k.Doc, "range": k.Range, "invariances": k.Invariances, "source": k.Source} {
			if text == "" || strings.Contains(text, "\n") {
				t.Errorf("%s: %s is %q, want one line", k.Name, what, text)
			}
		}
		if names[k.Name] {
			t.Errorf("two kinds are named %s", k.Name)
		}
		names[k.Name] = true
		if k.NonNegative && k.Type == Bits {
			t.Errorf("%s: bits are no numbers that could be negative", k.Name)
		}
		if (k.Detectors == nil) != (k.Because == "") {
			t.Errorf("%s: detectors %v because %q", k.Name, k.Detectors, k.Because)
		}
		if dim, typ := k.Shape(keypoints.Defaults(k.Params)); dim != k.Dim || typ != k.Type || dim < 1 {
			t.Errorf("%s: the defaults give %d of %v, the table says %d of %v", k.Name, dim, typ, k.Dim, k.Type)
		}
	}
}

func TestAKindSaysWhoseKeypointsItCannotDescribe(t *testing.T) {
	for kind, detectors := range map[string]string{
		"sift":         "sift surf akaze kaze fast agast gftt mser",
		"rgbsift":      "sift surf akaze kaze fast agast gftt mser",
		"rgbsift_mean": "sift surf akaze kaze fast agast gftt mser",
		"opponentsift": "sift surf akaze kaze fast agast gftt mser",
		"usift":        "sift surf akaze kaze fast agast gftt mser",
		"surf":         "sift surf orb akaze kaze brisk fast agast gftt mser",
		"orb":          "orb fast agast gftt",
		"akaze":        "akaze",
		"kaze":         "kaze",
	} {
		i := slices.IndexFunc(Kinds(), func(k Kind) bool { return k.Name == kind })
		if i < 0 {
			t.Fatalf("no kind %s", kind)
		}
		for _, d := range keypoints.Detectors() {
			err := Kinds()[i].Accepts(d.Name)
			if want := slices.Contains(strings.Fields(detectors), d.Name); (err == nil) != want {
				t.Errorf("%s of %s: error %v", kind, d.Name, err)
			}
			if err != nil && !strings.HasPrefix(err.Error(), kind+" cannot describe keypoints of "+d.Name+", want keypoints of ") {
				t.Errorf("%s of %s: error %q", kind, d.Name, err)
			}
		}
	}
}

func TestOnlyKAZEByGradientsOfItsDetectorNeedsKeypointsAsTheyWereFound(t *testing.T) {
	for _, k := range Kinds() {
		p := keypoints.Defaults(k.Params)
		if err := k.AcceptsAltered(p); (err == nil) != (k.Name != "kaze") {
			t.Errorf("%s: error %v", k.Name, err)
		}
		if k.Name == "kaze" {
			p["gradients"] = "compute"
			if err := k.AcceptsAltered(p); err != nil {
				t.Errorf("kaze with gradients compute: error %v", err)
			}
		}
	}
}

// The levels are those whose keypoints are nearest in size: AKAZE's are of
// 4.8·2^(l/4) px, KAZE's of 3.2·2^(l/4) px; SIFT's layer l of octave o, with 3
// layers, is of 3.2·2^(o+l/3) px, which is 8.5 px at octave 1, layer 1. ORB's level l
// is of 31·1.2^l px.
func TestThePatchKeypointIsOfTheLevelThatFits(t *testing.T) {
	for name, want := range map[string]keypoints.Keypoint{
		"surf":  {X: 32, Y: 32, Response: 1, Size: 24.375, ClassID: -1},
		"orb":   {X: 32, Y: 32, Response: 1, Size: 64.2816, Octave: 4, ClassID: -1},
		"akaze": {X: 32, Y: 32, Response: 1, Size: 6.5, ClassID: 2},
		"kaze":  {X: 32, Y: 32, Response: 1, Size: 65. / 12, ClassID: 3},
	} {
		k, _ := FindKind(name)
		if got := k.PatchKeypoint(keypoints.Defaults(k.Params)); got != want {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
	}
	sift, _ := FindKind("sift")
	if octave, layer := keypoints.UnpackOctave(sift.PatchKeypoint(keypoints.Defaults(sift.Params)).Octave); octave != 1 || layer != 1 {
		t.Errorf("sift: octave %d, layer %d, want 1 and 1", octave, layer)
	}
}
