package dataset

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"descbench/pipeline/store"
)

func TestANameIsNoProofOfHPatches(t *testing.T) {
	known := KnownDigests{
		{Scene: "v_wall", Digest: "a", Release: true, Source: "release"}, {Scene: "v_wall", Digest: "b", Source: "PNG"},
		{Scene: "v_graffiti", Digest: "c", Source: "PNG"},
	}
	for _, c := range []struct {
		scene, digest string
		want          Origin
	}{
		{"v_synth_001", "a", NotHPatches}, {"i_oxbikes", "", NotHPatches},
		{"v_wall", "a", ByDigest}, {"v_wall", "b", ByDigest}, {"v_wall", "c", OtherFiles},
		{"v_wall", "", ByName}, // of resized images
		{"v_graffiti", "c", ByDigest}, {"v_graffiti", "d", ByName}, {"v_yard", "a", ByName},
	} {
		if got := known.Origin(c.scene, c.digest); got != c.want {
			t.Errorf("%s %q: got %s, want %s", c.scene, c.digest, got, c.want)
		}
	}
}

// The shipped digests are those of the real scenes; see real_test.go for their folder.
func TestShippedDigestsAreOfHPatchesScenes(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	known, err := ReadDigests()
	if err != nil || len(known) == 0 {
		t.Fatal(known, err)
	}
	for _, k := range known {
		if !IsHPatches(k.Scene) || k.Source == "" {
			t.Errorf("%+v", k)
		}
	}
}

func TestRecordedDigestsAreKept(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	at := filepath.Join(home, "descbench", "hpatches.sha256")
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(path string, content []byte) error { return os.WriteFile(path, content, 0o666) }
	digest := func(c string) string { return strings.Repeat(c, 64) }
	survey := func(name, digest, ext string) *Survey {
		return &Survey{Scenes: []SurveyedScene{
			{Name: name, Digest: digest, Images: []ImageFile{{File: "1" + ext}}}, {Name: "v_synth_001", Digest: digest}, {Name: "v_yard", Fault: "broken"},
		}}
	}
	for _, c := range []struct {
		name, digest, ext string
		added             int
	}{{"v_wall", digest("a"), ".ppm", 1}, {"v_wall", digest("a"), ".ppm", 0}, {"v_wall", digest("b"), ".png", 1}, {"i_dome", digest("c"), ".png", 1}} {
		path, added, err := Record(survey(c.name, c.digest, c.ext), "the release", write)
		if err != nil || path != at || len(added) != c.added {
			t.Errorf("%s: %s, %v, %v", c.name, path, added, err)
		}
	}
	_, _, err := Record(survey("v_wall", digest("d"), ".ppm"), "mine", write)
	if want := "v_wall: its digest is dddddddddddd, but that of the release is aaaaaaaaaaaa (source: the release); its files are not those of HPatches"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	text, err := os.ReadFile(at)
	want := "# Digests of HPatches scenes that descbench dataset verify --record added.\n" +
		digest("c") + "  i_dome  copy  the release\n" + digest("b") + "  v_wall  copy  the release\n" + digest("a") + "  v_wall  release  the release\n"
	if err != nil || string(text) != want {
		t.Errorf("got %s, want %s", text, want)
	}
	if err := os.WriteFile(at, []byte("# mine\n\nabc  v_wall\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err = ReadDigests()
	var fault *store.Fault
	if !errors.As(err, &fault) || !strings.HasPrefix(err.Error(), at+`: line 3: "abc  v_wall", want a SHA-256, a scene, release or copy, and a source`) {
		t.Errorf("got %v", err)
	}
}
