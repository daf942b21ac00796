package scope

import (
	"strings"
	"testing"
	"unicode/utf8"
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
		"a/../b":                 `scene name "a/../b" contains '/', want printable characters other than / \ ; =`,
		`a\b`:                    `scene name "a\\b" contains '\\', want printable characters other than / \ ; =`,
		"a;b=c":                  `scene name "a;b=c" contains ';', want printable characters other than / \ ; =`,
		"v_\x1b[31m":             `scene name "v_\x1b[31m" contains '\x1b', want printable characters other than / \ ; =`,
		"v_\u202egnp":            `scene name "v_\u202egnp" contains '\u202e', want printable characters other than / \ ; =`,
		"line\nbreak":            `scene name "line\nbreak" contains '\n', want printable characters other than / \ ; =`,
		"v_\xff\xfe":             `scene name "v_\xff\xfe" is not valid UTF-8`,
		strings.Repeat("é", 101): `scene name "` + strings.Repeat("é", 40) + `"… is 202 bytes long, want at most 200`,
	} {
		if err := CheckSceneName(name); err == nil || err.Error() != want {
			t.Errorf("%q: error is %v, want %s", name, err, want)
		}
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
