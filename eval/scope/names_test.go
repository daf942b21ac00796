package scope

import (
	"strings"
	"testing"
	"unicode/utf8"

	"descbench/eval/must"
)

func TestSceneNamesOfEveryAlphabetAreAllowed(t *testing.T) {
	for _, name := range []string{
		"v_dogman", "i_leuven", "Straße", "v_日本橋", "v_e\u0301cole", "مبنى", "v_हिन्दी", "two words", "<script>alert(1)", "a'b\"c", "%s $x {y} & #1", strings.Repeat("a", 200),
	} {
		if err := CheckSceneName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestSceneNamesThatCouldDoHarmAreRefusedInPrintableWords(t *testing.T) {
	for name, want := range map[string]string{
		"":                       "scene name is empty",
		".":                      `scene name "." begins with a dot`,
		"..":                     `scene name ".." begins with a dot`,
		".v_synth_001.tmp-1":     `scene name ".v_synth_001.tmp-1" begins with a dot`,
		"../../x":                `scene name "../../x" begins with a dot`,
		"a/../b":                 `scene name "a/../b", want at most one slash, between a group and a name that does not begin with a dot`,
		`a\b`:                    `scene name "a\\b" contains '\\', want printable characters other than \ ; =`,
		"a;b=c":                  `scene name "a;b=c" contains ';', want printable characters other than \ ; =`,
		"v_\x1b[31m":             `scene name "v_\x1b[31m" contains '\x1b', want printable characters other than \ ; =`,
		"v_\u202egnp":            `scene name "v_\u202egnp" contains '\u202e', want printable characters other than \ ; =`,
		"line\nbreak":            `scene name "line\nbreak" contains '\n', want printable characters other than \ ; =`,
		"v_\xff\xfe":             `scene name "v_\xff\xfe" is not valid UTF-8`,
		strings.Repeat("é", 101): `scene name "` + strings.Repeat("é", 40) + `"… is 202 bytes long, want at most 200`,
	} {
		must.Fail(t, CheckSceneName(name), want)
	}
}

func FuzzCheckSceneName(f *testing.F) {
	f.Add("v_dogman")
	f.Add("../x\x00")
	f.Fuzz(func(t *testing.T, name string) {
		err := CheckSceneName(name)
		switch {
		case err != nil && (!utf8.ValidString(err.Error()) || strings.ContainsAny(err.Error(), "\n\x1b")):
			t.Errorf("the message is not printable: %q", err)
		case err == nil && (name == ".." || strings.ContainsAny(name, "/\\\x00\n\x1b") || len(name) > 200):
			t.Errorf("%q is allowed", name)
		}
	})
}

func TestNamesOfARun(t *testing.T) {
	for name, good := range map[string]bool{
		"sift": true, "a/b-c.d_1": true, "é": true, "9": true, "_x": true, strings.Repeat("a", 100): true,
		"": false, strings.Repeat("a", 101): false, "../x": false, "a/../b": false, "/a": false, "a/": false, "-a": false, ".a": false,
		"a b": false, "a,b": false, "<b>": false, "e\u0301": false, "a.zip": false, "a.NPZ/b": false, "a.json": false,
	} {
		if err := CheckName(name); (err == nil) != good {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestPairsAreNamedInThreeWaysAndScenesInTwo(t *testing.T) {
	for name, want := range map[string]string{
		"v_wall/3": "pair:v_wall/1_3", "v_wall/1_3": "pair:v_wall/1_3", "pair:v_wall/1_3": "pair:v_wall/1_3", "a/b/2": "pair:a/b/1_2", "x/3": "pair:x/1_3",
		"/3": "/3", "v_wall": "scene:v_wall", "i_a": "scene:i_a", "scene:v_wall": "scene:v_wall", "viewpoint": "viewpoint", "x": "x", "x/": "x/", "x/x": "x/x", "scene:a/3": "scene:a/3", "pair:v_wall": "pair:v_wall",
	} {
		if got := Canonical(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
	if scene, k, ok := SplitPair("x/1_12"); scene != "x" || k != 12 || !ok {
		t.Errorf("x/1_12 is %q, %d, %v", scene, k, ok)
	}
	if scene, k, ok := SplitPair("/2"); scene != "" || k != 0 || ok {
		t.Errorf("/2 is %q, %d, %v", scene, k, ok)
	}
	for of, good := range map[string]bool{"all": true, "scene:v_a": true, "scene:../a": false, "pair:v_a/1_2": true, "pair:.a/1_2": false} {
		if err := CheckScope(of); (err == nil) != good {
			t.Errorf("%q: %v", of, err)
		}
	}
}
