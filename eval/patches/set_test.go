package patches

import (
	"bytes"
	"context"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"descbench/descriptors"
	"descbench/eval/fact"
	"descbench/eval/must"
	"descbench/eval/patches/goldentest"
)

// write makes a folder of files and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "desc")
	for name, content := range files {
		path := filepath.Join(dir, name)
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Do(t, os.WriteFile(path, []byte(content), 0o666))
	}
	return dir
}

func TestASetIsLoadedFromItsFolder(t *testing.T) {
	dir := write(t, map[string]string{
		"i_a/ref.csv": "1,2\n3,4\n", "i_a/e1.csv": "5,6\n7,8\n", "v_b/ref.csv": "9,10\n", "readme.txt": "no descriptors",
	})
	s := must.Get(loadAll(dir))(t)
	if s.Name != "desc" || s.Dim != 2 || s.Type != descriptors.Uint8 || !slices.Equal(s.Sequences(), []string{"i_a", "v_b"}) {
		t.Errorf("got %+v", s)
	}
	if !slices.Equal(s.Images("i_a"), []string{"ref", "e1"}) || s.Patches("i_a") != 2 || s.Patches("v_b") != 1 || s.Patches("v_c") != -1 {
		t.Errorf("images %v, patches %d and %d", s.Images("i_a"), s.Patches("i_a"), s.Patches("v_b"))
	}
	if got := values(s.Image("i_a", "e1")); !slices.Equal(got, []float32{5, 6, 7, 8}) {
		t.Errorf("e1: got %v", got)
	}
	if s.Image("i_a", "e2") != nil || s.Image("v_c", "ref") != nil {
		t.Error("images that are not there")
	}
}

func TestOnlyWhatIsWantedIsLoaded(t *testing.T) {
	dir := write(t, map[string]string{"i_a/ref.csv": "1,2\n", "i_a/e1.csv": "broken", "v_b/ref.csv": "broken"})
	w := Wanted{}
	w.Add("i_a", "ref")
	w.Add("i_a", "ref")
	s, err := Load(context.Background(), goldentest.Open, dir, w, 0)
	if err != nil || !slices.Equal(s.Images("i_a"), []string{"ref"}) {
		t.Errorf("got %v, %v", s, err)
	}
}

func TestAFileThatGrowsIsReadAsItWasOpened(t *testing.T) {
	path := filepath.Join(write(t, map[string]string{"f": "as opened"}), "f")
	got, err := ReadFile(goldentest.Open, path, func(name string, r io.Reader) (string, error) {
		must.Do(t, os.WriteFile(name, []byte("as opened, and more"), 0o666))
		content, err := io.ReadAll(r)
		return string(content), err
	})
	if err != nil || got != "as opened" {
		t.Errorf("got %q, %v", got, err)
	}
}

// loadAll reads every descriptor file of a folder.
func loadAll(dir string) (*Set, error) {
	wanted, err := Find(dir, ".csv", "descriptors")
	if err != nil {
		return nil, err
	}
	return Load(context.Background(), goldentest.Open, dir, wanted, 0)
}

func TestASetHasTheSmallestTypeThatHoldsAllOfIt(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		want descriptors.ElementType
	}{
		"bits":    {"0,1,1\n", "1,1,1\n", descriptors.Bits},
		"bytes":   {"0,1,1\n", "1,2,1\n", descriptors.Uint8},
		"numbers": {"0,1,1\n", "1,0.5,1\n", descriptors.Float32},
	} {
		s := must.Get(loadAll(write(t, map[string]string{"i_a/ref.csv": c.a, "i_a/e1.csv": c.b})))(t)
		m := s.Image("i_a", "ref")
		if s.Type != c.want || m.Type != c.want || !slices.Equal(values(m), []float32{0, 1, 1}) {
			t.Errorf("%s: got %v, %v of %v", name, s.Type, values(m), m.Type)
		}
	}
}

func TestAFaultySetIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"rows":      {map[string]string{"i_a/ref.csv": "1,2\n3,4\n", "i_a/h3.csv": "1,2\n"}, "i_a/h3.csv: 1 lines, want 2 as in i_a/ref.csv"},
		"dimension": {map[string]string{"i_a/ref.csv": "1,2\n", "v_b/ref.csv": "1,2,3\n"}, "v_b/ref.csv: 3 values per line, want 2 as in i_a/ref.csv"},
		"number":    {map[string]string{"i_a/ref.csv": "1,2\n", "v_b/ref.csv": "1,2\n1,b\n"}, `v_b/ref.csv: line 2: column 2 is "b", want a number`},
		"nothing":   {map[string]string{"x.txt": ""}, "desc: no descriptors, want <sequence>/<image>.csv"},
		"first":     {map[string]string{"i_a/ref.csv": "?\n", "i_a/e1.csv": "?\n", "v_b/ref.csv": "?\n"}, `i_a/e1.csv: line 1: column 1 is "?", want a number`},
	} {
		_, err := loadAll(write(t, c.files))
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want ... %s", name, err, c.want)
		}
	}
	_, err := loadAll(filepath.Join(t.TempDir(), "none"))
	must.FailAbout(t, err, "none")
	dir := write(t, map[string]string{"i_a/ref.csv": "1,2\n"})
	_, err = Load(context.Background(), goldentest.Open, dir, Wanted{"i_a": {"ref", "t5"}}, 0)
	must.FailAbout(t, err, "t5.csv")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Load(ctx, goldentest.Open, dir, nil, 0); err == nil {
		t.Error("a cancelled load succeeded")
	}
}

func TestRowsThatCannotTellPatchesApartAreWarnedAbout(t *testing.T) {
	for _, c := range []struct {
		ref, e1 string
		want    []fact.Fact
	}{
		{"1,2\nnan,4\n", "1,3\n3,inf\n", []fact.Fact{fact.New(fact.NotFinite).Counting(2, 4).Naming("first", "i_a.ref.1")}},
		{"5,2\n5,2\n1,3\n", "5,2\n6,2\n6,2\n", []fact.Fact{fact.New(fact.RepeatedRows).Counting(1, 3).Naming("first", "i_a.ref.1")}},
		{"5,2\n0,0\n", "5,2\n0,0\n", []fact.Fact{
			fact.New(fact.Zeros).Counting(2, 4).Naming("first", "i_a.ref.1"), fact.New(fact.CopiedImages).With("n", 1).Naming("first", "i_a: e1 as ref"),
		}},
	} {
		s, err := loadAll(write(t, map[string]string{"i_a/ref.csv": c.ref, "i_a/e1.csv": c.e1}))
		must.Do(t, err)
		if got := s.Facts(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q, %q: got %v, want %v", c.ref, c.e1, got, c.want)
		}
	}
}

func TestBytesThatMayBePackedBitsAreWarnedAbout(t *testing.T) {
	orb, sift := strings.TrimSuffix(strings.Repeat("200,7,", 16), ","), strings.TrimSuffix(strings.Repeat("200,7,", 64), ",")
	for dim, row := range map[int]string{32: orb, 128: sift} {
		s, err := loadAll(write(t, map[string]string{"i_a/ref.csv": row + "\n", "i_a/e1.csv": "0" + row[3:] + "\n"}))
		must.Do(t, err)
		if f := s.Facts(); (len(f) == 1 && f[0].Kind == fact.Packed) != (dim == 32) {
			t.Errorf("%d bytes: got %v", dim, f)
		}
	}
}

func TestSignaturesAreReadAndWritten(t *testing.T) {
	if s, err := ParsePatch([]byte("v_wall.e1.12")); err != nil || s != (Signature{"v_wall", "e1", 12}) || s.String() != "v_wall.e1.12" || s.Whole().String() != "v_wall.e1" {
		t.Errorf("got %v, %v", s, err)
	}
	if s, err := ParseImage([]byte("s_boring.a")); err != nil || s != (Signature{"s_boring", "a", -1}) || s.String() != "s_boring.a" {
		t.Errorf("got %v, %v", s, err)
	}
	for text, want := range map[string]string{
		"a.b.c.d":                 `signature "a.b.c.d" has 4 parts, want sequence.image.index`,
		"a.b":                     `signature "a.b" has 2 parts, want sequence.image.index`,
		"":                        `signature "" has 1 parts, want sequence.image.index`,
		"a.b.x":                   `signature "a.b.x" has index "x", want a number from 0`,
		"a.b.-1":                  `signature "a.b.-1" has index "-1", want a number from 0`,
		"a.b.1e3":                 `signature "a.b.1e3" has index "1e3", want a number from 0`,
		"a.b.":                    `signature "a.b." has index "", want a number from 0`,
		"a.b.99999999999":         `signature "a.b.99999999999" has index "99999999999", want a number from 0`,
		".b.1":                    `signature ".b.1" has an empty name, want sequence.image.index`,
		"a..1":                    `signature "a..1" has an empty name, want sequence.image.index`,
		"a/b.c.1":                 `signature "a/b.c.1" contains a slash`,
		"a.b\x1b[1m.1":            `signature "a.b\x1b[1m.1": scene name "b\x1b[1m" contains '\x1b', want printable characters other than \ ; =`,
		strings.Repeat("ab.", 30): `signature "ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.ab.a"... has 31 parts, want sequence.image.index`,
	} {
		_, err := ParsePatch([]byte(text))
		must.Fail(t, err, want)
	}
}

func TestStripsHoldThePatchesThatTheyAreKnownToHold(t *testing.T) {
	dir := goldentest.Folder(t, "../../..")
	data := must.Get(os.ReadFile(filepath.Join(dir, "expected_strips.json")))(t)
	var expected map[string]struct {
		Patches int `json:"patches"`
	}
	must.Do(t, json.Unmarshal(data, &expected))
	if len(expected) == 0 {
		t.Fatal("nothing is expected")
	}
	for name, want := range expected {
		f := must.Get(os.Open(filepath.Join(dir, "small", "strips", name+".png")))(t)
		defer f.Close()
		if n, err := StripPatches(name, f); err != nil || n != want.Patches {
			t.Errorf("%s: got %d, %v; want %d", name, n, err, want.Patches)
		}
	}
}

func TestAStripIsAColumnOfPatches(t *testing.T) {
	for _, c := range []struct {
		width, height, want int
		fault               string
	}{
		{65, 65, 1, ""},
		{65, 195, 3, ""},
		{64, 64, 0, "strip.png: 64×64 px, want a width of 65 and a height that is a multiple of it"},
		{65, 100, 0, "strip.png: 65×100 px, want a width of 65 and a height that is a multiple of it"},
	} {
		var b bytes.Buffer
		must.Do(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, c.width, c.height))))
		n, err := StripPatches("strip.png", &b)
		if n != c.want || (err != nil) != (c.fault != "") || err != nil && err.Error() != c.fault {
			t.Errorf("%d×%d: got %d, %v; want %d, %s", c.width, c.height, n, err, c.want, c.fault)
		}
	}
	if _, err := StripPatches("strip.png", strings.NewReader("no image")); err == nil || !strings.HasPrefix(err.Error(), "strip.png: ") {
		t.Errorf("no image: got %v", err)
	}
}
